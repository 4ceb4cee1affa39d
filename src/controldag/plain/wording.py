"""How a slot is spoken of: a noun phrase or a clause, made from its description where that is better than its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from controldag.plain.english import is_plural, plural, words_of
from controldag.plain.irregular import UNCOUNTABLE
from controldag.plain.lexicon import is_person, takes_article, word_set
from controldag.plain.noun_phrase import NounPhrase, parse
from controldag.plain.relative import related
from controldag.plain.units import CURRENCIES, says_unit, unit_of_name
from controldag.plain.wishes import are_people, wish


@dataclass(frozen=True, slots=True)
class Wording:
    """What the sentences about a slot are made of.

    subject: a noun phrase, `the estimated cost of the whole repair`. plural: whether its verb is plural.
    several: the same for several values; "" where the subject does for them too.
    thing: what a value of the slot is the name of (`workshop`); "" where it names nothing.
    unit: said behind a bare number. happening: a clause that takes a point of time at its end, `you bring the car in`.
    around: a clause with the value inside, `the workshop charges` ... `for one hour of labour`.
    question: the question for the slot where it is not `What is` and the subject.
    """

    subject: str
    plural: bool = False
    several: str = ""
    thing: str = ""
    unit: str = ""
    happening: str = ""
    around: tuple[str, str] | None = None
    question: str = ""
    free_text: bool = False


# Single nouns that say little without what they belong to: `time` of what?
VAGUE = word_set(
    "time date day name title type kind category class style price cost fee amount total number count quantity value "
    "address location place city area level grade size length duration distance weight height width rate rating score "
    "group status state code id ID key note text description detail details info information period start end begin "
    "from to where when who what subject item thing option choice result reason method mode format phone contact email "
    "year month week hour percentage ratio speed version range limit minimum maximum quality position order"
)
_FREE_TEXT = word_set(
    "note notes message messages comment comments instruction instructions remark remarks text wording inscription "
    "reason complaint feedback greeting dedication engraving caption motto"
)
_NUMBER = re.compile(r"\b(?:number|count|amount|total|sum) of\b")
NAMED = re.compile(
    r"^(?:the )?(?:(?:full|common|first|business|popular|official|listed|advertised|brand|exact) )?(?:name|title)s? "
    r"(?:of|for) (.+)$"
)
UNIT = re.compile(
    r",? (?:in|as|given in|measured in|expressed in) (?:an? |the )?(?:number of |units? of )?"
    r"((?:(?:square|cubic|whole|full|us|degrees?|british|american|canadian|swiss) )?"
    r"(?:kilogram|kilo|gram|pound|ounce|ton|tonne|litre|liter|millilitre|milliliter|gallon|metre|meter|kilometre|"
    r"kilometer|"
    r"centimetre|centimeter|millimetre|inche?|feet|foot|yard|mile|second|minute|hour|day|night|week|month|year|dollar|"
    r"euro|cent|franc|yen|rupee|degree|celsius|fahrenheit|percent|percentage|per cent|star|point|page|calorie|"
    r"pixel|dot|bar|hertz|hz|amp|lux|decibel|psi|kilocalorie|watt|kilowatt|volt|kilowatt hour"
    r"|kilowatt-hour|gigabyte|megabyte|mph|km/h|kmh|kg|km|cm|mm"
    r"|ml|mg|kcal|kwh|kw|ft|lb|gb|mb"
    r"|hr|min|sec|megabit|gigabit|mbps"
    r")s?(?: (?:per|an?) [a-z]+)?)( (?:of|for) .*)?$",
    re.IGNORECASE,
)
_UNIT_WORDS = {
    "celsius": "degrees Celsius", "fahrenheit": "degrees Fahrenheit", "percentage": "percent", "per cent": "percent",
    "degrees celsius": "degrees Celsius", "degrees fahrenheit": "degrees Fahrenheit", "mph": "miles per hour",
    "km/h": "kilometres per hour", "kmh": "kilometres per hour", "inche": "inches",
}  # fmt: skip
# Short forms that stand for something else as often: `min` for minimum.
_UNSURE_UNITS = frozenset(("min", "mins", "sec", "secs", "hr", "hrs"))
_SPANNING = "period|time|duration|length|delay|age|wait|stay|warranty|term|notice|trial|validity"
# Things one chooses between.
_CHOSEN = word_set(
    "room branch plan course menu package flavour flavor treatment service product venue hotel restaurant studio "
    "theatre theater film movie book song seat table window slot language cuisine dish instrument workshop centre "
    "center "
    "shop store laboratory lab hospital pharmacy "
    "clinic airline station route kennel salon gym school museum garage campsite cottage boat vessel design "
    "resort choir band club team farm "
    "city town event apartment attraction accommodation "
    "pattern colour color theme topping filling cake activity sport game lesson session tour trail variant option"
)
# Plural nouns that are counted: their slots hold numbers.
_COUNTED = word_set(
    "seats servings guests passengers people persons tickets nights hours minutes weeks months years adults children "
    "kids infants travellers travelers riders bags copies berths beds baths bedrooms bathrooms players participants "
    "members attendees spaces panels portions pages points stars steps kilometres kilometers miles litres liters grams "
    "kilograms pounds metres meters gallons bicycles bikes dogs cats pets cars vehicles boxes"
)
_POINTS = frozenset(("arrival", "departure", "deadline", "birthday", "expiry", "start", "end"))
_LASTING = r"(?:until|between|before|after|for|of|per|needed|required|left)\b"


def of_phrase(phrase: NounPhrase, name: str) -> Wording:
    text, unit = _unit_of(phrase.full, name)
    if unit == phrase.core and " in " not in phrase.full:
        # `minutes until the device is switched off`: the unit is what is counted.
        phrase, unit = parse(f"number of {phrase.core} {phrase.tail}") or phrase, ""
        text = phrase.full
    if unit and not phrase.tail:
        phrase = parse(text) or phrase
    named = NAMED.match(text)
    inner: NounPhrase | None = None
    thing, subject, is_many = "", text, phrase.plural
    asked = "when" if phrase.head in _POINTS and phrase.core == phrase.head else "what"
    question = f"{asked} {'are' if is_many else 'is'} {text}"
    if named is not None:
        inner = parse(named.group(1))
        if inner is not None and inner.determiner in ("the", "a", "an") and not is_plural(inner.core):
            subject = inner.full
            thing = inner.core if not inner.tail else ""
    elif phrase.head in ("name", "title") and not phrase.tail and _is_name_of_thing(phrase):
        thing = " ".join(phrase.core.split()[:-1])
        subject = f"{phrase.determiner} {thing}" if takes_article(thing.split()[-1]) else text
        thing = thing if subject != text else ""
        question = f"what is the {phrase.head} of {subject}" if thing else question
    elif not phrase.tail and takes_article(phrase.head) and (phrase.head not in VAGUE or _is_name_of(name, phrase)):
        thing = phrase.core
    if subject.endswith((" is", " are", " was")):
        subject = phrase.short if thing or named is None or inner is None else inner.short
    counted = phrase.head in _COUNTED or (phrase.head == "days" and re.match(_LASTING, phrase.tail))
    counted = counted or (phrase.plural and " per " in phrase.tail and phrase.head not in ("charges", "fees", "costs"))
    if phrase.head == "hours" and phrase.core != "hours":
        # Opening hours are times, not a number.
        counted = False
    if counted and phrase.determiner == "the" and not unit and not _NUMBER.search(text):
        counted_things = text.removeprefix("the ")
        question = _how_many_left(phrase) or f"what is the number of {counted_things}"
        if not phrase.tail and are_people(phrase.core):
            question = f"how many {counted_things} will there be"
        return Wording(subject, is_many, question=question)
    link = related(phrase)
    question = (
        wish(phrase, unit) or _how_many_left(phrase) or link.question or _personal_question(phrase, thing) or question
    )
    free_text = phrase.head in _FREE_TEXT
    several = _several(parse(subject) or phrase)
    return Wording(subject, is_many, several, thing, unit, link.happening, link.around, question, free_text)


def _is_name_of(name: str, phrase: NounPhrase) -> bool:
    """Whether the slot's name says that it holds names of such things: `class_name`."""
    return words_of(name) in ((phrase.head, "name"), (phrase.head, "title"))


