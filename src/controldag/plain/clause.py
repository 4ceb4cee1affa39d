"""Clauses with a finite verb: denied, asked, or with another subject's verb form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.english import base_form, is_participle, is_past, is_plural
from controldag.plain.lexicon import (
    ADJECTIVES,
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    RELATIVES,
    is_third_person,
    is_verb,
)

_PLURAL_SUBJECTS = frozenset(("you", "they", "we", "people", "i"))
_FINITE = AUXILIARIES - {"be", "cannot"}
_BE = frozenset(("is", "are", "was", "were", "am"))
# Participles that say how things are, not what someone does.
_SETTLED = frozenset(
    (
        "scheduled",
        "expected",
        "held",
        "born",
        "needed",
        "required",
        "supposed",
        "issued",
        "released",
        "published",
        "due",
        "planned",
        "based",
        "registered",
        "married",
        "employed",
        "closed",
        "called",
        "built",
        "made",
        "set",
    )
)
_STATES = frozenset(("want", "need", "like", "prefer", "live", "work", "have", "wish", "know", "own", "reside"))
# Persons who come to a service rather than work for it.
_READERS = frozenset(
    (
        "customer",
        "user",
        "passenger",
        "traveller",
        "traveler",
        "donor",
        "member",
        "buyer",
        "visitor",
        "rider",
        "player",
        "owner",
        "lender",
        "borrower",
        "order",
        "offer",
        "number",
        "letter",
        "winter",
        "summer",
        "computer",
        "counter",
        "ferry",
        "tour",
        "floor",
        "door",
        "color",
        "colour",
        "center",
        "actor",
        "tenor",
        "factor",
        "dinner",
        "weather",
        "prior",
        "meter",
        "printer",
        "boiler",
        "shower",
        "heater",
    )
)
# What the reader knows better than the service.
_READERS_OWN = frozenset(
    (
        "pet",
        "dog",
        "cat",
        "animal",
        "horse",
        "child",
        "kid",
        "baby",
        "patient",
        "learner",
        "student",
        "applicant",
        "tenant",
        "donor",
        "passenger",
        "traveller",
        "traveler",
        "customer",
        "member",
        "guest",
        "owner",
        "children",
        "kids",
        "pupil",
    )
)
_NEVER_WISHED = (
    r"(?:required|needed|mandatory|necessary|compulsory|due|damaged|occupied|broken|closed|cancelled|canceled|sold|blocked"
    r"|delayed|full|expired|overdue|lost|late|taken|missing|out of)\b"
)
# A denied clause about all of something would say too much: not all rooms, or none of them?
_WHOLE = re.compile(r"^(?:all|every|each|both|everyone|everybody|everything|no|none|not)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """`the hotel` + `has` + `a pool`: subject, finite verb, and what follows it."""

    subject: str
    verb: str
    rest: str

    @property
    def said(self) -> str:
        """The clause as a statement; `any`, which only questions and denials hold, is dropped."""
        rest = re.sub(r"^(not )?any ", r"\1", self.rest) if self.subject == "there" else self.rest
        return _spaced(self.subject, self.verb, rest)

    @property
    def denied(self) -> str:
        """The clause with its verb denied: `smoking is not allowed`, `there is no lift`."""
        if self.subject.startswith("no ") and is_plural(self.subject) and not is_narrow(self.rest):
            return _spaced(f"some {self.subject[3:]}", self.verb, self.rest)
        if (
            _WHOLE.match(self.subject)
            or is_narrow(self.rest)
            or (self.subject == "it" and self.verb in ("may", "might"))
        ):
            return f"it is not true that {self.said}"
        rest = re.sub(r"\bsome\b", "any", self.rest)
        if self.subject == "there":
            return _spaced("there", self.verb, "no " + re.sub(r"^(?:an?|any|some|the) ", "", rest))
        if re.search(r"\balready\b", rest):
            rest = f"{re.sub(r' ?already ?', ' ', rest).strip()} yet"
        if self._is_auxiliary:
            return self._denied_auxiliary(rest)
        return _spaced(self.subject, f"{self._do} not {base_form(self.verb)}", rest)

    def _denied_auxiliary(self, rest: str) -> str:
        if self.verb == "must":
            return _spaced(self.subject, f"{self._do} not have to", rest)
        if rest.startswith("still "):
            return _spaced(self.subject, f"{self.verb} no longer", rest.removeprefix("still "))
        verb = "cannot" if self.verb == "can" else f"{self.verb} not"
        return _spaced(self.subject, verb, rest)

    @property
    def wished(self) -> str:
        """A question for whether it should be so: `should pets be allowed`, `would you like to get a courtesy car`."""
        action = self.infinitive
        wanted = re.match(r"(?:desired|wanted|requested|preferred)\b ?(.*)$", self.rest)
        if wanted is not None and self.verb in _BE:
            return _spaced("would you like", self.subject, wanted.group(1))
        if self._is_a_fact:
            return self.asked_now
        if self.subject == "you":
            wanted = re.match(r"(?:want|wish|need|prefer|would like|like|desire)s?\b ?(.*)$", action)
            return f"would you like {wanted.group(1)}" if wanted and wanted.group(1) else f"would you like to {action}"
        return _spaced(
            "should", self.subject, re.sub(r"\bsome\b", "any", action) if self.subject == "there" else action
        )

    @property
    def _is_a_fact(self) -> bool:
        """Whether one asks if it is so, not if it should be: of what was, what must be, and of the reader's own."""
        if self.verb in MODALS - {"will", "would", "should", "shall"} or self._is_past or self.verb in ("was", "were"):
            return True
        words = self.subject.lower().split()
        unwished = re.match(_NEVER_WISHED, self.rest) is not None
        owned = any(word.removesuffix("'s") in _READERS_OWN for word in self.rest.split() if word.endswith("'s"))
        return unwished or owned or words[0] in ("your", "this") or words[-1] in _READERS_OWN

    @property
    def infinitive(self) -> str:
        """Verb and rest without person: `be allowed`, `have a pool`, `be able to come`."""
        if self.verb in ("can", "could", "may", "might"):
            return _spaced("be able to", self.rest)
        if self.verb in ("will", "would", "should", "shall"):
            return self.rest
        if self.verb == "must":
            return _spaced("have to", self.rest)
        return _spaced(base_form(self.verb), self.rest)

    @property
    def asked(self) -> str:
        """Verb before subject, for a question that begins with when, where or how: `will the driver come`."""
        if self._is_auxiliary:
            return _spaced(self.verb, self.subject, self.rest)
        if self._is_past:
            return self.asked_now
        return _spaced("will", self.subject, base_form(self.verb), self.rest)

    @property
    def asked_as_wish(self) -> str:
        """A question for when or where it should be, where someone acts for the reader; else as `asked_now`."""
        following = self.rest.split()[:1]
        if self.subject == "you" and not self._is_auxiliary and not self._is_past:
            return self.asked_now if base_form(self.verb) in _STATES else self.asked
        if self.verb in ("is", "are") and following and is_participle(following[0]) and following[0] not in _SETTLED:
            return _spaced("should", self.subject, "be", self.rest)
        if not self._is_auxiliary and not self._is_past and _acts_for_reader(self.subject):
            return _spaced("should", self.subject, base_form(self.verb), self.rest)
        return self.asked_now

    @property
    def _is_past(self) -> bool:
        return self.verb in ("did", "had") or (is_participle(self.verb) and not is_verb(self.verb))

    @property
    def asked_now(self) -> str:
        """As `asked`, of what is so rather than of what will be: `does the song belong to`."""
        if self._is_auxiliary:
            return self.asked
        return _spaced(self._do, self.subject, base_form(self.verb), self.rest)

    @property
    def _is_auxiliary(self) -> bool:
        """Whether the verb can be denied and turned round by itself; `has` only where a participle follows."""
        if self.verb in _BE or self.verb in MODALS:
            return True
        following = [word for word in self.rest.split() if word not in ADVERBS][:1]
        perfect = bool(following) and (following[0] == "been" or is_participle(following[0]))
        return self.verb in ("has", "have", "had") and perfect

    @property
    def _do(self) -> str:
        if self._is_past:
            return "did"
        return "do" if _takes_plural(self.subject) else "does"


