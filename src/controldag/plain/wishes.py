"""Questions for what a person chooses, asked as wishes: `which date would you like for the appointment`."""

from __future__ import annotations

import re

from controldag.plain.english import is_plural, singular
from controldag.plain.lexicon import is_person, is_verb, takes_article, word_set
from controldag.plain.noun_phrase import NounPhrase

_POINTS = word_set("date time day slot month")
# What a person makes a date for, as the noun behind `of` or in front of `date`.
BOOKED = word_set(
    "appointment reservation booking visit lesson class tour pickup pick-up drop-off dropoff delivery collection "
    "check-in check-out checkin checkout departure return leaving travel trip journey flight ride meeting session "
    "treatment transfer table rental stay viewing consultation interview inspection repair service pick drop arrival "
    "call rehearsal fitting haircut massage cleaning viewing party performance show screening showing event hire test "
    "exam course move"
)
"""What a person arranges to have or to do."""
# What makes a date a fact that nobody chooses any more.
_SETTLED = word_set(
    "birth born death expiry expiration issue issued purchase purchased last latest previous first very current recent "
    "manufacture release released due original old graduation next earliest publication opening closing opens closes "
    "estimated expected scheduled actual average maximum minimum ready"
)
_PREFERRED = word_set("tentative preferred desired requested wanted main favourite favorite chosen selected proposed")
# Kinds that are chosen, whatever they are the kind of.
_CHOSEN_KINDS = word_set("category genre subgenre subcategory cuisine style theme flavour flavor topping finish")
_OF_A_KIND = word_set("type kind category genre subcategory style class sort")
_KINDS_OF = word_set(
    "event food room ticket seat apartment flat house hotel restaurant attraction movie film show music song course "
    "class lesson ride service treatment therapist doctor dentist stylist car vehicle cuisine meal dish cake massage "
    "property place venue provider sport activity trip tour flight insurance plan membership subscription table book "
    "journey game restaurants events movies cuisines bus train accommodation dinner drink coffee flower bouquet "
    "therapy salon"
)
_OWN = word_set("blood account identity id card disability error problem issue injury complaint")
_FOR_PEOPLE = word_set(
    "reservation booking trip journey ride flight table party event tour class lesson dinner meal visit stay show "
    "ticket tickets bus train taxi cab itinerary room"
)
_PERSONS = word_set(
    "people persons guests travelers travellers passengers riders adults children kids participants attendees players "
    "diners visitors"
)
_TAKEN = word_set(
    "rooms seats tickets tables beds bedrooms baths bathrooms copies nights days bags places spots sessions lessons "
    "portions servings bottles weeks hours"
)


def wish(phrase: NounPhrase, unit: str) -> str:
    """The question where the phrase names what a person chooses; "" for facts and for what is not sure."""
    if phrase.determiner not in ("the", "a", "an"):
        return ""
    return _date(phrase) or _kind(phrase) or _number(phrase, unit) or _amount(phrase)


def _amount(phrase: NounPhrase) -> str:
    match = re.match(r"(of [\w-]+ )?(to [\w-]+)(?: (?:to|in|from|for) [\w -]+)?$", phrase.tail)
    if phrase.core.lower() not in ("amount", "sum") or match is None:
        return ""
    return f"what {phrase.core} {match[1] or ''}would you like {match[2]}"


def _owner(phrase: NounPhrase) -> str:
    """The noun behind `of` or `for` in the tail; "" where the tail is another one."""
    match = re.fullmatch(
        r"(?:of|for|in) (?:occurrence of )?(?:(?:the|a|an|your) )?((?:[\w'-]+ ){0,2}[\w'-]+)(?: (?:to|with|at) .*)?",
        phrase.tail,
    )
    return match[1] if match is not None else ""


def booked_point(phrase: NounPhrase) -> tuple[list[str], str] | None:
    """The words kept in front of a date or time that is chosen, and what it is chosen for: `appointment`; else None."""
    *before, head = phrase.core.lower().split()
    if head not in _POINTS or phrase.determiner not in ("the", "a", "an") or _settled(phrase):
        return None
    before = [word for word in before if word not in ("date", "day", "and")] if "and" in before else before
    kept = [word for word in before if word not in _PREFERRED]
    owner = _owner(phrase).lower().split()
    sure = any(word in BOOKED for word in (*kept, *owner[-1:])) or len(kept) < len(before)
    # The reservation of a restaurant is a reservation, but a return flight is no flight.
    first = 1 if owner[:1] and owner[0] in ("restaurant", "hotel", "table", "room") and len(owner) > 1 else 0
    return (kept, " ".join(kept or owner[first:])) if sure and (owner or not phrase.tail) else None