def _is_name_of_thing(phrase: NounPhrase) -> bool:
    """Whether `hotel name` stands for the hotel; a family name stands for no family."""
    words = phrase.core.lower().split()
    return len(words) > 1 and words[-2] not in (
        *("family", "user", "first", "last", "middle", "given", "birth", "maiden", "login", "nick", "account", "job"),
        *("file", "display", "screen", "host", "code", "common", "full", "business", "brand", "working"),
    )


def _personal_question(phrase: NounPhrase, thing: str) -> str:
    """`who is the engineer on duty`, `which plan would you like`; "" where one asks what it is."""
    if is_person(phrase.head) and not (thing and phrase.determiner == "the" and not phrase.tail):
        return f"who {'are' if phrase.plural else 'is'} {phrase.full}"
    if phrase.tail in ("wanted", "desired", "requested", "needed") and not is_person(phrase.head):
        return f"which {phrase.core} would you like"
    if thing and phrase.head in ("name", "title") and thing.split()[-1] in _CHOSEN:
        return f"which {thing} would you like"
    if phrase.core == "location" and phrase.tail.removeprefix("of the ") in _CHOSEN:
        return f"where should {phrase.tail.removeprefix('of ')} be"
    chosen = phrase.head in _CHOSEN or is_person(phrase.head)
    core = re.sub(r"^(?:preferred|desired|chosen|selected|requested) ", "", phrase.core)
    return f"which {core} would you like" if chosen and phrase.determiner == "the" and not phrase.tail else ""