def parse_clause(text: str, is_clause: bool = False) -> Clause | None:
    """The clause in `text`, split at its finite verb; None where no verb can be told for sure.

    `is_clause`: there is a verb somewhere, so a word that only looks like one is taken where no known verb is found.
    """
    words = text.split()
    relative = False
    for index in range(1, len(words)):
        low, previous = words[index].lower(), words[index - 1].lower()
        if low in RELATIVES:
            relative = True
            continue
        is_finite = low in _FINITE or _is_main_verb(words, index, is_clause)
        if is_finite and relative:
            relative = False
            continue
        if is_finite and previous not in ("to", "or", "and"):
            return Clause(" ".join(words[:index]), low, " ".join(words[index + 1 :]))
    place = (_unknown_verb(words) or _past_verb(words)) if is_clause else 0
    return Clause(" ".join(words[:place]), words[place], " ".join(words[place + 1 :])) if place else None


def _unknown_verb(words: list[str]) -> int:
    """Where a word in -s follows `the` and a noun in the singular (`the stylist caters`); 0 where none does."""
    if words[0].lower() not in DETERMINERS:
        return 0
    for index in range(2, len(words)):
        low, previous = words[index].lower(), words[index - 1].lower()
        if low.endswith("s") and not low.endswith(("ss", "'s", "us")) and not is_plural(previous):
            return index
    return 0


