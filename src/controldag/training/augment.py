"""The same sentence about other values, or with its facts in another order: what a model should not go by."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from controldag.data.exchange import exchangeable, exchanged, is_name
from controldag.data.records import Example
from controldag.data.schema import Schema

# Share of exchanged names that come from other slots.
_FROM_OTHER_SLOTS = 0.5


@dataclass(frozen=True, slots=True)
class ValuePools:
    """The values each non-categorical slot takes in the training data, and all that look like names."""

    by_slot: dict[str, tuple[str, ...]]
    names: tuple[str, ...]

    @classmethod
    def collect(cls, examples: Iterable[Example], schema: Schema) -> ValuePools:
        """Pools of the given examples, each value once, sorted."""
        found: dict[str, set[str]] = {}
        for example in examples:
            for act in example.acts:
                if schema.is_non_categorical(example.service, act.slot):
                    found.setdefault(act.slot, set()).update(act.values)
        by_slot = {slot: tuple(sorted(values)) for slot, values in sorted(found.items())}
        names = sorted({value for values in by_slot.values() for value in values if is_name(value)})
        return cls(by_slot, tuple(names))

    def draw(self, slot: str, value: str, chance: random.Random) -> str:
        """Another value for `slot`: of the same slot, or of any where both are names."""
        own = self.by_slot.get(slot, ())
        if is_name(value) and self.names and chance.random() < _FROM_OTHER_SLOTS:
            return chance.choice(self.names)
        alike = chance.choice(own) if own else value
        # A date by a date, a name by a name: a value of another kind would not fit the sentence.
        return alike if is_name(alike) == is_name(value) else value


def exchange_values(example: Example, pools: ValuePools, schema: Schema, chance: random.Random) -> Example:
    """The example with values of non-categorical slots exchanged, in its acts and in its first reference alike.

    A value is exchanged where it stands in the reference exactly once as whole words and in no other value; others
    stay. The result keeps one reference.
    """
    changes = {value: pools.draw(slot, value, chance) for value, slot in exchangeable(example, schema).items()}
    return exchanged(example, changes)


def part_of(example: Example, chance: random.Random) -> Example | None:
    """The example with some of its triples left out and without a text; None where it has one triple."""
    if len(example.triples) < 2:
        return None
    kept = sorted(chance.sample(range(len(example.triples)), chance.randint(1, len(example.triples) - 1)))
    return replace(example, triples=tuple(example.triples[place] for place in kept), references=())


def shuffle(example: Example, chance: random.Random) -> Example:
    """The example with its acts or triples in random order: which value is which must be read, not counted."""
    acts, triples = list(example.acts), list(example.triples)
    chance.shuffle(acts)
    chance.shuffle(triples)
    return replace(example, acts=tuple(acts), triples=tuple(triples))
