"""Noun phrases in names and descriptions: where the head ends, which articles are missing, singular or plural."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.english import base_form, is_participle, is_plural
from controldag.plain.lexicon import (
    ADJECTIVES,
    ADVERBS,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_gerund,
    is_third_person,
    is_verb,
    takes_article,
    word_set,
)

_POSTPOSED = frozenset(("available", "left", "due", "free", "needed", "remaining"))
_QUESTION_WORDS = frozenset(("what", "whether"))
# After these a bare noun is right: by bus, per night, type of event, date of departure.
_BARE_AFTER = frozenset(("per", "by", "as", "via", "without"))
_KINDS = frozenset(
    (
        "type",
        "kind",
        "sort",
        "category",
        "class",
        "style",
        "genre",
        "number",
        "means",
        "mode",
        "method",
        "form",
        "level",
    )
)
_NUMERALS = word_set("one two three four five six seven eight nine ten first second third last")
_ORDINALS = word_set("first second third last")
_HANDLING = word_set(
    "rent buy book use make get visit print unlock clean reserve hire cancel change return collect schedule play watch "
    "contact call send repair open close enter leave reach deliver order operate perform lead teach run drive ride"
)
_SCALE = re.compile(r"(?:\w+ )?(?:height|level|speed|temperature|pressure|capacity)\b")
_SPANS = word_set("years months weeks days hours minutes nights")
_BARE_EVENTS = word_set(
    "birth arrival departure origin destination stay choice use residence service payment issue expiry completion "
    "return delivery purchase manufacture release occurrence interest employment study travel contact production "
    "construction collection entry admission registration check-in check-out checkin checkout pick-up pickup drop-off "
    "dropoff death marriage reference preference exchange"
)
_FIXED = re.compile(
    r"\b(?:in advance|in person|at home|on site|on foot|on demand|in stock|in cash|at work|on board|in detail|in total"
    r"|on average|in question|on time|in use|at night|by hand|at sea|in bed|on loan|on offer"
    r"|on duty|on call|on display|in charge|in progress|on request|before tax|after tax|on holiday|in hospital"
    r"|of charge|at school|in time|in case|for rent|for sale|for hire|for repair)\b"
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """`the` + `estimated cost` + `of the whole repair`; `determiner` and `tail` may be empty."""

    determiner: str
    core: str
    tail: str = ""

    @property
    def plural(self) -> bool:
        """Whether a verb behind the phrase is plural: `make and model` counts as one thing."""
        return is_plural(self.core) and self.head not in ("means", "series", "species")

    @property
    def head(self) -> str:
        """The last word of the core, in lower case."""
        words = self.core.split()
        return words[-1].lower() if words else ""

    @property
    def short(self) -> str:
        """Determiner and core."""
        return f"{self.determiner} {self.core}".strip()

    @property
    def full(self) -> str:
        """The whole phrase."""
        return f"{self.short} {self.tail}".strip()


def parse(text: str, determiner: str = "the") -> NounPhrase | None:
    """The phrase as a noun phrase; None where it is a sentence, a question, or begins with no noun.

    `determiner` is put in front where the text has none. Missing articles in the tail are put in.
    """
    words = text.split()
    if not words:
        return None
    if words[0].lower() in DETERMINERS:
        determiner, words = words[0].lower(), words[1:]
        if determiner in ("any", "some", "no", "all", "each", "every", "both", "either", "another"):
            determiner = "the"
    elif words[0].lower().endswith(("'s", "s'")) and not takes_article(words[0].removesuffix("'s")):
        determiner = ""
    end = _end_of_core(words)
    if end == 0 or _is_sentence(words, end):
        return None
    core, tail = words[:end], words[end:]
    if len(tail) == 1 and tail[0].lower() in PREPOSITIONS:
        return None
    return NounPhrase(determiner, " ".join(core), with_articles(core[-1], tail))


def _end_of_core(words: list[str]) -> int:
    """How many words belong to the core: all before a preposition, a relative, a new phrase, or what is said of it."""
    for index, word in enumerate(words):
        low = word.lower().strip(",")
        following = words[index + 1].lower() if index + 1 < len(words) else ""
        if low in PREPOSITIONS | RELATIVES | AUXILIARIES | CONJUNCTIONS or low in _QUESTION_WORDS:
            if index == 0 and low in ("outside", "inside", "near") and following not in DETERMINERS:
                continue
            return index
        if index and (low in DETERMINERS or low in PRONOUNS or low in ADVERBS):
            return index
        starts_new = not following or following in PREPOSITIONS or following in DETERMINERS or following in ADVERBS
        if index and starts_new and (low in _POSTPOSED or _is_said_of(low)):
            return index
        if index and not following and low in ADJECTIVES and is_plural(words[index - 1]):
            return index
        if index and is_gerund(low) and not starts_new and not takes_article(following) and _is_object(following):
            return index
        if word.endswith(","):
            return index + 1
    return len(words)


def _is_said_of(low: str) -> bool:
    return is_gerund(low) or (is_participle(low) and low not in ("bed", "seed", "feed", "set", "cost", "cut", "read"))


def _is_object(word: str) -> bool:
    return is_plural(word)


def _is_sentence(words: list[str], end: int) -> bool:
    """Whether a finite verb follows the core or its prepositional phrase outside any relative clause."""
    relative = False
    for index in range(end, len(words)):
        low = words[index].lower()
        if low in ("what", "whether"):
            return True
        if low in CONJUNCTIONS:
            relative = True
        if low in RELATIVES or (low in DETERMINERS | PRONOUNS and words[index - 1].lower() not in PREPOSITIONS):
            # A new phrase that no preposition introduces begins a clause about the noun: the song [it belongs to].
            relative = relative or low in RELATIVES or not _is_said_of(words[index - 1].lower())
        if low in AUXILIARIES - {"be"} and not relative:
            return True
    return False


def with_articles(owner: str, tail: list[str]) -> str:
    """The tail behind `owner` with `the` in front of bare singular nouns: `of leaving of bus` has `of the bus`."""
    text = " ".join(tail)
    fixed = {match.start() for match in _FIXED.finditer(text)}
    out: list[str] = []
    place = 0
    for index, word in enumerate(tail):
        previous = tail[index - 1].lower() if index else ""
        before = (tail[index - 2] if index > 1 else owner).lower()
        opens = index and _opens_phrase(previous, before, word.lower()) and _is_bare(tail, index)
        if opens and not _may_stay_bare(previous, before, tail, index) and place - len(previous) - 1 not in fixed:
            out.append("the")
        out.append(word)
        place += len(word) + 1
    return " ".join(out)


def _opens_phrase(previous: str, before: str, word: str) -> bool:
    """Whether a new noun phrase can begin behind `previous`: a preposition, a relative, a verb with its object."""
    if previous == "to":
        return not is_verb(word) and before not in ("have", "has", "had", "need", "needs", "want", "wants", "able")
    if previous == "that" and before in PREPOSITIONS:
        return False
    if previous in PREPOSITIONS - {"up", "down", "off", "out"} or previous in ("where", "when", "that", "which"):
        return True
    if previous in ("up", "off", "out"):
        return is_verb(before)
    is_object = is_verb(previous) and before == "to"
    # `of renting [the] movie`, but `of banking account`.
    handles = is_gerund(previous) and (base_form(previous) in _HANDLING or before not in PREPOSITIONS)
    return is_object or (handles and before not in DETERMINERS and not before.endswith("'s"))


def _is_bare(tail: list[str], index: int) -> bool:
    """Whether a phrase without determiner begins here whose last word takes an article."""
    if is_gerund(tail[index].lower()) or tail[index].lower() in _NUMERALS - _ORDINALS:
        return False
    last = ""
    for word in tail[index : index + 4]:
        low = word.lower()
        if low.endswith("'s"):
            return takes_article(low.removesuffix("'s"))
        if (
            low in ("and", "or")
            or low in _POSTPOSED
            or word != low
            or low in DETERMINERS | PRONOUNS | RELATIVES | AUXILIARIES | PREPOSITIONS | ADVERBS
        ):
            break
        if last and is_plural(last) and is_verb(low):
            break
        if last and (_is_said_of(low) or is_third_person(low)) and not takes_article(low):
            break
        last = low.strip(",.")
        if low.endswith((",", ".")) or not low.replace("-", "").replace("/", "").isalpha():
            break
    return takes_article(last)


def _may_stay_bare(previous: str, owner: str, tail: list[str], index: int) -> bool:
    if previous in _BARE_AFTER:
        return True
    noun = tail[index].lower().strip(",")
    if (owner, previous, noun) == ("time", "of", "day") or (previous == "of" and noun == "time"):
        return True
    if previous == "at" and _SCALE.match(" ".join(tail[index:])):
        return True
    if previous in ("take", "taking") and noun in ("place", "part"):
        return True
    following = tail[index + 1].lower() if index + 1 < len(tail) else ""
    ends_here = not following or following in PREPOSITIONS
    if previous == "of" and (owner in _KINDS - {"number"} or owner in _SPANS):
        return True
    return noun in _BARE_EVENTS and ends_here and owner != "name"
