"""Verbs and prepositions that relations are made of, and what is known of their use."""

from __future__ import annotations

import re

from controldag.plain.english import base_form, is_participle, past, third_person
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_nouns import COUNT_NOUNS
from controldag.plain.lexicon import is_verb, takes_article

PREPOSITIONS = word_set(
    """
    of in at on by for from to with into onto through as near over under after before against within via about
    along around between behind beside above below during inside outside across toward towards upon among without
    until since per than like off opposite
    """
)
PLACE_PREPOSITIONS = word_set(
    """
    near in at on inside behind beside above below within outside opposite under along between across around
    """
)
ADVERBS = word_set(
    """
    first last originally officially currently formerly previously also commonly mainly mostly partly fully
    usually typically often widely recently initially locally primarily completely jointly traditionally closely
    directly legally historically internationally newly now once once-again always never still already yet
    """
)
_NOT_ADVERBS = word_set(
    "family supply assembly anomaly monopoly reply ally rally july italy daily weekly monthly yearly fly"
)
MODALS = word_set("can could may might must should will would does did do cannot")
PERSONAL = word_set("advisor adviser")

# Verbs that a relation may begin with, in their base form.
VERBS = word_set(
    """
    sleep span absorb attach bake bind boil burn catch chase digest breathe embed enhance execute hatch hibernate
    inspect parse pollinate perceive pull push ring secure split swallow tell think throw transform validate
    verify wash accept accompany achieve acquire act add adjoin admire advertise advise affect afflict aim air
    allow appear apply approve arrive assist attack attend attract avoid award back ban beat become begin belong
    border break breed bring broadcast build buy call carry cause celebrate change charge cite climb close collect
    combine command commemorate compete complete compose comprise conduct confirm connect conquer consider consist
    consume contain continue contribute control convert cook cost cover create criticise cross cultivate cure
    dance date deal debut decay defeat defend define deliver demand depart depend depict derive describe design
    destroy develop die direct discover display dissolve distribute divide donate draw drain drink drive earn eat
    edit emerge emigrate emit employ empty emulate enable encode end endorse enjoy enter establish examine exceed
    exclude exhibit exist expand explain explore export express extend face fall favour feature feed fight fill
    finance find finish fish fit float flow fly follow forbid form found fund gain generate give govern graduate
    grant grow guard guarantee guide handle happen hate head help hire hold honour house hunt identify illustrate
    implement import improve include incorporate increase indicate influence inform inhabit inherit inhibit
    inspire install interact interview introduce invade invent invest investigate invite involve issue join keep
    kill know lack last launch lead lean learn leave lend let lie like link live locate lose love maintain make
    manage manufacture mark marry measure meet melt mention merge migrate mine move name need nominate observe
    obtain occupy occur offer open operate oppose orbit order organise originate overlap oversee owe own paint
    participate pass pay perform permit plan play precede prefer premiere prepare present preserve prevent print
    prioritise process produce prohibit promote protect provide publish pursue qualify quote race rain raise rank
    rate reach read rebuild receive recommend record recruit reduce refer reflect regulate reign reject relate
    release rely remain remake remove rename rent repeal replace report represent require rescue reside resign
    resist retire return reveal review ride rise rule run sail save say sell send separate serve settle share ship
    show sign sing sink sit ski solve speak specialise sponsor spread stand star start stay stop store stretch
    strike study succeed suggest supply support surround survive sustain swim symbolise take target taste teach
    tend test tour touch trade train translate transport travel treat try turn unite use value vary view visit
    vote want watch wear weigh welcome win work worship write yield
    """
)
# Third-person forms that are plural nouns where they name a relation.
NOUN_LIKE = word_set(
    """
    acts attacks awards breaks calls changes charges dates deals designs displays falls fights floats forms gains
    grants interviews issues marks measures mines names orders plans processes ranks rates records releases
    reports reviews rides rules sails sales shares signs starts stops stores tastes tests tours values views votes
    wins works
    """
)
# Base forms that name a relation by themselves and are no nouns: `eat`, `own`.
PURE_VERBS = word_set(
    """
    accompany achieve acquire allow attend become belong buy celebrate compete contain create defend depict
    describe destroy develop direct discover eat emit employ enjoy enter establish follow forbid generate give
    govern grow hate include inhabit inherit invent invite involve join keep kill know learn maintain make
    manufacture marry meet occupy operate organise own perform permit prefer prevent produce protect provide
    publish receive represent require resist sell serve sing speak teach understand want wear worship write
    """
)
# Participles that are nouns elsewhere, before these prepositions: set in, run by.
SHORT_PARTICIPLES = word_set("set cut shot put bound led fed left split run cast read hit broadcast spread")
BEHIND_PARTICIPLES = word_set("in by on at with to for into from")
# Past forms that are active although they could be participles, where a time or a place follows.
INTRANSITIVE = word_set(
    """
    premiered lived worked died graduated studied competed starred appeared debuted retired moved resided
    participated merged belonged emigrated immigrated originated aired began ended opened closed finished raced
    ran fought trained taught started joined came went became rose fell occurred happened arrived departed landed
    returned resigned sailed played coached served reigned ruled survived lasted evolved migrated converted flowed
    grew settled performed toured won lost contributed collaborated cooperated defected
    """
)
# Participles of lasting states: `is` owned by, but `was` written by.
STATIVE = word_set(
    """
    located based situated found spoken used made known owned operated led managed run affiliated associated
    related connected linked composed covered suited intended licensed licenced served held surrounded inhabited
    bounded bordered governed headed headquartered maintained supported sponsored classified categorised
    categorized included listed derived considered called named enclosed crossed drained fed powered equipped
    fitted married engaged employed available published distributed broadcast protected recommended required
    dedicated interested designated represented regulated practised practiced worshipped caused transmitted
    treated diagnosed characterised twinned paired attached contained sold traded divided separated preceded
    followed indexed written encoded expressed innervated eaten played cooked accompanied threatened mined grown
    cultivated harvested sourced bred farmed brewed distilled reached installed prescribed taught cited housed
    stored kept displayed exhibited set allowed billed paid seasoned flavoured flavored topped stuffed coloured
    colored shaped
    """
)
# Objects of these are something that the subject does with them: "the city served by the airport".
BY_SUBJECT = word_set(
    """
    received served offered kept used held won played supported accepted treated taught covered represented owned
    worn spoken required provided recommended conceded scored contested
    """
)


