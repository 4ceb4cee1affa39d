"""Clauses with a finite verb: denied, asked, or with another subject's verb form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.english import base_form, is_participle, is_past, is_plural
from controldag.plain.lexicon import (
    ADVERBS,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    RELATIVES,
    is_verb,
)

PLURAL_SUBJECTS = frozenset(("you", "they", "we", "people", "i"))
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
_OF_THE_READER = frozenset(
    (
        "be",
        "have",
        "own",
        "know",
        "speak",
        "live",
        "agree",
        "hold",
        "work",
        "smoke",
        "suffer",
        "belong",
        "study",
        "accept",
    )
)
_NEVER_WISHED = (
    r"(?:required|needed|mandatory|necessary|compulsory|due|damaged|occupied|broken|closed|cancelled|canceled|sold|blocked"
    r"|delayed|too|prohibited|forbidden|banned|full|expired|overdue|lost|late|taken|missing|out of)\b"
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
        rest = self.rest.removeprefix("any ")
        return _spaced(self.subject, self.verb, rest)

    @property
    def denied(self) -> str:
        """The clause with its verb denied: `smoking is not allowed`, `there is no lift`."""
        if self.subject.startswith("no ") and is_plural(self.subject) and not is_narrow(self.rest):
            return _spaced(f"some {self.subject[3:]}", self.verb, self.rest)
        if (
            _WHOLE.match(self.subject)
            or is_narrow(self.rest)
            or self.verb == "might"
            or (self.subject == "it" and self.verb == "may")
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
        if self.verb in ("has", "have") and self._is_auxiliary:
            return True
        base = base_form(self.verb)
        if base == "be" and re.match(r"an? ", self.rest) and self.subject not in ("you", "there"):
            return True
        if (base in ("need", "require") and self.subject != "you") or (base == "have" and self.rest.startswith("to ")):
            return True
        if self.subject == "you" and base in _OF_THE_READER:
            return True
        words = self.subject.lower().split()
        unwished = re.match(_NEVER_WISHED, self.rest) is not None
        owned = any(word.removesuffix("'s") in _READERS_OWN for word in self.rest.split() if word.endswith("'s"))
        return unwished or owned or words[0] in ("your", "this") or head_of(words) in _READERS_OWN

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
        if self.verb in ("did", "had") or is_past(self.verb):
            return True
        return is_participle(self.verb) and not is_verb(self.verb)

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


def head_of(words: list[str]) -> str:
    """The noun of a subject: its last word before a preposition."""
    end = next((index for index, word in enumerate(words) if index and word in PREPOSITIONS | RELATIVES), len(words))
    return words[end - 1]


def _takes_plural(subject: str) -> bool:
    """Whether a verb behind the subject is plural; what stands behind a preposition does not count."""
    words = [word for word in subject.split() if word.lower() not in ADVERBS | {"last", "first"}] or subject.split()
    for index, word in enumerate(words[1:], start=1):
        if word.lower() in PREPOSITIONS | RELATIVES:
            words = words[:index]
            break
    return " and " in f" {' '.join(words)} " or words[-1].lower() in PLURAL_SUBJECTS or is_plural(words[-1])


def _spaced(*parts: str) -> str:
    return " ".join(part for part in parts if part)
