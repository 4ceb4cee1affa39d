"""What a checkpoint knows beside its weights."""

from __future__ import annotations

from dataclasses import dataclass

from controldag.constraints import WordList
from controldag.data.act_order import ActOrder
from controldag.data.occurrence import OccurrenceRules
from controldag.data.schema import Schema
from controldag.data.schema_words import SchemaWords
from controldag.text.length import LengthModel


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a checkpoint brings beside its weights; any of it may be missing.

    learnt: the services, or the relations, that it was trained on. learnt_words: of each such service's schema.
    """

    schema: Schema | None = None
    words: WordList | None = None
    rules: OccurrenceRules | None = None
    length: LengthModel | None = None
    order: ActOrder | None = None
    learnt: frozenset[str] = frozenset()
    learnt_words: tuple[frozenset[str], ...] = ()
    schema_words: SchemaWords | None = None  # which words of the schema are pointed at
