"""Everyday nouns that can be counted, and some that cannot: which of them stand behind `a` or `an`."""

from __future__ import annotations

from controldag.plain.facts_lists import word_set

COUNT_NOUNS = word_set(
    """
    aardvark abbey abbreviation academy accident accordion accountant achievement acquaintance actor actress
    adaptation adapter adder additive admiral admirer adolescent advantage advertisement adviser advisor advocate
    affair affiliate agency agent agreement airfield airline airplane airport alarm albatross album alert
    algorithm allele allergy alley alliance alligator allowance alloy ally alpaca alphabet altar alternative
    ambassador ambulance ambush amphibian amplifier anaconda ancestor anchor aneurysm angel angle anglerfish
    animal ankle announcement ant anteater antelope antenna anthology antibiotic apartment aphid apology app
    appetizer apple appliance appointment apprentice aquarium aqueduct aquifer arc arcade archaeologist archer
    architect archive arena argument armadillo army arrangement array arrow artery article artist assault asset
    assignment assistant association assortment asteroid astronaut astronomer atheist athlete atoll atom attack
    attempt attendant attitude audience author autobiography autograph automobile award axe axolotl baboon
    babysitter backpack bacterium badge badger bag baguette baker bakery balcony ball ballad ballet balloon ban
    banana band bandage banjo bank banknote banner bar bargain barn barnacle barometer barracks barracuda barrage
    barrel barrier barrister bartender basement basin basket bassoon bat batch bathtub batsman battery battle bay
    beach beak beaker beam bear beard beast beaver bed bedroom bee beer beetle bell belt beluga bench berth
    bestseller bet beverage bicycle bid bike bikini bill bin biography biologist biopsy birch bird biscuit bison
    bistro bite blacksmith blade blanket blender block blog blonde blouse blueprint boa boat bobcat body
    bodybuilder boiler bomb bombardment bond bonus bookbinder bookcase bookseller bookstore boot booth border
    borough botanist bottle boundary bout bowl bowler box boxer bracelet branch brand brasserie breakthrough
    brewery bridesmaid bridge brigade broom browser bruise brush bucket budget budgie buffalo buffer buffet
    building bulb bull bulldog bullet bun bundle bunny burger burrito burrow bus bush butcher butterfly button
    buyer buzzard byproduct cab cabin cable cactus cafe café cage cake calculation calculator calendar camel cameo
    camera campaign campaigner camper campfire campsite campus canal canary candidate candle cane canoe canopy
    canyon cap capacitor cape cappuccino captain capybara car caracal card cardinal carnival carnivore carp
    carpenter carrier carrot cart cartographer carton cascade cashier casino casserole cassowary castle cat
    catalog catalyst catamaran catcher category caterpillar catfish cathedral catheter cave cavity cavy celebrity
    cell cellist cello cellphone cemetery centipede centre cereal ceremony certificate certification chain
    chainsaw chair challenge chamber chameleon chamois championship channel chapel chapter character charger
    charity chart checkup cheerleader cheeseburger cheesecake cheetah chef chemical chemist chest chicken chimney
    chimpanzee chinchilla choir chord chore chromosome chronicle church cicada cider cigarette cinema circle
    circuit civet clam clan clarinet classmate classroom clause cleaner clerk client cliff climber clinic clip
    clock clone closet cloud clown clownfish club clue cluster coat cobra cockatoo cockroach cocktail coil coin
    coincidence collar collection collector college collie colony column combination comedy comet commercial
    committee commune community companion company compass competition competitor compilation compiler complaint
    complex component composer compound computer concert concerto conclusion concussion condo condor conductor
    cone conference configuration console constellation constituency constitution consumer container contender
    contest contestant contract contribution contributor controller convent convention conversation cook cookie
    cooperative cop copy cord core cormorant corner corporation corpse cortado cottage couch cougar councillor
    counselor county coup couple coupon court courthouse cow coworker coyote crab crane crater creature creek
    cricketer criminal crocodile croissant crop crossbow crossing crow crowd crown cruise crush crust cube
    cultivar cup cupboard currency curry curve customer cutter cuttlefish cycle cyclist cyclone cylinder dachshund
    daemon dam database dealer dealership debugger declaration decree deed deer defect defender degree deity
    delegation delta demonstration dentist department deposit deputy derivative descendant desert designer desk
    desktop destroyer detachment detective detector developer device diagram dialect diaper diary dictionary diet
    diner dingo dinosaur diocese diploma diplomat director disaster disc disciple discount dish dishwasher disk
    disorder distillery district ditch dividend division doctor doctorate doctrine document documentary dodo dog
    doll dollar dolphin dome donation donkey donut door dormouse dove draft dragon dragonfly drama drawer dream
    dress dresser drill drinker driver driveway drone drug drum drummer duck duet dugong dump dumpling duo dwarf
    dynasty eagle earthquake earthworm eater eclipse economist ecoregion ecosystem edition editor editorial eel
    egg egret election electrician electromagnet electron element elephant elevator elk embryo employee employer
    emu emulator encounter encyclopedia enemy engine engineer enrollment ensemble enterprise entity envelope
    enzyme epidemic episode equation era eraser errand eruption escort essay estate estuary event exam examination
    exclave excursion exhibition exoskeleton expedition explosion eye facade facility faction factor factory
    falcon fan farm farmer feather federation feeder fence ferret ferry festival fetus feud field fighter filament
    film finalist finch finger firearm firefighter firefly fireplace firm fish fisherman fixture flag flame
    flamingo flash flashback flashlight flaw fleet flight floor flute flyer follower footballer forerunner forest
    fork fort fortress forum fossil foundation fountain fox fracture frame framework franchise freezer fridge
    frigate frisbee frog fruit fund fundraiser funeral fungus gadget galaxy gallery game gang garage garden
    gardener garment gas gate gateway gazelle gecko gem gene general generator genius geologist gerbil gesture
    ghost gibbon gift gig giraffe glacier gland glassblower glider globe glove goal goalkeeper goat goddess golfer
    goose gorilla governor gown gradient granary graph grasshopper greenhouse greeting grenade greyhound group
    grouse grove guard guesthouse guide guitar guitarist gull gun gym gymnasium gymnast haircut hairdresser hall
    hamburger hamlet hammer hamster handgun hanger harbor harbour hare harmonica harp hat hawk headache headset
    heater hedgehog helicopter helmet hemisphere herb herd heron hierarchy highway hill hippopotamus historian
    hitter hive hobby holder hole holiday hood hook hoover hormone hornet horse hose hospital hostel hotel house
    household hub hug hummingbird hunter hurricane hybrid hydrocarbon hyena ibex ibis iceberg iguana illustrator
    image imprint incident index indicator infraction ingredient inhabitant injection inlet inn insect installment
    institute institution instructor instrument insulator interchange interface interpreter intersection interval
    interview introvert investigation investigator investor invitation invoice ion island issue item jackal jacket
    jaguar jar jellyfish jet jetty jeweller job jockey joke journal journalist judge jug jumper junction kangaroo
    kayak kennel kettle keyboard killer kindergarten kingdom kingfisher kiosk kit kitchen kite kitten kiwi knee
    knife knockout knot koala kookaburra lab laboratory labrador ladder ladybird lake lamp landlord landmark
    landslide lane language langur lantern lap laptop lark latte law lawsuit lawyer layover leaf league leak leash
    lecture lecturer leech leg legislature lemur lens leopard lesion lesson letter lever liberal librarian library
    libretto licence license lid lieutenant lifespan lift lighthouse linebacker liner linguist link lion liqueur
    list listing lizard llama loan lobster locust logo loop loser lottery lynx macaque macaw macchiato machine
    magazine magician magnet magpie maid maker mall mamba mammal mammoth manatee mandolin manicure manifestation
    mantis manufacturer manuscript map maple marathon marker market marmoset marsh marten martyr mask massacre
    massage mat match mathematician mattress mayor meadow meal mechanic mechanism medal medalist meerkat meeting
    membrane memoir memorial menu merger message metal metaphor meter microphone microscope microwave midfielder
    midwife milestone milkshake mill millionaire millipede miner mineral minister mink miracle mirror miscarriage
    misdemeanor mission mistake mixtape mixture mocha modem mole molecule mollusk monarchy monastery mongoose
    monitor monk monkey monopoly monsoon monster monument moon moose mortgage mosque mosquito motel moth motor
    motorbike motorcycle mountain mouse movie mower muffin mug mule municipality murderer museum musical musician
    mussel mutation mystery nail nanny nap napkin narrative narwhal nautilus nebula necklace needle neighbor
    neighborhood neighbourhood nerve nest net network newspaper newt nightclub nightingale nightmare nomination
    nominee nose note notebook notification novel novelist novella nun nurse nut nutrient oak oath object oboe
    observatory obsession obstacle ocelot octopus offence office officer official okapi omelette opener opera
    operator operetta opossum option orangutan orca orchard orchestra orchid organ organisation organism
    organization orphan orphanage oryx osprey ostrich otter outbreak outfielder outfit outing outlet outline
    outpost oven overdose owl oyster package packet pact pad page painkiller painter palace palm pamphlet pan
    pancake panda pandemic panel pangolin panther parade parameter parasite parcel parish park parody parrot
    particle partridge party pastry patch patent path pathogen pathway patio pattern pawn peacock peak pebble
    pedestrian pelican pen penalty pencil penguin peninsula penny pension perch perennial performer period
    periodical perk permit pet pharmacist pharmacy phase pheasant philosopher phobia phone photo photograph
    photographer photon phrase physician physicist pianist piano pic picnic picture pie pier pig pigeon pill
    pillar pillow pilot pine pioneer pipe piranha pirate pistol pit pitcher pizza pizzeria plan plane planet
    planner plate platform platformer platypus play player playoff playwright plaza plot plugin plumber plume
    podcast poem poet pole polecat policy politician poll pollutant polymer pond pony poodle pool porch porcupine
    porpoise port portfolio portrait poster postman pot potion potter practitioner prank prawn precursor predator
    prequel prerequisite prescription presentation president preview priest prince printer prism prison prisoner
    privilege prize probe procedure procession processor producer product professional professor program programme
    programmer project proposal proposition protagonist protector protein protocol proton prototype provider
    province psychologist pub puck pudding puddle pufferfish puffin pulse puma pump puppy purse puzzle pyramid
    python quail quarrel quarry quarter quartet quest quote rabbit raccoon race rack raft rag raid railroad
    railway rainbow raincoat rainforest raise ramp ranch ranking rapper rash rat rattlesnake raven ray razor
    reactant reaction reactor reception recipe recital recommendation rectangle reef referendum refinery refund
    regatta regimen regiment regulator reindeer relationship religion remake remedy reminder remnant rental renter
    replica report reporter reptile republic requirement reservation reservoir resistor resolution resource
    restaurant retailer retriever revival revolt revolver reward rhinoceros ride rider ridge rifle ring riot river
    roast robber robin robot rock rocket rod roof rook room roommate rope rose route router row rower rucksack
    ruler runner runway saddle sailboat sailor saint salad salamander salmon salon sample sanctuary sandal sander
    sandwich satellite sauce saw saxophone scallop scam scanner scar scarf scenario scene scheme scholarship
    school scientist scooter scorpion screenshot screenwriter screw screwdriver script sculptor seagull seahorse
    seal seat secret section sector segment selection seller seminar seminary senator sensor sentence sequel
    sequence series sermon serval servant server session settlement setup shaft shareholder shark sheet shelf
    shell shield ship shipyard shirt shoe shooter shop shotgun shower shrew shrimp shrine shrub sidewalk siege
    signal simulator singer single sitcom skateboard skateboarder skater sketch skier skillet skirt skull skunk
    skyscraper sled sleepover slope slot sloth slug smartphone smartwatch smoothie snack snail snake sneaker
    snowball snowboarder snowstorm sock sofa soldier solicitor soloist solution solvent sonata song songwriter
    sonnet soundtrack soup spa spacecraft span spaniel spark sparrow spatula speaker spear specimen spell sphere
    spice spider spike spill sponge spoof spoon spoonbill spouse sprinter squad squadron squid squirrel stack
    stadium stage stain stake stamp staple stapler star starfish starter startup statement station statue statute
    steak steamer stew sticker stingray stint stoat stopover stopper store stork storm story storyline stove
    strain strand streak stream street striker strip stripe student studio stunt sturgeon stylist subgenre
    subgroup submarine subrange subscription subsidiary substance substitute suburb suggestion suit suitcase suite
    summary sunflower supermarket supervisor supplement supplier supporter surgeon survey suspension swallow swamp
    swan sweater swimmer swordfish symphony symptom synagogue synonym system table tablet tackle taco tag tailor
    takeover tale tamarin tank tantrum tape tapir tarantula tarp tart task tattoo taxi teacher team technician
    telescope teller temp temple tenant tent terminal termite tern terrace terrapin terrier test textbook theater
    theatre theory therapist thermometer thoroughfare thriller throat thrush thunderstorm ticket tie tiger
    timeline timer tire toad toaster toilet toll tool toolkit toothbrush topping torch tornado tortoise toucan
    touchdown tour tourist tournament towel tower township toy tractor trademark trader trail trailer train trait
    traitor tram translator transmitter transplant trap tray treadmill treaty tree trend triangle tribe tributary
    trick tricycle trigger trilogy trio trip tripod trombone trophy trout truck trumpet trustee tsunami tub tuba
    tube tuber tulip tumor tuna tunnel turbine turkey turtle tutor tweet twin typewriter ukulele ultimatum
    umbrella umpire union universe university update uprising vacation vaccine vacuum valley valve vampire van
    variant vase vector vegetable vehicle veil vein vendor venture venue verb verdict vessel vest vet veteran
    veterinarian viaduct view villain vine vineyard viola violin violinist viper virus visa vitamin volcano vole
    vow voyage vulture waffle waiter waitress walker wall wallaby wallet walrus war ward wardrobe warehouse
    warning warrant warranty warrior warship washer wasp watch watercourse waterfall watermelon watermill
    watershed wave weapon weasel weaver web website wedding wedge weightlifter whale wheel wheelchair wig wildfire
    windmill window wine winery wing wizard wolf wolverine wombat woodpecker workout workshop worm wound wreck
    wrench wrestler writer yacht yak zebra zoo zoologist zygote
    """
)

MASS_NOUNS = word_set(
    """
    advice art beef biology bread butter chemistry clothing copper cotton economics equipment fiction flour food
    footwear furniture glass gold hardware information iron jewellery jewelry leather literature luggage machinery
    mathematics meat milk money music news pasta physics plastic poetry politics pork research rice salt scenery
    seafood silk silver software steel sugar traffic water weather wood wool
    """
)

# Counted nouns that, as food or drink, stand without an article all the same: served with white wine.
FOODS = word_set(
    """
    wine beer cider sauce soup salad curry stew cake pie chicken duck turkey fish salmon trout tuna lobster crab
    squid octopus lamb bread cheese cereal spice herb fruit vegetable carrot banana apple nut liqueur beverage
    steak pizza egg bacon alloy polymer compound gas metal mineral rock protein vitamin drug
    """
)
