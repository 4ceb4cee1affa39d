"""What kind of thing an object of a triple is, and how it stands in a sentence: times, numbers, names, nouns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from controldag.plain.english import is_plural, with_article
from controldag.plain.facts_nouns import COUNT_NOUNS, FOODS, MASS_NOUNS
from controldag.plain.facts_the import takes_the

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:[0-2]?[0-9]|3[01])(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ?)"
_YEAR = r"(?:c\.? ?|circa )?[0-9]{3,4}(?: ?(?:ad|bc|bce|ce))?"
# Later years are told without a past tense, which is right whenever this is read.
_LAST_YEAR = 2026
_FULL_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_TIMES = (
    ("in", re.compile(_YEAR)),
    ("on", re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]")),
    ("on", re.compile(rf"{_WEEKDAY}?{_DAY},?(?: of)? {_MONTH}(?:,? [0-9]{{4}})?")),
    ("on", re.compile(rf"{_WEEKDAY}?{_MONTH} {_DAY}(?:,? [0-9]{{4}})?")),
    ("on", re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")),
    ("on", re.compile(r"[0-3]?[0-9][./][0-3]?[0-9][./][0-9]{2,4}")),
    ("in", re.compile(rf"(?:(?:early|mid|late)[- ])?{_MONTH}(?: (?:of )?[0-9]{{4}})?")),
    ("in", re.compile(r"(?:spring|summer|autumn|fall|winter)(?: (?:of )?[0-9]{4})?")),
    ("in the", re.compile(r"(?:(?:early|mid|late)[- ])?[0-9]{3,4}'?s")),
    ("in the", re.compile(r"(?:(?:early|mid|late)[- ])?[0-9]{1,2}(?:st|nd|rd|th) century(?: (?:ad|bc|bce|ce))?")),
    ("at", re.compile(r"[0-2]?[0-9]:[0-5][0-9](?: ?[ap]\.?m\.?)?|[01]?[0-9] ?[ap]\.?m\.?|noon|midnight")),
)
_NUMBER = r"[-−+~≈<>≤≥]?(?:[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+)"
_CURRENCY = r"(?:US|A|C|NZ|HK)?[£$€¥₹]"
_UNIT = (
    r"(?:[%°‰]|percent|per\b|°?[cf]\b|k?m\b|[mc]m\b|[µun]m\b|kilomet|met(?:re|er)|centimet|millimet|inch|in\b|ft\b|feet|"
    r"foot|yards?\b|miles?\b|mi\b|mph|km/h|kph|knots?|k?g\b|m?g\b|kilo|grams?\b|gramm|tons?\b|tonnes?\b|t\b|lbs?\b|"
    r"pounds?\b|ounces?\b|oz\b|k?m²|k?m2|k?m³|sq|square|hectares?|ha\b|acres?|[kmgt]i?b\b|bytes?|bits?|"
    r"[kmg]?hz|[kmg]?w\b|watts?|[km]?wh\b|[km]?v\b|volts?|[km]?ah\b|amps?|hp\b|bhp|horsepower|rpm|bpm|mpg|fps|dpi|ppi|"
    r"nm\b|cc\b|[mc]?l\b|lit(?:re|er)|gallons?|pints?|k?cal\b|calories|k?j\b|joules?|[mk]?pa\b|bars?\b|psi|k\b|kelvin|"
    r"degrees?|hours?|hrs?\b|h\b|minutes?|mins?\b|seconds?|secs?\b|s\b|days?|weeks?|months?|years?|nits|lumens?|megapixels?|mp\b|"
    r"pixels?|million|billion|trillion|thousand|dollars?|euros?|usd|eur|gbp|yen|people|inhabitants|points?|stars?|"
    r"out of|\(|/|x\b|×)"
)
_PURE_NUMBER = re.compile(_NUMBER)
_MEASURE = re.compile(
    rf"(?:about |around |approx(?:imately|\.)? |up to |over |under |more than |less than |at least |at most )?"
    rf"(?:{_CURRENCY} ?{_NUMBER}.*|{_NUMBER}(?: ?(?:[-–—]|to) ?{_CURRENCY}?{_NUMBER})? ?{_CURRENCY}"
    rf"|{_NUMBER}(?: ?(?:[-–—]|to) ?{_NUMBER})?[ -]?{_UNIT}[^,;]{{0,40}}"
    r"|[0-9]{1,2}:[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?)",
    re.IGNORECASE,
)
_ROAD = re.compile(r"\b(?:Street|Road|Avenue|Boulevard|Lane|Highway|Route [0-9]+)$")
_WRAPPING = "\"'“”‘’ "


class Kind(Enum):
    """What an object is to the rules."""

    NUMBER = "number"
    MEASURE = "measure"
    TIME = "time"
    YES = "yes"
    NO = "no"
    TEXT = "text"


_SWITCHES = {"yes": Kind.YES, "true": Kind.YES, "no": Kind.NO, "false": Kind.NO}


@dataclass(frozen=True, slots=True)
class Value:
    """One object, or several of one relation, as they stand in the text.

    kind: of all of them. `preposition`: what stands before a time, else empty.
    """

    items: tuple[str, ...]
    kind: Kind
    preposition: str = ""

    @property
    def text(self) -> str:
        """The objects as written."""
        return listed(self.items)

    @property
    def bare(self) -> str:
        """The first object in lower case without quotation marks: what rules look at."""
        return self.items[0].strip(_WRAPPING).lower()

    @property
    def single(self) -> bool:
        return len(self.items) == 1

    @property
    def is_year(self) -> bool:
        """Whether this is a number that reads as a year."""
        return re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", self.bare) is not None

    @property
    def has_year(self) -> bool:
        """Whether a time names its year, so that it happened once."""
        return self.kind is Kind.TIME and (self.preposition == "in the" or bool(_FULL_YEAR.search(self.bare)))

    @property
    def is_to_come(self) -> bool:
        """Whether a time is too late to be told in the past."""
        return any(int(year) > _LAST_YEAR for year in _FULL_YEAR.findall(self.bare))

    @property
    def named(self) -> str:
        """The objects, with `the` before names that take it."""
        return listed([f"the {item}" if takes_the(item) else item for item in self.items])

    @property
    def with_articles(self) -> str:
        """The objects, with `a` or `an` before nouns that can be counted, `the` before names that take it."""
        return listed([article_if_counted(item) for item in self.items])

    @property
    def where(self) -> str:
        """A place behind its preposition: `in Norwich`, `on Main Street`, `at 12 Main Street`."""
        if any(re.match(r"[0-9]+\w? [A-Z]", item) for item in self.items):
            return f"at {self.named}"
        if all(map(is_counted_noun, self.items)):
            return f"in {listed([f'the {item}' for item in self.items])}"
        return f"{'on' if any(map(_ROAD.search, self.items)) else 'in'} {self.named}"

    @property
    def when(self) -> str:
        """A time behind its preposition: `in 1926`."""
        return f"{self.preposition} {self.text}"


def value_of(text: str) -> Value:
    """What one object is. A year counts as a number here: only relations about times read it as one (`as_time`)."""
    bare = text.strip(_WRAPPING).lower()
    if bare in _SWITCHES:
        return Value((text,), _SWITCHES[bare])
    if _PURE_NUMBER.fullmatch(bare):
        return Value((text,), Kind.NUMBER)
    for preposition, pattern in _TIMES:
        if pattern.fullmatch(bare):
            return Value((text,), Kind.TIME, preposition)
    return Value((text,), Kind.MEASURE if _MEASURE.fullmatch(bare) else Kind.TEXT)


def as_time(value: Value) -> Value:
    """The value read as a time where it can be one: `1926` becomes a year."""
    if value.single and value.kind is Kind.NUMBER and re.fullmatch(_YEAR, value.bare):
        return Value(value.items, Kind.TIME, "in")
    return value


def listed(items: list[str] | tuple[str, ...]) -> str:
    """`A`, `A and B`, `A, B and C`; with `and` alone where an item holds a comma."""
    if len(items) < 3 or any(", " in item for item in items):
        return " and ".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def is_common(text: str) -> bool:
    """Whether the text is written like a common noun: no capital, no digit at its beginning."""
    return text[:1].islower() and text == text.lower()


def head_of(text: str) -> str:
    """The head noun of a phrase in lower case: the last word before a preposition, a comma or a bracket."""
    front = re.split(
        r"[,(;:/]| (?:of|in|on|at|for|from|with|by|to|that|who|which|about|and|or|without) ", text.lower()
    )[0]
    words = re.findall(r"[^\W\d_][\w'-]*", front)
    return words[-1].split("-")[-1] if words else ""


def is_counted_noun(text: str) -> bool:
    """Whether the text is a common noun in the singular that can be counted, as far as the word list knows."""
    return is_common(text) and head_of(text) in COUNT_NOUNS and not text.startswith(("a ", "an ", "the ", "its "))


def article_if_counted(text: str) -> str:
    """`a USB-C cable`, `the United States`, `rice`: the text behind the article it needs, if one is sure."""
    if takes_the(text):
        return f"the {text}"
    head = head_of(text)
    # A capital at the beginning or in an acronym does not make a phrase with a common head a name: "USB-C cable".
    if (
        head in COUNT_NOUNS
        and head not in FOODS
        and _reads_as_common(text)
        and not text.lower().startswith(("a ", "an ", "the ", "its "))
    ):
        return with_article(text)
    return text


def _reads_as_common(text: str) -> bool:
    last = re.findall(r"[^\W\d_][\w'-]*", re.split(r"[,(;:/]", text)[0])
    return bool(last) and last[-1].islower() and "," not in text and not is_plural(text)


def as_member(text: str) -> str:
    """`a biscuit`, `an astronaut`, `software`: what stands behind `is` where the text names a class or a job."""
    head = head_of(text)
    if text.lower().startswith(("a ", "an ", "the ", "one ", "some ")) or is_plural(text) or head in MASS_NOUNS:
        return text
    return with_article(text)
