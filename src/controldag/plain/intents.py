"""What a service does, in words: offers to do it, that it was done or not, and what it finds."""

from __future__ import annotations

import re

from controldag.data.schema import Intent, Service
from controldag.plain.described import first_phrase, to_reader
from controldag.plain.english import counted, is_plural, participle, plural, singular, with_article, words_of
from controldag.plain.lexicon import DETERMINERS, PREPOSITIONS, RELATIVES, is_verb, takes_article, word_set
from controldag.plain.noun_phrase import with_articles
from controldag.plain.slots import holds_names, slot_of, worded

_SEARCHING = word_set(
    "find search look lookup browse discover list see show view get check explore compare locate display fetch query "
    "retrieve recommend suggest track"
)
_FINDING = _SEARCHING - {"check", "track", "compare"}
_BOOKING = word_set("book reserve schedule order arrange")
_DEEDS = _BOOKING | word_set("buy rent purchase make create add cancel renew transfer hire request")
# Verbs that are nouns too, but verbs where a name begins with them.
_ACTING = (
    _SEARCHING
    | _BOOKING
    | word_set(
        "buy rent play add set transfer send make cancel change update create repair clean call pay upload download "
        "file report request start stop return exchange register subscribe donate lease share track renew hire plan "
        "visit watch stream print ship post sell trade rate review test charge park ride drive move mail text contact "
        "message borrow lend claim fix mend collect deliver pick drop top extend skip choose give take join leave "
        "enrol enroll sign charter schedule groom board host cater tutor coach sponsor foster swap pledge preorder "
        "rebook reschedule redeem refund refill top freeze block lock unlock split gift fund quote tour inspect "
        "survey scan screen plant water mow paint iron dye trim wash feed walk train staff service tow shuttle guide "
        "frame print copy bind record log vote bid auction raffle lodge dispute query escort film photograph"
    )
)
# What a service shows, a person sees.
_SHOWN = {"show": "see", "display": "see", "lookup": "look up"}
# Last words of names that are nouns throughout.
_NOUNS_OF_ACTION = word_set(
    "search lookup booking reservation order purchase request status history info information details list quote "
    "check update change transfer payment forecast report summary inquiry enquiry query service help support rental "
    "hire sale balance availability price prices schedule times"
)
_JOINING = word_set("enrol enroll register subscribe")
# Words of descriptions that speak about a request rather than to a person.
_FILLING = re.compile(r"\b(?:given|specified|certain|particular|selected|chosen|provided|desired|user|users|list of)\b")
_LONGEST_OFFER = 9
# What a search may find is a thing, not a piece of knowledge.
_NO_THINGS = word_set(
    "price prices info information detail details status time times availability balance weather data schedule cost "
    "rate rates eligibility hours fee fees quote answer result results option options"
)
_SKIPPED = word_set("a an the for up new all available my by")
# Words for anything that a service may find.
_GENERIC = word_set("provider item place location service business result product entry record match")
OPTION = "option"


def offer_of(service: Service | None, name: str) -> str:
    """What one may do, behind `would you like to`: `book a car in for repair`."""
    intent = _intent(service, name)
    described = _described_action(intent.description)
    named = _named_action(name)
    if described and len(described.split()) <= _LONGEST_OFFER and not _FILLING.search(described):
        return described
    return named or described or f'go on with "{" ".join(words_of(name))}"'


def _intent(service: Service | None, name: str) -> Intent:
    intents = service.intents if service is not None else ()
    return next((each for each in intents if each.name == name), Intent(name))


def _described_action(description: str) -> str:
    """The description where it begins with a verb; "" else."""
    text = re.sub(r",? (?:given|based on|using) .*$", "", to_reader(first_phrase(description)))
    first, _, rest = text.partition(" ")
    if first == "to":
        first, _, rest = rest.partition(" ")
    is_order = is_verb(first) or rest.split(" ", 1)[0] in DETERMINERS
    if not is_order or not rest:
        return first if rest == "" and is_verb(first) else ""
    first = _SHOWN.get(first, first)
    articled = re.search(r"\b(?:an?|the|your)\b", rest)
    rest = _with_object(rest)
    if articled:
        # Whoever writes articles has left one out on purpose: `for repair`.
        return f"{first} {rest}"
    return f"{first} {with_articles('to', [first, *rest.split()]).partition(' ')[2]}"


def _with_object(rest: str) -> str:
    """What follows a verb, its object behind an article: `table at a restaurant` as `a table at a restaurant`."""
    words = rest.split()
    ends = PREPOSITIONS | RELATIVES | {"and", "or"}
    end = next((i for i, word in enumerate(words) if word.lower() in ends), len(words))
    bare = end and words[0].lower() not in DETERMINERS and all(word.islower() for word in words[:end])
    return with_article(rest) if bare and words[end - 1] != "time" and takes_article(words[end - 1]) else rest