def _past_verb(words: list[str]) -> int:
    """Where a verb in the past follows its subject (`the symptoms started`); 0 where none does."""
    for index in range(1, len(words)):
        previous = words[index - 1].lower()
        if (
            is_participle(words[index]) or is_past(words[index])
        ) and previous not in DETERMINERS | PREPOSITIONS | ADJECTIVES:
            return index
    return 0


def is_narrow(text: str) -> bool:
    """Whether the text holds words that a denial would turn into something else: only, until, all."""
    return (
        re.search(r"\b(?:not|no|only|until|till|unless|all|every|each|both|always|never|because)\b", text) is not None
    )


def _acts_for_reader(subject: str) -> bool:
    """Whether the subject is someone who works: the driver, the technician."""
    head = subject.split()[-1].lower()
    agent = head.endswith(("er", "or", "ist", "ian")) and head not in _READERS
    return (agent and subject.split()[0].lower() in DETERMINERS) or head in (
        "staff",
        "team",
        "crew",
        "taxi",
        "cab",
        "we",
    )


def _is_main_verb(words: list[str], index: int, is_clause: bool) -> bool:
    """Whether the word is a verb that agrees with the subject before it."""
    low, previous = words[index].lower(), words[index - 1].lower()
    if low == "last" and index + 1 < len(words) and (words[index + 1] in AUXILIARIES or is_past(words[index + 1])):
        return False
    if previous in DETERMINERS or previous in PREPOSITIONS or previous in ADJECTIVES:
        return False
    following = words[index + 1].lower() if index + 1 < len(words) else ""
    if previous not in _PLURAL_SUBJECTS and not (is_clause or following in DETERMINERS or is_third_person(low)):
        # `mains water on site` is a thing, `trees shade the roof` a clause.
        return False
    if is_third_person(low):
        # `the room rates are`: a noun in the plural, since a verb follows.
        after = words[index + 2].lower() if index + 2 < len(words) else ""
        if is_participle(following) and (not after or after in PREPOSITIONS):
            # `house calls offered`: a noun and what is said of it.
            return False
        return following not in AUXILIARIES and (not is_plural(previous) or _behind_preposition(words, index))
    return (previous in _PLURAL_SUBJECTS or is_plural(previous)) and is_verb(low)


def _behind_preposition(words: list[str], index: int) -> bool:
    """Whether the noun before the word belongs to a prepositional phrase: the price of the tours [includes]."""
    return any(word.lower() in PREPOSITIONS for word in words[:index])


def _takes_plural(subject: str) -> bool:
    """Whether a verb behind the subject is plural; what stands behind a preposition does not count."""
    words = [word for word in subject.split() if word.lower() not in ADVERBS | {"last", "first"}] or subject.split()
    for index, word in enumerate(words[1:], start=1):
        if word.lower() in PREPOSITIONS | RELATIVES:
            words = words[:index]
            break
    return " and " in f" {' '.join(words)} " or words[-1].lower() in _PLURAL_SUBJECTS or is_plural(words[-1])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)
