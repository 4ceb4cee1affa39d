"""A booking as one phrase: `2 rooms at Bei Hotel in San Francisco, check-in on 3 March, for 2 days`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from controldag.data.records import Act
from controldag.plain.english import joined, with_article
from controldag.plain.lexicon import is_person, word_set
from controldag.plain.topic import Detail, is_trip

# Places that one books something at; other things are booked themselves.
_VENUES = word_set(
    "restaurant hotel place salon clinic theater theatre cinema venue dentist garage workshop centre center studio spa "
    "accommodation gym museum shop store cafe bar kennel hospital"
)
# What can stand at the head of the phrase: `an appointment on 3 March`.
_EVENTS = [
    [word]
    for word in (
        *(
            "appointment",
            "reservation",
            "booking",
            "visit",
            "lesson",
            "class",
            "tour",
            "delivery",
            "meeting",
            "session",
        ),
        *("treatment", "viewing", "consultation", "interview", "inspection", "journey", "trip", "ride", "flight"),
        *("transfer", "haircut", "massage", "test", "exam", "event", "show", "screening", "performance"),
    )
]

_COUNTED = {"ticket": "for", "portion": "of", "serving": "of", "copy": "of", "bottle": "of", "copie": "of", "box": "of"}
_SEEN = word_set(
    "apartment house flat property attraction site farm zoo gallery castle park winery brewery factory school nursery "
    "exhibition villa cottage office"
)
_OF_IT = {"delivery": "of", "show": "of", "screening": "of", "performance": "of"}
_BEHIND = {"visit": "to", "viewing": "of", "tour": "of", "inspection": "of"}
# Persons whom an appointment is for; one has it with all others.
_RECEIVING = word_set(
    "donor patient customer client guest passenger student pupil member owner user child parent participant attendee "
    "visitor applicant candidate traveller traveler rider buyer tenant subscriber holder spouse partner husband wife "
    "mother father daughter son resident recipient person learner beneficiary"
)
_POINTS = ("site", "day", "clock")
_DOING = {
    "start": "starting", "end": "ending", "departure": "departing", "arrival": "arriving", "return": "returning",
    "checkin": "check-in", "checkout": "check-out", "dropoff": "drop-off", "travel": "travelling",
}  # fmt: skip


def is_venue(noun: str) -> bool:
    """Whether one books something at such a place, so that its name alone tells what is meant."""
    return bool(noun) and noun.split()[-1] in _VENUES


def booking(
    name: str,
    topic: str,
    main: Act | None,
    acts: Sequence[Act],
    details: Mapping[Act, Detail | None],
    *,
    least: int = 2,
) -> tuple[str, Sequence[Act]]:
    """The phrase, and the acts that are no part of it; "" where it would hold fewer than `least`."""
    found = {act: each for act, each in details.items() if each is not None and not _is_double(each, details.values())}
    events = list(dict.fromkeys(each.event for each in found.values() if each.kind in _POINTS))
    short = {event: other for event in events for other in events if event != other and event.endswith(f" {other}")}
    found = {act: replace(each, event=short.get(each.event, each.event)) for act, each in found.items()}
    events = [event for event in events if event not in short]
    head, said_event = _head(name, topic, found, events)
    named = next((event for event in events if event.split()[-1:] in _EVENTS), "")
    if not head and named:
        head, said_event = with_article(named), named
    in_head = main is not None and bool(name) and name in head
    moves = [each for each in found.values() if each.kind in ("from", "to")]
    goes = next((each.event for each in moves if each.event), topic if is_trip(topic) and not name else "")
    if len(found) + in_head < least or not (head or goes or (len(found) > 1 and not moves)):
        return "", acts
    head = head or (with_article(goes) if goes else "")
    kinds = ("from", "to", "place")
    opening = " ".join([head, *(each.said for kind in kinds for each in found.values() if each.kind == kind)]).strip()
    pieces = [opening] if opening else []
    for event in events:
        points = [each.said for kind in _POINTS for each in found.values() if (each.kind, each.event) == (kind, event)]
        if event in ("", said_event) and pieces and len(pieces) == 1:
            pieces[0] += f" {' '.join(points)}"
        else:
            pieces.append(" ".join([_DOING.get(event, event), *points]).strip())
    party = joined([each.said for each in found.values() if each.kind == "party"])
    last = [*([f"for {party}"] if party else []), *(each.said for each in found.values() if each.kind == "span")]
    if last and pieces and len(events) < 2:
        pieces[-1] += f" {' '.join(last)}"
    else:
        pieces += last
    rest = [act for act in acts if act not in found and not (in_head and act is main)]
    return ", ".join(pieces), rest


def _is_double(detail: Detail, details: Iterable[Detail | None]) -> bool:
    """Whether another part of the booking says the same of the same event: which time is which?"""
    return sum(each is not None and (each.kind, each.event) == (detail.kind, detail.event) for each in details) > 1


def _head(name: str, topic: str, found: Mapping[Act, Detail], events: Sequence[str]) -> tuple[str, str]:
    """What the phrase begins with, and the event whose days and times follow it without a word of their own."""
    amounts = " and ".join(each.said for each in found.values() if each.kind == "amount")
    event = events[0] if len(events) == 1 and events[0].split()[-1:] in _EVENTS else ""
    noun = topic.split()[-1] if topic else ""
    if name and noun in events:
        # The event Bill Callahan on Friday: what has the name is itself the event.
        return (f"{amounts} for {name}" if amounts else name), noun
    if not name:
        return (amounts, event) if amounts else (with_article(event) if event else "", event)
    if is_person(noun):
        link = "for" if noun in _RECEIVING else "with"
        return (f"{with_article(event)} {link} {name}", event) if event and not amounts else ("", "")
    if event in _BEHIND and noun not in _VENUES and noun not in _SEEN:
        # A visit on Thursday, for a document.
        return (f"{amounts} for {with_article(event)}" if amounts else with_article(event)), event
    where = _BEHIND.get(event) or ("at" if noun in _VENUES else _OF_IT.get(event, "for"))
    if amounts:
        counted = amounts.split()[-1].removesuffix("s")
        return f"{amounts} {_COUNTED.get(counted, where)} {name}", event
    return (f"{with_article(event)} {where} {name}" if event else name), event
