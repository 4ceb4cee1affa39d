"""One example in the making: a record's claims and text, which may still be changed, and what is true of them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from dataclasses import replace as changed
from functools import lru_cache

from controldag.verifier.claims import FACT
from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.training.usage import Text, Usage
from controldag.verifier.words import is_content, name_words, stem

SAID, WRONG, MISSING, UNKNOWN = 0, 1, 2, -1
_SAME_KIND = {"OFFER": "INFORM", "RECOMMEND": "INFORM", "SUGGEST": "INFORM", "SELECT": "INFORM"}
# Corpora whose texts say nothing beside their claims, by and large, and whose English is sound.
_NOTHING_ELSE = frozenset((
    "sgd", "viggo", "rnnlg", "dart", "rel2text", "pararel_synth", "multiwoz_templates", "wdv", "plain_acts",
    "plain_facts", "plain_dart",
))  # fmt: skip
_SOUND = frozenset((
    "sgd", "dart", "rel2text", "pararel_synth", "viggo", "plain", "webnlg_train_seencat", "plain_acts", "plain_facts",
    "plain_dart",
))  # fmt: skip


# Texts of a service beyond which a word that none of them has is foreign to it.
_OFTEN = 1000
# What a text can stand in for: its acts, and how many values each has.
Shape = tuple[tuple[str, int], ...]
# A service, and the acts and slots of a turn.
Alike = tuple[str, tuple[tuple[str, str, int, tuple[str, ...]], ...]]


@dataclass(slots=True)
class Draft:
    """claims, values, text: as in `Record`. verdicts: one a claim. extra, broken: 0, 1 or UNKNOWN.

    odd: by item of a broken text, whether a reader stumbles over it.
    names: what is said of a claim instead of a wording drawn for its key, by place.
    """

    source: str
    service: str
    claims: list[Said]
    values: list[tuple[str, ...]]
    text: list[str | int]
    verdicts: list[int]
    extra: int
    broken: int
    odd: list[bool] = field(default_factory=list)
    names: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)


@dataclass(slots=True)
class World:
    """All records, to draw from: by service, and what to put in place of other words, values, slots and services.

    singles: records of one claim, by service. alike: records that claim the same. shapes: short records by their acts.
    spoken: the stems that a service's texts and schema hold. called: a service's slots by the words of their names.
    """

    records: list[Record]
    wordings: Wordings
    by_service: dict[str, list[int]]
    content: list[str]
    names: list[str]
    keys: list[str]
    services: list[str]
    usage: Usage
    singles: dict[str, list[int]]
    alike: dict[Alike, list[int]]
    shapes: dict[Shape, list[int]]
    spoken: dict[str, set[str]]
    called: dict[str, dict[str, list[str]]]

    @classmethod
    def of(cls, records: list[Record], wordings: Wordings) -> World:
        """The world of these records."""
        by_service: dict[str, list[int]] = {}
        counts: Counter[str] = Counter()
        names: set[tuple[str, ...]] = set()
        for number, record in enumerate(records):
            if record.claims:
                by_service.setdefault(record.service, []).append(number)
            counts.update(word for word in record.text if isinstance(word, str))
            names.update(record.values)
        content = [word for word, count in counts.items() if count >= 8 and word.isalpha() and is_content(word)]
        values = [" ".join(words) for words in sorted(names)]
        usage = Usage(record.text for record in records if record.source in _SOUND)
        keys, services = list(wordings.ways), list(wordings.slots)
        singles: dict[str, list[int]] = {}
        alike: dict[Alike, list[int]] = {}
        for service, numbers in by_service.items():
            singles[service] = [number for number in numbers if len(records[number].claims) == 1]
            for number in numbers:
                alike.setdefault(alike_key(service, records[number].claims), []).append(number)
        return cls(
            records=records,
            wordings=wordings,
            by_service=by_service,
            content=sorted(content),
            names=values,
            keys=keys,
            services=services,
            usage=usage,
            singles=singles,
            alike=alike,
            shapes=_shapes(records),
            spoken=_spoken(records, wordings, by_service),
            called={service: _called(keys) for service, keys in wordings.slots.items()},
        )

    def like(self, service: str, key: str) -> list[str]:
        """Slots whose names share a word with this one's and differ both ways: not `city` for `home_city`."""
        words = _name(key)
        called = self.called.get(service, {})
        found = {other for word in words for other in called.get(word, ())}
        return sorted(other for other in found if words - _name(other) and _name(other) - words)

    def same_said(self, draft: Draft, chance: random.Random) -> Text | None:
        """The text of another record that claims the same, with the draft's values in it; None where there is none."""
        numbers = self.alike.get(alike_key(draft.service, draft.claims), ())
        for _ in range(4 if len(numbers) > 1 else 0):
            other = self.records[chance.choice(numbers)]
            turned = {
                their: our
                for theirs, ours in zip(_in_order(other.claims), _in_order(draft.claims), strict=True)
                for their, our in zip((theirs.subject, *theirs.values), (ours.subject, *ours.values), strict=True)
            }
            text = [turned.get(item, -1) if isinstance(item, int) else item for item in other.text]
            if -1 not in text and text != draft.text:
                return text
        return None

    def another(self, service: str, chance: random.Random) -> Record:
        """A random record of the service."""
        return self.records[chance.choice(self.by_service[service])]


