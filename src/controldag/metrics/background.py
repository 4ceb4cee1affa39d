"""What texts are judged against beside their own lines: schema, training data, word lists, rules, known values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controldag.data.occurrence import OccurrenceRules
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.foreign_values import KnownValues
from controldag.metrics.seen import Seen
from controldag.text.paper_words import evaluation_vocabulary
from controldag.text.words import WordFile


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What is known of the data a system was trained on.

    seen: services and relations that occur. references: all of them, to tell which targets are verbatim in them.
    words: theirs and the schema's, for the strict neologism rate. rules: None without triples.
    """

    seen: Seen
    references: frozenset[str]
    words: WordFile
    known: KnownValues
    rules: OccurrenceRules | None
    source: str

    @classmethod
    def of(cls, examples: Iterable[Example], schema: Schema | None = None, *, source: str = "") -> TrainingData:
        """Everything, from one pass over the file."""
        kept = list(examples)
        references = frozenset(reference for example in kept for reference in example.references)
        triples = any(example.triples for example in kept)
        return cls(
            seen=Seen.of(kept),
            references=references,
            words=evaluation_vocabulary(references, (), schema, source=source),
            known=KnownValues.of(kept, schema, source=source),
            rules=OccurrenceRules.learn(kept, source=source) if triples else None,
            source=source,
        )


@dataclass(frozen=True, slots=True)
class Background:
    """neo_words: the paper's evaluation vocabulary. training: None where it is not known."""

    schema: Schema | None
    neo_words: WordFile
    rules: OccurrenceRules | None = None
    training: TrainingData | None = None

    @classmethod
    def of(
        cls,
        schema: Schema | None,
        data: Sequence[Example],
        training: TrainingData | None = None,
        *,
        source: str = "",
        rules: OccurrenceRules | None = None,
    ) -> Background:
        """For the data file `data`, all of it, whose words join those of the training data, as in the paper.

        `rules` are used where there is no training data to learn them from.
        """
        references = [reference for example in data for reference in example.references]
        corpus = [*references, *(training.references if training is not None else ())]
        names = ", ".join(name for name in (training.source if training is not None else "", source) if name)
        return cls(
            schema=schema,
            neo_words=evaluation_vocabulary(corpus, references, schema, source=names),
            rules=training.rules if training is not None and training.rules is not None else rules,
            training=training,
        )
