"""DART's training inputs, and parts of them, in the words of a model, each text verified; else said plainly.

People say more than the triples in a third of DART's texts, and each in their own way. A graph that chooses its words
independently learns one right way more easily (docs/decisions/0018-distillation.md).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from controldag.data.records import Example
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.training.augment import part_of

_AT_ONCE = 32


def inputs_to_tell(examples: Sequence[Example], parts: int, chance: random.Random) -> list[Example]:
    """Every set of triples once, and so many new ones that are parts of them."""
    whole: dict[frozenset[object], Example] = {}
    for example in examples:
        whole.setdefault(frozenset(example.triples), replace(example, references=()))
    found: dict[frozenset[object], Example] = {}
    for example in whole.values():
        part = part_of(example, chance)
        if part is not None and frozenset(part.triples) not in whole:
            found.setdefault(frozenset(part.triples), part)
    return [*whole.values(), *chance.sample(list(found.values()), min(parts, len(found)))]


def told(nlg: ControlDag, inputs: Sequence[Example], progress: Callable[[int], None]) -> Iterator[tuple[Example, str]]:
    """Each input with the text that the verified model says of it, and where the text is from."""
    for start in range(0, len(inputs), _AT_ONCE):
        batch = inputs[start : start + _AT_ONCE]
        for example, result in zip(batch, nlg.generate_batch(batch), strict=True):
            if isinstance(result, Result) and (result.verified or result.origin == "plain"):
                yield replace(example, references=(result.text,)), str(result.origin)
        progress(start + len(batch))
