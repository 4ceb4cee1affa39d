"""What kind a word is: nouns that take an article, verbs, adjectives, and short words that are no abbreviations.

The lists of nouns and verbs are in `lexicon.txt`. A word that stands in none is judged by its ending or left alone.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from controldag.plain.english import base_form, is_participle, is_plural
from controldag.plain.irregular import ABBREVIATIONS


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


PREPOSITIONS = word_set(
    "of in on at for to from with without by per about between during after before until till through into onto under "
    "over via within towards toward as than like against among near behind beside besides inside outside around "
    "across along beyond since upon up down off out"
)
RELATIVES = word_set("who whom whose which that where when why how")
DETERMINERS = word_set(
    "the a an your my our his her its their this these those each every any some no all both either another"
)
PRONOUNS = word_set("you it they he she we i someone somebody anyone everybody nobody")
AUXILIARIES = word_set(
    "is are was were am be has have had does do did can could will would may might must should shall cannot"
)
MODALS = word_set("can could will would may might must should shall")
ADVERBS = word_set(
    "still already also not never always often only usually currently now ever actually really automatically directly "
    "just possibly optionally then even again later soon once twice"
)
# Words that begin a clause about time or reason.
CONJUNCTIONS = word_set("until till while because unless once as if")
# Persons: one asks who they are.
PERSONS = word_set(
    "person teacher instructor driver doctor dentist mechanic technician plumber cleaner adviser advisor coach trainer "
    "guide host artist actor actress director author writer singer composer engineer manager agent lawyer nurse vet "
    "therapist stylist hairdresser barber photographer surveyor astronomer optician recipient sender tenant landlord "
    "owner captain skipper chef cook babysitter tutor professor lecturer entertainer magician groomer walker "
    "patient donor passenger guest tuner fitter roofer builder "
    "glazier tiler decorator child spouse carer caregiver midwife surgeon pharmacist librarian gardener electrician "
    "painter carpenter courier producer editor translator interpreter judge referee player sitter keeper warden "
    "keyholder inspector counsellor counselor psychologist beautician masseur florist baker tailor employer buyer "
    "seller applicant candidate musician performer dancer poet physician specialist conductor pilot sailor farmer "
    "beekeeper secretary receptionist assistant accountant attorney solicitor notary officer clerk teammate partner "
    "husband wife mother father parent guardian beneficiary creditor debtor lender borrower opponent champion winner"
)
# Adjectives that stand behind their noun, or after a form of `be`.
ADJECTIVES = word_set(
    "available free left due welcome open closed full empty online offline indoor indoors outdoor outdoors vegan "
    "vegetarian "
    "vegetarian-friendly halal kosher "
    "organic private public new old used safe quiet loud early late urgent hot cold warm cool dry wet long short high "
    "low heavy light large small big cheap pricey dear suitable appropriate friendly accessible able ready allergic "
    "compatible optional mandatory compulsory necessary possible remote live waterproof fireproof antique modern "
    "valid invalid active inactive final fresh frozen raw spicy sweet sour sparkling still unisex male female adult "
    "senior junior local international domestic direct nonstop non-stop one-way round-trip overnight express "
    "same-day weekly daily monthly annual gluten-free sugar-free dairy-free nut-free pet-friendly kid-friendly "
    "family-friendly child-friendly "
    "okay ok fine happy willing wheelchair-accessible first-come walk-in all-day in-person hands-on part-time "
    "full-time red-eye good bad fragile electric electronic automatic manual digital rural urban"
)
_ADJECTIVE_ENDINGS = ("able", "ible", "ful", "less", "ous", "ive", "-free", "-friendly", "-proof", "ical", "lit")
_NOT_ADJECTIVES = word_set("table cable vegetable archive drive hive dive live-in motive native adjective objective")
# Words in -ing that are nouns wherever they stand.
_NOUNS_IN_ING = word_set(
    "rating booking heading parking building painting meeting setting seating housing clothing wedding opening evening "
    "morning listing pricing spelling training cleaning screening recording viewing sitting boarding landing shipping "
    "timing ceiling string ring king spring thing filling topping lighting heating wiring plumbing catering swimming "
    "reading writing warning saving offering ranking rating pudding dressing stuffing serving seasoning bedding "
    "coating finding wing swing sling earring"
)
# Nouns in -er and -or that stand without an article, and words in these endings that are no nouns.
_SUBSTANCES = word_set(
    "water butter weather power leather timber silver pepper ginger rubber laughter cancer dinner labour labor honour "
    "honor behaviour behavior colour humour vapour other after under over never ever whether either neither rather "
    "together former latter later earlier larger smaller bigger higher lower cheaper longer shorter newer older better "
    "inner outer upper proper super major minor prior exterior interior superior inferior order lumber paper copper "
    "amber polyester cider lager liquor cover summer winter christmas easter manner"
)
# Short words that names hold and that are no abbreviations.
_SHORT = word_set(
    "a ac act ad add age ago aid aim air all an and any app are area arm art as ask at bag bar bath bay bed big bin "
    "bit "
    "box boy bus but buy by can cap car cat cc cd cut day did do dog dry due dvd ear eat egg end eye fan far fat fax "
    "fee few fit fix fly for fun gas get gig go gym had ham has hat her hip his hot how ice id if in ink inn is it its "
    "job joy key kid kit lab law lid lot low map mat me men met mix mom mum my net new no not now nut of off oil old "
    "on one or our out own pad pan paw pay pen per pet pie pin pot pub put raw red row rug run saw say sea see set sex "
    "she shy sim six sky so son spa sun tab tag tax tea ten the tie tin tip to toe ton too top toy try tub tv two up "
    "us use van vat vet via vip was wax way web wet who why win wit yes yet you zip zoo"
)


@lru_cache(maxsize=1)
def _lists() -> tuple[frozenset[str], frozenset[str]]:
    text = files("controldag.plain").joinpath("lexicon.txt").read_text("utf-8")
    nouns, verbs = text.split("# Verbs\n")
    return frozenset(nouns.partition("\n")[2].split()), frozenset(verbs.split())


def takes_article(noun: str) -> bool:
    """Whether the word is known as a singular noun that never stands without an article."""
    low = noun.lower()
    agent = low.endswith(("er", "or", "ist")) and len(low) > 4 and low not in _SUBSTANCES and low not in ADJECTIVES
    return (low in _lists()[0] or agent) and not is_plural(low)


def is_verb(word: str) -> bool:
    """Whether the word is known as the base form of a verb."""
    return word.lower() in _lists()[1]


def acts(verb: str) -> bool:
    """Whether the base form is of something that a person does, not of a state."""
    return is_verb(verb) and verb not in (
        "need",
        "want",
        "have",
        "like",
        "prefer",
        "know",
        "own",
        "get",
        "live",
        "wish",
    )


def is_third_person(word: str) -> bool:
    """Whether the word is a known verb's form for he, she and it: `arrives`, `serves`."""
    low = word.lower()
    return low.endswith("s") and not low.endswith("ss") and is_verb(base_form(low)) and base_form(low) != low


