"""One way of making turns harder: the turns it applies to, before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from controldag.data.records import Example
from controldag.data.schema import Schema

Change = Callable[[Example], Example | None]
"""The harder turn; None where the change does not apply."""


@dataclass(frozen=True, slots=True)
class Variant:
    """untouched[i] became changed[i]. schema: that of the changed turns, where it changed too."""

    name: str
    untouched: tuple[Example, ...]
    changed: tuple[Example, ...]
    schema: Schema | None = None

    @classmethod
    def of(
        cls, name: str, examples: Iterable[Example], change: Change, most: int, schema: Schema | None = None
    ) -> Variant:
        """The first `most` examples that the change applies to."""
        pairs = ((example, changed) for example in examples if (changed := change(example)) is not None)
        taken = list(islice(pairs, most))
        return cls(name, tuple(before for before, _ in taken), tuple(after for _, after in taken), schema)