def _shapes(records: list[Record]) -> dict[Shape, list[int]]:
    """Short turns by their acts, those of corpora whose texts say nothing else."""
    found: dict[Shape, list[int]] = {}
    for number, record in enumerate(records):
        if record.source in _NOTHING_ELSE and (shape := shape_of(record.claims)) is not None:
            found.setdefault(shape, []).append(number)
    return found


@lru_cache(maxsize=100_000)
def _name(key: str) -> frozenset[str]:
    return frozenset(name_words(key.rpartition("/")[2]))


def _called(keys: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in keys:
        for word in filter(is_content, _name(key)):
            found.setdefault(word, []).append(key)
    return found


def _spoken(records: list[Record], wordings: Wordings, by_service: dict[str, list[int]]) -> dict[str, set[str]]:
    """By service that was talked about often: every content word of its texts and of its schema, by stem."""
    found: dict[str, set[str]] = {}
    for service, numbers in by_service.items():
        if len(numbers) < _OFTEN:
            continue
        stems = {stem(w) for n in numbers for w in records[n].text if isinstance(w, str)}
        for key in (*wordings.slots.get(service, ()), *wordings.intents.get(service, ())):
            stems |= {stem(w) for name, text in wordings.ways[key] for w in (*name, *text)}
        stems |= {stem(w) for way in wordings.services.get(service, ()) for w in way}
        found[service] = stems
    return found


def draft_of(record: Record) -> Draft:
    """The record as it is: everything said."""
    claims = [changed(claim) for claim in record.claims]
    extra = 0 if record.source in _NOTHING_ELSE else UNKNOWN
    broken = 0 if record.source in _SOUND else UNKNOWN
    text, values = list(record.text), list(record.values)
    return Draft(record.source, record.service, claims, values, text, [SAID] * len(claims), extra, broken)


def kind(head: str) -> str:
    """What an act does to its slot: offers are a way to inform."""
    return _SAME_KIND.get(head, head)


def _in_order(claims: list[Said]) -> list[Said]:
    return sorted(claims, key=lambda claim: (claim.head, claim.key, len(claim.values), claim.worded))


def alike_key(service: str, claims: list[Said]) -> Alike:
    """What turns that claim the same of other values have in common."""
    return service, tuple((c.head, c.key, len(c.values), c.worded) for c in _in_order(claims))


def shape_of(claims: list[Said]) -> Shape | None:
    """What a text with these claims can stand in for; None where it says too much, or values in other words."""
    if not 1 <= len(claims) <= 2 or any(claim.worded or claim.head == FACT for claim in claims):
        return None
    return tuple(sorted((kind(claim.head), len(claim.values)) for claim in claims))


def in_text(draft: Draft) -> set[int]:
    """The numbers of the values that stand in the text."""
    return {item for item in draft.text if isinstance(item, int)}


def held(draft: Draft) -> set[int]:
    """The numbers of the values that some claim holds."""
    found = {value for claim in draft.claims for value in claim.values}
    return found | {claim.subject for claim in draft.claims if claim.subject >= 0}


def add_value(draft: Draft, words: tuple[str, ...]) -> int:
    """The number of a value, which joins the draft's values if it is new."""
    if words in draft.values:
        return draft.values.index(words)
    draft.values.append(words)
    return len(draft.values) - 1
