"""Examples without end: records drawn, made false in most cases, put in words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from controldag.verifier.claims import FACT
from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.training.compose import compose
from controldag.verifier.training.draft import MISSING, UNKNOWN, Draft, World, draft_of
from controldag.verifier.training.falsify import ACT_WAYS, FACT_WAYS
from controldag.verifier.training.garble import garble
from controldag.verifier.training.own_words import in_own_words
from controldag.verifier.training.wording import WordingOptions, worded

# How often each corpus is drawn from.
SHARES = {
    "sgd": 0.35, "plain_acts": 0.09, "plain_facts": 0.04, "plain_dart": 0.04, "sgd_train_user": 0.05,
    "multiwoz_templates": 0.03, "multiwoz_valtest": 0.04, "rnnlg": 0.03, "star": 0.04, "camrest": 0.01,
    "crosswoz_en": 0.01, "viggo": 0.02, "taskmaster3_part": 0.01, "dart": 0.11, "rel2text": 0.05, "wdv": 0.01,
    "pararel_synth": 0.03, "webnlg_train_seencat": 0.01, "plain": 0.12,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """An example, and what is true of it: a verdict a claim, and of the text whether it says more or is broken.

    odd: by word of the text, whether a reader stumbles there.
    """

    claims: ClaimLayout
    text: TextLayout
    verdicts: list[int]
    extra: int
    broken: int
    odd: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions:
    """How often claims are made false, English broken, texts made from wordings or put together; how words vary."""

    false: float = 0.62
    garbled: float = 0.22
    own_words: float = 0.08
    composed: float = 0.25
    wording: WordingOptions = field(default_factory=WordingOptions)


def examples(world: World, options: StreamOptions, chance: random.Random) -> Iterator[Example]:
    """One after another, without end."""
    by_source: dict[str, list[int]] = {}
    for number, record in enumerate(world.records):
        by_source.setdefault(record.source, []).append(number)
    sources = [name for name in SHARES if name in by_source]
    weights = [SHARES[name] for name in sources]
    while True:
        for source in chance.choices(sources, weights, k=256):
            draft = draft_of(world.records[chance.choice(by_source[source])])
            yield _made(draft, world, options, chance)


def _made(draft: Draft, world: World, options: StreamOptions, chance: random.Random) -> Example:
    if not draft.claims:
        if chance.random() < 0.5:
            garble(draft, world, chance)
    else:
        if chance.random() < options.own_words:
            in_own_words(draft, world, chance)
        if chance.random() < options.composed:
            compose(draft, world, chance)
        if chance.random() < options.garbled:
            garble(draft, world, chance)
        elif MISSING not in draft.verdicts and chance.random() < options.false:
            _falsify(draft, world, chance)
        if chance.random() < 0.3:
            _reorder(draft, chance)
    claims, text = worded(draft, world, chance, options.wording)
    return Example(claims, text, draft.verdicts, draft.extra, draft.broken, _odd(draft))


def _odd(draft: Draft) -> list[int]:
    """By word of the text: 1 where a reader stumbles, UNKNOWN right before and after it, 0 elsewhere."""
    lengths = [1 if isinstance(item, str) else len(draft.values[item]) for item in draft.text]
    if draft.broken != 1:
        return [draft.broken] * sum(lengths)
    marks = [mark for mark, length in zip(draft.odd, lengths, strict=True) for _ in range(length)]
    near = [any(marks[max(0, i - 1) : i + 2]) for i in range(len(marks))]
    return [1 if mark else UNKNOWN if beside else 0 for mark, beside in zip(marks, near, strict=True)]


def _falsify(draft: Draft, world: World, chance: random.Random) -> None:
    ways = FACT_WAYS if draft.claims[0].head == FACT else ACT_WAYS
    functions, weights = [way for way, _ in ways], [weight for _, weight in ways]
    wanted = chance.choice((1, 1, 1, 2))
    for _ in range(8):
        if chance.choices(functions, weights)[0](draft, world, chance):
            wanted -= 1
            if not wanted or UNKNOWN in draft.verdicts:
                return


def _reorder(draft: Draft, chance: random.Random) -> None:
    order = list(range(len(draft.claims)))
    chance.shuffle(order)
    draft.claims = [draft.claims[place] for place in order]
    draft.verdicts = [draft.verdicts[place] for place in order]