def _named_action(name: str) -> str:
    """`ReserveHotel` as `reserve a hotel`; "" where the name begins with no verb."""
    words = list(words_of(name))
    if not words or not _begins_with_verb(words):
        return ""
    verb, things = _SHOWN.get(words[0], words[0]), words[1:]
    particle = things[:1] if things[:1] and things[0] in ("up", "out", "in", "off", "for") else []
    things = things[len(particle) :]
    if not things:
        return " ".join([verb, *particle])
    if verb == "search" and not particle and things[0] not in PREPOSITIONS:
        particle = ["for"]
    end = next((i for i, word in enumerate(things) if word in PREPOSITIONS | RELATIVES), len(things))
    phrase = " ".join(things[:end])
    countable = end and (takes_article(things[end - 1]) or (verb in _BOOKING and things[end - 1].endswith("ing")))
    if phrase and things[0] not in DETERMINERS and countable:
        phrase = with_article(phrase)
    tail = with_articles(things[end - 1] if end else verb, things[end:])
    return " ".join(filter(None, [verb, *particle, phrase, tail]))


def _begins_with_verb(words: list[str]) -> bool:
    """Whether a name is an order (`charter_boat`, `rebook_flight`) and no compound of nouns (`hotel_search`)."""
    first, last = words[0], words[-1]
    if first in _ACTING or (is_verb(first) and not takes_article(first)):
        return True
    if len(words) == 1 or last in _NOUNS_OF_ACTION or last.endswith(("tion", "ing", "ment")):
        return False
    changed = re.match(r"(?:re|pre|un|dis|de)-?(?=[a-z]{3})", first)
    return is_verb(first) or (not takes_article(first) and changed is not None and is_verb(first[changed.end() :]))


def success_of(service: Service | None) -> str:
    """That the request was carried out: `your repair is booked` where the service does one thing only."""
    done = _one_deed(service)
    if done is None:
        return "your request was successful"
    verb, thing = done
    if not thing:
        return f"you are {participle(verb)}"
    if verb == "reserve":
        return "your reservation is confirmed"
    if verb in _BOOKING:
        return f"your {thing} {'are' if is_plural(thing) else 'is'} {participle(verb)}"
    return f"your {thing} {'have' if is_plural(thing) else 'has'} been {participle(verb)}"


def failure_of(service: Service | None) -> str:
    """That the request failed: `I am sorry, but the repair could not be booked`."""
    done = _one_deed(service)
    if done is None:
        return "I am sorry, but your request was not successful"
    verb, thing = done
    if not thing:
        return f"I am sorry, but you could not be {participle(verb)}"
    if verb == "reserve":
        return "I am sorry, but the reservation could not be made"
    return f"I am sorry, but the {thing} could not be {participle(verb)}"


def _one_deed(service: Service | None) -> tuple[str, str] | None:
    """Verb and thing of the one intent that does more than search; None where there are several, or it is unclear.

    The thing is empty for verbs that a person undergoes: `enrol`.
    """
    deeds = [words_of(each.name) for each in (service.intents if service is not None else ())]
    deeds = [words for words in deeds if words and words[0] not in _SEARCHING]
    if len(deeds) == 1 and len(deeds[0]) == 1 and deeds[0][0] in _JOINING:
        return deeds[0][0], ""
    if len(deeds) != 1 or deeds[0][0] not in _DEEDS or len(deeds[0]) < 2:
        return None
    verb, things = deeds[0][0], [word for word in deeds[0][1:] if word not in ("a", "an", "the")]
    sure = things and not any(word in PREPOSITIONS for word in things)
    return (verb, " ".join(things)) if sure and (takes_article(singular(things[-1])) or verb == "transfer") else None


def found(service: Service | None, number: str, offered: tuple[str, ...]) -> str:
    """How many things were found: `I found 5 workshops`. `offered`: slots whose values are offered beside it."""
    noun = found_noun(service, offered)
    return f"I found {counted(number, noun)}"


def found_noun(service: Service | None, offered: tuple[str, ...]) -> str:
    """What the service searches for; `option` where that is not sure."""
    if service is None:
        return OPTION
    searched = {noun for each in service.intents if (noun := _searched(each))}
    heads = {noun.split()[-1] for noun in searched}
    noun = next(iter(searched)) if len(searched) == 1 else "".join(heads) if len(heads) == 1 else ""
    named = [worded(slot).thing for name in offered if holds_names(slot := slot_of(service, name))]
    if not named:
        return noun or OPTION
    # What is offered has a name of its kind: it must be the kind that was searched for.
    thing = named[0]
    if " or " in thing or " and " in thing:
        return OPTION
    fits = not noun or noun in _GENERIC or thing.split()[-1] == noun.split()[-1]
    return (thing if noun in _GENERIC or not noun else noun) if fits else OPTION


def _searched(intent: Intent) -> str:
    """The noun that a searching intent's name ends with, in the singular; "" where it finds nothing countable."""
    words = list(words_of(intent.name))
    if len(words) < 2 or words[0] not in _FINDING:
        return ""
    things = [
        word for word in words[1:] if word not in ("a", "an", "the", "for", "up", "new", "all", "available", "my")
    ]
    end = next((i for i, word in enumerate(things) if word in PREPOSITIONS | RELATIVES), len(things))
    noun = singular(" ".join(things[:end]))
    head = noun.split()[-1] if noun else ""
    if not head or head in _NO_THINGS or plural(head) in _NO_THINGS or not takes_article(head):
        return ""
    return "" if words[0] == "get" and not is_plural(things[end - 1]) else noun