# Participles by their form that stand in names of relations as nouns: home ground, low cost, box set.
_NOUNS_LIKE_PARTICIPLES = word_set(
    """
    ground cost cast set cut hit shot split spread wound saw bet bid fit rent felt lay bore beat run come become
    stand thought light let shed put quit hurt burst breed feed speed bed seed weed need red hundred sacred naked
    wicked read lead left broadcast led wed medal fed bound
    """
)

# Plurals by their ending: relations with, connections to.
_NOUN_IN_S = re.compile(
    r"(?:tion|sion|ment|ity|ness|ship|er|or|ist|ian|ance|ence|right|view|tie|link|age|ic|ry|gy|phy)s$|ies$"
)


def is_adverb(word: str) -> bool:
    """Whether the word only says how or when: `first`, `physically`."""
    low = word.lower()
    return low in ADVERBS or (low.endswith("ly") and low not in _NOT_ADVERBS)


def is_passive(word: str) -> bool:
    """Whether the word is a participle and, in a relation, hardly a noun."""
    low = word.lower()
    return low == "used" or (low not in _NOUNS_LIKE_PARTICIPLES and is_participle(low))


def is_third_person(word: str) -> bool:
    """Whether the word is a verb like `contains`; words that are mostly plural nouns are not."""
    low = word.lower()
    if low in NOUN_LIKE or word.isupper():
        return False
    return any((base in VERBS or _is_only_verb(base)) and third_person(base) == low for base in _bases(low))


def _is_only_verb(base: str) -> bool:
    """Whether the word is a verb of the lexicon and no noun: `resemble`."""
    return base == "go" or (is_verb(base) and base not in COUNT_NOUNS and not takes_article(base))


def is_verb_before(word: str, preposition: str) -> bool:
    """Whether a word in -s before a preposition is a verb (`meets on`), not a plural (`archives at`)."""
    low = word.lower()
    if preposition in ("by", "of") or not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return False
    base = base_form(low)
    return base in VERBS or (low[:-1] not in COUNT_NOUNS and base not in COUNT_NOUNS and not _NOUN_IN_S.search(low))


def is_past(word: str) -> bool:
    """Whether the word is the past tense of a known verb: `ended`, `won`."""
    low = word.lower()
    return any(base in VERBS and past(base) == low != base for base in _bases(low))


def _bases(low: str) -> tuple[str, ...]:
    """What the base form of a verb may be."""
    return base_form(low), low[:-1], low[:-2], low[:-3], f"{low[:-3]}y"
