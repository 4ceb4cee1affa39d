"""Tables of English words that follow no rule: irregular verbs and nouns, sounds, abbreviations."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


_VERBS = """
be was been; bear bore borne; beat beat beaten; become became become; begin began begun; bend bent bent; bet bet bet;
bind bound bound; bite bit bitten; bleed bled bled; blow blew blown; break broke broken; breed bred bred;
bring brought brought; broadcast broadcast broadcast; build built built; burn burnt burnt; buy bought bought;
cast cast cast; catch caught caught; choose chose chosen; come came come; cost cost cost; creep crept crept;
cut cut cut; deal dealt dealt; dig dug dug; do did done; draw drew drawn; dream dreamt dreamt; drink drank drunk;
drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt; fight fought fought;
find found found; fit fit fit; flee fled fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten;
forgive forgave forgiven; freeze froze frozen; get got got; give gave given; go went gone; grind ground ground;
grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held;
hurt hurt hurt; keep kept kept; kneel knelt knelt; know knew known; lay laid laid; lead led led; leave left left;
lend lent lent; let let let; lie lay lain; light lit lit; lose lost lost; make made made; mean meant meant;
meet met met; mow mowed mown; offset offset offset; overcome overcame overcome; pay paid paid; put put put;
quit quit quit; read read read; rent rented rented; repay repaid repaid; reset reset reset; ride rode ridden;
ring rang rung; rise rose risen; run ran run; saw sawed sawn; say said said; see saw seen; seek sought sought;
sell sold sold; send sent sent; set set set; sew sewed sewn; shake shook shaken; shed shed shed; shine shone shone;
shoot shot shot; show showed shown; shrink shrank shrunk; shut shut shut; sing sang sung; sink sank sunk;
sit sat sat; sleep slept slept; slide slid slid; sow sowed sown; speak spoke spoken; spend spent spent;
spin spun spun; split split split; spread spread spread; spring sprang sprung; stand stood stood; steal stole stolen;
stick stuck stuck; strike struck struck; swear swore sworn; sweep swept swept; swim swam swum; swing swung swung;
take took taken; teach taught taught; tear tore torn; tell told told; think thought thought; throw threw thrown;
undergo underwent undergone; understand understood understood; undo undid undone; upset upset upset;
wake woke woken; wear wore worn; weave wove woven; win won won; wind wound wound; withdraw withdrew withdrawn;
write wrote written
"""
IRREGULAR_VERBS: dict[str, tuple[str, str]] = {
    base: (past, participle) for base, past, participle in (entry.split() for entry in _VERBS.split(";"))
}
"""By base form, past tense and past participle."""

IRREGULAR_PLURALS: dict[str, str] = _pairs(
    "man:men woman:women child:children person:people foot:feet tooth:teeth goose:geese mouse:mice ox:oxen "
    "life:lives wife:wives knife:knives leaf:leaves half:halves shelf:shelves loaf:loaves wolf:wolves calf:calves "
    "thief:thieves self:selves scarf:scarves "
    "criterion:criteria phenomenon:phenomena analysis:analyses basis:bases crisis:crises thesis:theses "
    "diagnosis:diagnoses axis:axes index:indices matrix:matrices vertex:vertices cactus:cacti "
    "fungus:fungi nucleus:nuclei alumnus:alumni hero:heroes potato:potatoes tomato:tomatoes echo:echoes "
    "veto:vetoes cargo:cargoes quiz:quizzes passerby:passersby"
)

SAME_IN_PLURAL = _words(
    "aircraft deer fish headquarters means moose offspring salmon series sheep shrimp species swine trout "
    "crossroads barracks"
)

UNCOUNTABLE = _words(
    "equipment furniture luggage baggage information advice software hardware firmware gear music news clothing "
    "jewellery jewelry machinery footwear headwear cutlery crockery tableware bedding homework housework knowledge "
    "feedback evidence research traffic weather transport transportation parking help progress permission stationery "
    "scenery rubbish garbage waste catering insurance housing lighting seating entertainment merchandise produce "
    "livestock poultry seafood pasta rice bread butter milk water money cash mail postage firewood fuel electricity "
    "assistance guidance training signage packaging artwork poetry literature"
)
"""Nouns without a plural: several pieces of it are one equipment."""

ALWAYS_PLURAL = _words(
    "clothes glasses jeans pants premises proceeds scissors shorts surroundings thanks trousers tweezers pajamas "
    "pyjamas goods belongings earnings savings outskirts people police cattle data media"
)

SINGULAR_IN_S = _words(
    "address access accesses airbus always atlas bass bias blues bonus boss bus business campus canvas census chaos "
    "chess class compass congress consensus corpus cosmos cross crocus diabetes dress economics electronics excess "
    "express fitness focus gas genius glass grass gymnastics happiness illness iris kindness lens less loss "
    "mathematics mattress mess minus moss news octopus pass physics plus politics press process progress success "
    "status stress surplus swiss tennis this thus us virus wellness wilderness witness yes "
    "analysis basis crisis thesis diagnosis axis emphasis hypothesis synopsis genesis "
    "basics ethics logistics athletics statistics graphics "
    "bless hostess actress waitress princess mistress fortress princess bypass overpass underpass "
    "hers his its as is was has does gps https dns sms sos os ios radius stimulus syllabus terminus venus walrus "
    "thermos tennis pancreas texas kansas arkansas paris wales"
)
"""Words that end in s and are not plural; those in -ss, -us and -is are recognised by rule too."""

AN_BEFORE = ("hour", "honest", "honour", "honor", "heir", "herb")
"""Beginnings of words that are written with a consonant, but begin with a vowel."""

A_BEFORE = (
    "unesco",
    "unicef",
    *("uni", "use", "usa", "usu", "uti", "ubi", "ura", "uro", "eu", "ewe", "one", "once", "ouija", "u."),
    *("u-", "uk", "ufo"),
)
"""Beginnings of words that are written with a vowel, but begin with a consonant."""

AN_UNI = ("unin", "unim", "unid", "unint", "unill", "unint")
"""Exceptions to the exceptions: uninsured, unidentified, unimportant."""

ABBREVIATIONS: dict[str, str] = _pairs(
    "acc:account acct:account addr:address adr:address adrs:address amt:amount apmt:appointment approx:approximate "
    "appt:appointment apt:apartment arr:arrival arrive:arrival attn:attention auth:authorisation avail:available "
    "ave:average avg:average bal:balance bday:birthday bldg:building cert:certificate cfg:configuration chg:charge "
    "chk:check cncl:cancellation cnt:count co:company comm:commission cond:condition conf:confirmation "
    "config:configuration ct:count ctry:country curr:current cust:customer dep:departure depart:departure "
    "dept:department depto:department desc:description dest:destination diff:difference dir:direction disc:discount "
    "dist:distance dob:date_of_birth doc:document dr:doctor dt:date dur:duration emerg:emergency eq:equipment "
    "equip:equipment est:estimated estd:estimated eta:estimated_time_of_arrival etd:estimated_time_of_departure "
    "exp:expiry ext:extension fav:favourite fname:first_name freq:frequency gtd:guaranteed hr:hour hrly:hourly "
    "hrs:hours id:ID img:image incl:included info:information ins:insurance inst:instructor instr:instructions "
    "int:interest inv:invoice kg:kilogram km:kilometre kms:kilometres lang:language lat:latitude len:length "
    "lgth:length lic:licence lname:last_name loc:location lon:longitude ltr:litre lvl:level max:maximum "
    "meds:medicines mgr:manager mi:miles min:minimum mins:minutes misc:other mo:month mobo:motherboard mod:model "
    "msg:message mth:month nat:nationality nb:number nbr:number nm:name nr:number num:number obj:object "
    "occ:occupation opt:option opts:options ord:order org:organisation orig:origin pax:passengers pct:percentage "
    "ph:phone_number pic:picture pkg:package pmt:payment pos:position pref:preferred prefs:preferences "
    "prev:previous prod:product prof:profession pwd:password px:price qty:quantity qual:quality rcpt:receipt "
    "rec:recommended ref:reference reg:registration rel:related req:required reqd:required res:reservation "
    "resv:reservation ret:return rm:room rms:rooms rsv:reservation rte:route sched:schedule sec:second secs:seconds "
    "sig:signature spec:specification specs:specifications sqft:square_feet sqm:square_metres src:source "
    "std:standard stn:station subj:subject svc:service svcs:services tbl:table tel:telephone telno:telephone_number "
    "temp:temperature tix:tickets tkt:ticket tkts:tickets tm:time tot:total trans:transfer ttl:total "
    "txn:transaction univ:university vac:vacation veh:vehicle ver:version vol:volume wk:week wks:weeks wt:weight "
    "yr:year yrs:years zip:ZIP_code"
)
"""What short forms in names mostly stand for; used only where nothing better tells what a name means."""

WRITTEN_OUT: dict[str, str] = {
    short: full.replace("_", " ")
    for short, full in _pairs(
        "est:estimated dest:destination approx:approximate max:maximum min:minimum no:number nr:number num:number "
        "addr:address dept:department incl:including excl:excluding avg:average appt:appointment apt:apartment "
        "acct:account amt:amount qty:quantity tel:telephone temp:temperature orig:original ref:reference "
        "dep:departure arr:arrival del:delivery desc:description hrs:hours mins:minutes exp:expiry org:organisation "
        "pref:preferred recip:recipient reqd:required res:reservation resv:reservation std:standard wt:weight "
        "vol:volume bldg:building fl:floor tot:total prev:previous curr:current misc:miscellaneous pct:percentage "
        "info:information loc:location dur:duration"
    ).items()
}
"""What short forms stand for in a description, where a full stop shows that they are short: `est. cost`."""

ACRONYMS = _words(
    "api atm bbq bmi cd cpr cpu cv diy dj dna dvd eu faq fm gp gpa gps gpu gst hd hdmi html http https iban id imdb "
    "ip isbn iso it led lcd mba mot mri nfc nhs oem ok pc pdf phd pin pos ppe qr ram sat sim sms spf sql ssd ssn "
    "suv tv uk un url us usa usb ussr uv vat vhs vin vip vpn wifi www xl xs xxl ac bpm rpm mph kmh kwh"
)
"""Words that are written in capitals even where a name writes them small."""

UNITS: dict[str, str] = _pairs(
    "kg:kilograms kgs:kilograms lb:pounds lbs:pounds oz:ounces km:kilometres kms:kilometres cm:centimetres "
    "mm:millimetres "
    "ft:feet mi:miles mph:miles_per_hour kmh:kilometres_per_hour kph:kilometres_per_hour "
    "min:minutes mins:minutes hr:hours hrs:hours sec:seconds secs:seconds "
    "ml:millilitres kcal:kilocalories kwh:kilowatt_hours gb:gigabytes mb:megabytes tb:terabytes "
    "mbps:megabits_per_second "
    "sqft:square_feet sqm:square_metres "
    "knots:knots kn:knots l:litres g:grams mg:milligrams m:metres in:inches kw:kilowatts w:watts eur:euros "
    "usd:US_dollars gbp:pounds_sterling chf:Swiss_francs pct:percent percent:percent celsius:degrees_Celsius "
    "fahrenheit:degrees_Fahrenheit litres:litres liters:liters metres:metres meters:meters miles:miles "
    "kilometres:kilometres kilometers:kilometers grams:grams kilograms:kilograms feet:feet inches:inches "
    "acres:acres hectares:hectares euros:euros dollars:dollars watts:watts calories:calories gallons:gallons "
    "ghz:gigahertz mhz:megahertz hz:hertz v:volts ha:hectares"
)
"""Units by the short forms that end a name (`load_kg`)."""

DOUBLED_VERBS = _words(
    "begin enrol refer prefer occur admit commit permit submit transfer forget control cancel travel"
)
"""Verbs of two syllables and more that double their last letter."""

STEMS_BEFORE_E = _words(
    "provid requir includ us servic pric rat releas purchas clos caus rais invit complet creat updat locat "
    "schedul reserv serv receiv arriv leav liv giv driv writ tak mak becom com danc manag chang charg arrang "
    "produc introduc reduc plac practic judg stor explor shar prepar compar declar fir hir insur measur ensur "
    "featur captur structur configur renam nam fram combin defin determin imagin decid guid rid sid id hid provok "
    "smok invok strik hik lik bak wak shak smil fil compil sal scal handl enabl settl sampl singl doubl tripl "
    "bottl battl coupl assembl titl styl typ shap escap hop scop observ solv involv improv prov approv remov "
    "mov sav hav believ achiev analys advis exercis promis organis organiz recognis recognis los choos rous hous us "
    "eras phras ceas purchas increas decreas leas pleas eas danc financ replac announc enforc financ voic notic "
    "rac fac trac experienc influenc balanc distribut contribut execut rout commut exclud conclud delet compet "
    "activat evaluat generat operat calculat estimat indicat associat celebrat dedicat donat educat illustrat narrat "
    "nominat rotat separat stat trad translat validat vot not quot promot devot invad persuad upgrad "
    "decorat demonstrat participat renovat relat isolat legat wast tast past sens licens condens respons "
    "dispos propos compos expos oppos suppos clos nos pos advertis apologis authoriz authoris customiz customis "
    "realiz realis summariz summaris tun prun priz siz squeez freez breath bath sooth"
)
"""Verbs whose base form ends in e although the rule below does not see it."""
