"""What is said of the thing that a turn is about: `is in San Jose`, `costs $34 per ticket`, `has 4 rooms`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.data.phrases import SWITCHES_OF_ACTS
from controldag.data.schema import Slot
from controldag.data.value_kinds import kind_of
from controldag.plain.english import singular, with_article
from controldag.plain.lexicon import takes_article, word_set
from controldag.plain.noun_phrase import NounPhrase, parse
from controldag.plain.slots import flag_clause, holds_names, is_flag, said_value, worded
from controldag.plain.times import when
from controldag.plain.wishes import are_people, booked_point, counted_things

# Words for whatever a service is about.
_ANY_THING = word_set("place property accommodation establishment item option product")
_TRIPS = word_set("journey trip itinerary ride bus train flight ferry")
# What has a place of its own in a booking: pickup at the station.
_SITES = word_set("pickup pick-up dropoff drop-off return delivery collection")
_TRIPS_ALONE = [[trip] for trip in _TRIPS]
_TOWNS = word_set("city town area district neighbourhood neighborhood region country state")
_MEASURES = word_set(
    "rating score price cost fee fare rate deposit rent charge duration length time size weight height width capacity "
    "distance discount area age speed balance salary budget temperature amount total"
)
# What is counted of a request rather than of the thing.
_ASKED_FOR = word_set(
    "copies tickets seats days nights weeks hours sessions lessons meals bags places spots boxes items"
)
# Who offers a thing is not the thing: a price is not the airline's.
_MAKERS = [
    [each]
    for each in word_set("airline company provider operator brand manufacturer publisher employer agency carrier label")
]
# What trips and events do at their times; people arrive at other things.
_TRAVELS = {"leaving": "leaves", "departure": "departs", "arrival": "arrives"}
_BOOKABLE = word_set(
    "rooms seats tickets tables places spots beds copies portions servings bottles pitches courts lanes desks"
)
_HAPPENS = {
    "start": "starts", "starting": "starts", "end": "ends", "ending": "ends", "finish": "finishes", "begin": "begins"
}  # fmt: skip
_HAPPENINGS = word_set(
    "event course class lesson show tour session workshop meeting film movie match game concert exhibition festival "
    "performance screening journey trip program programme lecture seminar party race"
)
_SITE = re.compile(
    r"\b(?:street|road|avenue|lane|drive|boulevard|square|station|airport|terminal|building|floor|cent(?:er|re)|hall|mall|st|rd|ave)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[^\w\s]{0,2}\d[\d.,:/]*")
_AMOUNT = re.compile(r"[^\w\s]{0,2}\s?[-+]?\d|(?:about|around|under|over|up to) \W?\d")
_FROM = re.compile(
    r"(?:origin|departure|from|starting|start|leaving|source)\b|.*\b(?:leav|depart|start|com|travel|fly)ing from$"
)
_TO = re.compile(r"(?:destination|arrival|to|ending|end)\b|.*\b(?:going|travell?ing|heading|flying|driving) to$")


@dataclass(frozen=True, slots=True)
class Detail:
    """Part of a booking: `in Paris`, `on 3 March`. kind: place, from, to, site, day, clock, party, span or amount.

    event: what a day or a time is chosen for (`appointment`), or what goes from one place to another; "" if unknown.
    """

    kind: str
    said: str
    event: str = ""


def predicate(slot: Slot, values: tuple[str, ...], topic: str) -> str | None:
    """What the slot says of the topic, behind `it`; None where that is not sure, or reads no better."""
    if is_flag(slot, values):
        found = re.match(
            rf"(?:it|the (?:{re.escape(topic)}|{'|'.join(_ANY_THING)})) ((?!not true).+)$", flag_clause(slot, values)
        )
        return found[1] if found and len(values) == 1 and values[0] in ("True", "False") else None
    if len(values) != 1 or values[0] in SWITCHES_OF_ACTS:
        return None
    wording, value = worded(slot), said_value(slot, values[0])
    if wording.happening:
        subject, _, verb = wording.happening.partition(f"the {topic} ")
        point = when(values[0])
        return f"{verb} {point}" if not subject and verb and point else None
    phrase = parse(wording.subject)
    if phrase is None:
        return None
    place = _place(slot, phrase, value, topic)
    if place is not None:
        return f"is {place}"
    if wording.around is not None:
        return None
    things = counted_things(phrase)
    if things is not None:
        mine = not things[1] or _is_owned(things[1], topic)
        fits = (
            mine
            and things[0].split()[-1] not in _ASKED_FOR
            and _NUMBER.fullmatch(values[0])
            and not are_people(things[0])
        )
        return f"has {value} {_agreeing(things[0], value)}" if fits else None
    if phrase.core == "category" and re.fullmatch(
        rf"(?:to which|of) (?:the|an?) {re.escape(topic)}(?: belongs)?", phrase.tail
    ):
        return f"belongs to the category {value}"
    if phrase.plural or phrase.determiner != "the" or not _is_owned(phrase.tail, topic):
        return None
    return _measured(phrase, values[0], value, topic.lower().split()[-1:])


def _agreeing(things: str, number: str) -> str:
    return singular(things) if number == "1" else things


def _measured(phrase: NounPhrase, raw: str, value: str, topic: list[str]) -> str | None:
    happens = phrase.core.lower().split()
    if len(happens) == 2 and happens[1] in ("time", "date", "day") and when(raw):
        trip = topic in _TRIPS_ALONE
        verb = _TRAVELS.get(happens[0]) if trip else None
        if verb is None and (trip or topic in [[each] for each in _HAPPENINGS]):
            verb = _HAPPENS.get(happens[0])
        return f"{verb} {when(raw)}" if verb else None
    if phrase.core in ("date", "day") and when(raw) and phrase.tail:
        return f"is {when(raw)}" if (when(raw) or "").startswith("on ") else None
    per = re.match(r"per [\w-]+(?: [\w-]+)??(?= (?:of|for|in) |$)", phrase.tail)
    each = f" {per[0]}" if per else ""
    is_measure = phrase.head in _MEASURES or (phrase.head == "time" and len(happens) > 1)
    if not _AMOUNT.match(raw) or not is_measure or happens[0].endswith("est"):
        return None
    if phrase.core.lower() in ("price", "cost", "fare") and kind_of(raw) != "name":
        return f"costs {value}{each}"
    return f"has {with_article(phrase.core) if takes_article(phrase.head) else phrase.core} of {value}{each}"


def _is_owned(tail: str, topic: str) -> bool:
    """Whether a phrase with this tail belongs to the topic: no tail, or `of the topic`."""
    tail = re.sub(r"^(?:per [\w-]+|of occurrence) ?", "", tail)
    owner = re.fullmatch(r"(?:of|for|in|on|at) (?:the|a|an) ([\w -]+)", tail)
    if not tail:
        return topic.lower().split()[-1:] not in _MAKERS
    if owner is None:
        return False
    noun = owner[1].lower()
    return (
        noun == topic.lower() or noun in _ANY_THING or (noun in _TRIPS and topic.lower().split()[-1:] in _TRIPS_ALONE)
    )


def _place(slot: Slot, phrase: NounPhrase, value: str, topic: str) -> str | None:
    """`in San Jose`, `at 9 Foundry Way`."""
    around = worded(slot).around
    if around is not None:
        located = re.fullmatch(r"the ([\w -]+) is (?:located |situated )?(in|at|on)", around[0])
        return (
            f"{located[2]} {value}" if located and not around[1] and _is_owned(f"of the {located[1]}", topic) else None
        )
    if not _is_owned(phrase.tail, topic):
        return None
    core = phrase.core.lower().split()
    if len(core) < 3 and core[-1] == "address" and core[0] in ("address", "street", "postal", "full", topic.lower()):
        return f"at {value}"
    if core in [[town] for town in _TOWNS] and kind_of(value) == "name":
        return f"in {value}"
    if (holds_names(slot) and core[-1] in ("location", "venue") and core != ["location"]) or core == ["venue"]:
        return f"at {value}"
    if core == ["location"] and phrase.tail and kind_of(value) == "name":
        return f"{'at' if _SITE.search(value) else 'in'} {value}"
    return None


def place_of(slot: Slot, values: tuple[str, ...], topic: str) -> str | None:
    """Where the topic is, as it follows its name; None where the slot does not say that."""
    said = predicate(slot, values, topic) if not is_flag(slot, values) else None
    return said[3:] if said is not None and re.match(r"is (?:in|at|on) ", said) else None


def detail(slot: Slot, values: tuple[str, ...], topic: str) -> Detail | None:
    """The slot as part of a booking; None where it is none."""
    if len(values) != 1 or is_flag(slot, values) or values[0] in SWITCHES_OF_ACTS:
        return None
    wording, value = worded(slot), said_value(slot, values[0])
    phrase = parse(wording.subject)
    located = re.fullmatch(r"the ([\w -]+) is (?:located |situated )?in", wording.around[0]) if wording.around else None
    place = place_of(slot, values, topic or (located[1] if located else ""))
    point = when(values[0])
    booked = booked_point(phrase) if phrase is not None else None
    if phrase is not None and booked is not None and point is not None:
        is_day = phrase.head in ("date", "day") or "date" in phrase.core.split()
        return Detail("day" if is_day else "clock", point, booked[1])
    if place is not None or phrase is None:
        return Detail("place", place) if place is not None else None
    things = counted_things(phrase)
    if things is not None and _NUMBER.fullmatch(values[0]):
        # 2 travelers, whatever else is said of them.
        counted = f"{value} {_agreeing(things[0], value)}"
        comes_along = re.match("$|to |who |that |you |for |at |in the (?:group|party|booking)", things[1])
        if are_people(things[0]) and comes_along:
            return Detail("party", counted, things[0])
        if things[0] in ("days", "nights", "weeks", "hours"):
            return Detail("span", f"for {counted}")
        booked_with_it = re.match("to |for |in the (?:reservation|booking)|that are (?:wanted|needed)|$", things[1])
        return Detail("amount", counted) if booked_with_it and things[0].split()[-1] in _BOOKABLE else None
    if (
        phrase.core in ("length", "duration")
        and phrase.tail in ("of stay", "of the stay", "of the visit")
        and wording.unit
    ):
        return Detail("span", f"for {value}")
    words = phrase.full.removeprefix("the ").lower()
    if phrase.head in (*_TOWNS, "destination", "origin", "station", "airport", "location"):
        if _FROM.match(words):
            return Detail("from", f"from {value}", _trip(phrase.tail))
        if _TO.match(words):
            return Detail("to", f"to {value}", _trip(phrase.tail))
        if len(words.split()) == 2 and words.split()[0] in _SITES:
            return Detail("site", f"{'in' if phrase.head in _TOWNS else 'at'} {value}", words.split()[0])
    return None


def is_trip(noun: str) -> bool:
    """Whether the noun is of a journey or of what one travels by: `night train`."""
    return noun.lower().split()[-1:] in _TRIPS_ALONE


def _trip(tail: str) -> str:
    """What goes from one place to another: `taxi ride`; "" where the tail does not tell."""
    noun = rf"((?:\w+ )?(?:{'|'.join(_TRIPS)}))\b"
    found = re.match(rf"(?:for|of|where|(?:in|to|from|at) which|that) (?:the|a|an) {noun}", tail)
    moved = re.search(r"\bthe (\w+) is (?:sent|shipped|going|travell?ing|delivered|coming|posted)\b", tail)
    return found[1] if found else moved[1] if moved else ""