def is_finite(word: str) -> bool:
    """Whether the word can only be a verb in the present: `is`, `closes`, `does`."""
    return word in AUXILIARIES - {"be"} or (is_third_person(word) and not takes_article(base_form(word)))


def is_adjective(word: str) -> bool:
    """Whether the word can follow a form of `be` as a quality: `available`, `furnished`, `unscented`, `refundable`."""
    low = word.lower()
    if low in _NOT_ADJECTIVES:
        return False
    if low in ADJECTIVES or low.endswith(_ADJECTIVE_ENDINGS) or low.count("-") > 1:
        return True
    if is_verb(low) and is_participle(low):
        # `cost`, `cut`, `set`: more often nouns and verbs.
        return low in ("shut", "split", "upset")
    return is_participle(low) or (low.startswith(("un", "non-")) and low.endswith("ed"))


def is_person(noun: str) -> bool:
    """Whether the noun is of a person: one asks who it is."""
    low = noun.lower()
    if low in PERSONS:
        return True
    return (
        len(low) > 5
        and low.endswith(("ist", "ician", "arian", "keeper", "holder"))
        and low not in ("checklist", "playlist")
    )


def is_gerund(word: str) -> bool:
    """Whether the word is a verb's -ing form rather than a noun like `building`."""
    low = word.lower()
    return low.endswith("ing") and len(low) > 4 and low not in _NOUNS_IN_ING


def is_abbreviation(word: str) -> bool:
    """Whether the word looks like a short form: `addr`, `svc`, `dt`, `t`."""
    low = word.lower()
    if not low.isascii() or not low.isalpha():
        return False
    if low in ABBREVIATIONS and low not in ("id", "zip", "min", "max"):
        return True
    if len(low) <= 3:
        return low not in _SHORT and not takes_article(low) and not is_verb(low)
    return not set(low) & set("aeiouy")
