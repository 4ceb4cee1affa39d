"""One example in the making: a record's claims and text, which may still be changed, and what is true of them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from dataclasses import replace as changed

from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.training.usage import Usage
from controldag.verifier.words import is_content

SAID, WRONG, MISSING, UNKNOWN = 0, 1, 2, -1
_SAME_KIND = {"OFFER": "INFORM", "RECOMMEND": "INFORM", "SUGGEST": "INFORM", "SELECT": "INFORM"}
# Corpora whose texts say nothing beside their claims, by and large, and whose English is sound.
_NOTHING_ELSE = frozenset((
    "sgd", "viggo", "rnnlg", "dart", "rel2text", "pararel_synth", "multiwoz_templates", "wdv", "plain_acts",
    "plain_facts", "plain_dart",
))  # fmt: skip
_SOUND = frozenset((
    "sgd", "dart", "rel2text", "pararel_synth", "viggo", "plain", "webnlg_train_seencat", "plain_acts", "plain_facts",
))  # fmt: skip


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
    """All records, to draw from: by service, and what to put in place of other words, values, slots and services."""

    records: list[Record]
    wordings: Wordings
    by_service: dict[str, list[int]]
    content: list[str]
    names: list[str]
    keys: list[str]
    services: list[str]
    usage: Usage

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
        return cls(records, wordings, by_service, sorted(content), values, keys, services, usage)

    def another(self, service: str, chance: random.Random) -> Record:
        """A random record of the service."""
        return self.records[chance.choice(self.by_service[service])]


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