def _date(phrase: NounPhrase) -> str:
    found = booked_point(phrase)
    if found is None:
        return ""
    if re.fullmatch(r"of [a-z-]+", phrase.tail) and " and " not in phrase.core:
        return f"what {' '.join([*found[0], phrase.head])} {phrase.tail} would you like"
    tail = re.sub(r"^(?:of|in) (?:occurrence of )?", "for ", phrase.tail)
    point = phrase.core if " and " in phrase.core else " ".join([*found[0], phrase.head])
    return f"what {point} would you like {tail}".strip()


def _settled(phrase: NounPhrase) -> bool:
    words = re.findall(r"[\w'-]+", phrase.full.lower())
    return any(word in _SETTLED or word.endswith("'s") for word in words)


def _kind(phrase: NounPhrase) -> str:
    *before, head = phrase.core.lower().split()
    if phrase.core.lower() in ("price range", "price category", "price level"):
        return f"what {phrase.core} would you like"
    if (
        phrase.plural
        or any(word in _OWN for word in before)
        or _settled(phrase)
        or head not in _CHOSEN_KINDS | _OF_A_KIND
    ):
        return ""
    kept = " ".join(word for word in phrase.core.split() if word.lower() not in _PREFERRED)
    match = re.match(r"(?:of|for|to which) (?:(?:the|an?) )?([\w-]+)(?: ([\w-]+))?", phrase.tail)
    if match is None:
        sure = not phrase.tail and (head in _CHOSEN_KINDS or any(word in _KINDS_OF for word in before))
        return f"what {kept} would you like" if sure else ""
    known = match[1].lower() in _KINDS_OF and not (match[2] and takes_article(match[2]))
    noun = match[1] if known else f"{match[1]} {match[2]}"
    if noun.split()[-1].lower() not in _KINDS_OF:
        return ""
    return f"what {kept} of {noun} would you like"


def counted_things(phrase: NounPhrase) -> tuple[str, str] | None:
    """What `number of` counts and what follows it: (`seats`, `to reserve`); None for other phrases."""
    match = re.match(r"of (?:the )?((?:[\w-]+ )?[\w-]+)\b ?(.*)$", phrase.tail)
    if phrase.core.lower() != "number" or match is None:
        return None
    things, rest = match[1], match[2]
    if not is_plural(things):
        things, _, second = things.partition(" ")
        rest = f"{second} {rest}".strip()
    return (things, rest) if is_plural(things) else None


def are_people(things: str) -> bool:
    """Whether the plural is of persons who come along: `guests`."""
    return things.split()[-1].lower() in _PERSONS or is_person(singular(things.split()[-1].lower()))


def _number(phrase: NounPhrase, unit: str) -> str:
    """`how many rooms would you like`, `how many travelers will there be`."""
    found = counted_things(phrase)
    if found is None or unit:
        return ""
    things, rest = found
    owner = re.match(r"(?:of|for|in|on|at) (?:(?:the|a|an|your) )?(?:[\w-]+ )?([\w-]+)$", rest)
    booked = not rest or (owner is not None and owner[1].lower() in _FOR_PEOPLE)
    if are_people(things) and (booked or re.match(r"(?:to|who|that|you)\b", rest)):
        return f"how many {things} will there be"
    if things.split()[-1].lower() in _TAKEN and re.match(r"to (?:find|search|look|book|reserve)\b.* for$", rest):
        return f"how many {things} would you like"
    chosen = re.match(r"to ([a-z]+)\b", rest)
    if chosen is not None and is_verb(chosen[1]):
        return f"how many {things} would you like {rest}"
    if things.split()[-1].lower() in _TAKEN and (booked or re.match(r"in the\b", rest)):
        return f"how many {things} would you like {re.sub('^(?:of|in|on) ', 'for ' if booked else 'in ', rest)}".strip()
    return ""