def _how_many_left(phrase: NounPhrase) -> str:
    """`how many bikes are available` for `the bikes available`; "" for other phrases."""
    left = re.match(r"(?:available|left|remaining|free)\b", phrase.tail) is not None
    return f"how many {phrase.core} are {phrase.tail}" if left and phrase.plural else ""


def _several(phrase: NounPhrase) -> str:
    """The phrase for several values: `the workshops`; "" where it is a plural already, or has none: `equipment`."""
    if phrase.plural or phrase.head in UNCOUNTABLE:
        return ""
    determiner = "" if phrase.determiner in ("a", "an") else phrase.determiner
    return replace(phrase, determiner=determiner, core=plural(phrase.core)).full


def _unit_of(text: str, name: str) -> tuple[str, str]:
    """The phrase without its unit, and the unit as it is said behind a number."""
    match = UNIT.search(text)
    if match is not None:
        unit = re.sub(r"^(?:whole|full) ", "", match[1], flags=re.IGNORECASE)
        unit, rest = _UNIT_WORDS.get(unit.lower(), unit), match[2] or ""
        # A percentage of something belongs together; what follows other units belongs to the thing measured.
        return (text[: match.start()], unit + rest) if unit == "percent" else (text[: match.start()] + rest, unit)
    share = re.match(r"^(the|your) percentage (?!of\b)(.+)$", text) or re.match(r"^(the|your) (.+) percentage$", text)
    if share is not None:
        return f"{share[1]} {share[2]}", "percent"
    spanned = re.match(rf"^(.*\b(?:{_SPANNING})) (days|hours|minutes|seconds|weeks|months|years|nights)$", text)
    if spanned is not None:
        return spanned[1], spanned[2]
    if re.search(r"\btemperature [cf]$", text):
        return text[:-2], "degrees Celsius" if text.endswith("c") else "degrees Fahrenheit"
    words = words_of(name)
    named_unit, short = unit_of_name(words), words[-1].lower() if words else ""
    unsure = short in _UNSURE_UNITS and not re.search(r"time|duration|length|minute|hour|second|delay|wait|long", text)
    each = r"number of" if short in CURRENCIES else r"\bper\b|\beach\b|number of|percent"
    bare = text.removesuffix(f" {short}").removesuffix(" in")
    if named_unit and not unsure and not re.search(each, text) and not says_unit(bare, named_unit):
        return bare, named_unit
    return text, ""
