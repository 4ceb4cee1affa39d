"""Training examples as a checkpoint's model reads them: what has marks, the input's text, and how large it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.data.linearise import Lineariser
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.schema_words import FILE as WORDS
from controldag.data.schema_words import SchemaWords
from controldag.data.value_marks import NAMES, MarkedValues
from controldag.text.expected_length import ACTS, TRIPLES, ExpectedLength, InputReader
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Marker:
    """The marks of one checkpoint."""

    schema: Schema | None
    linearise: Lineariser
    marked: str
    first_word: int
    word_marks: int
    rule: SchemaWords | None
    reader: InputReader
    expected: ExpectedLength | None

    @classmethod
    def of(
        cls, folder: Path, config: dict[str, Any], schema: Schema | None, linearise: Lineariser, tokenizer: Tokenizer
    ) -> Marker:
        """As the model's config, or that of prepared data, says."""
        words = int(config.get("word_marks", 0))
        first = len(MarkTokens(tokenizer)) - words
        rule = SchemaWords.load(folder / WORDS) if words else None
        weights = config.get("length_weights") if config.get("vertices_per_length") else None
        expected = ExpectedLength(weights) if weights else None
        marked = str(config.get("marked", NAMES))
        return cls(schema, linearise, marked, first, words, rule, InputReader(tokenizer, first), expected)

    def values(self, example: Example) -> MarkedValues:
        """What has marks in the example."""
        values = MarkedValues.of(example, self.schema, self.first_word, self.marked)
        if self.rule is None:
            return values
        words = self.rule.of(self.linearise(values.in_input(example)), self.word_marks)
        return values.with_words(words, self.first_word)

    def text(self, values: MarkedValues, example: Example) -> str:
        """The input as the model reads it."""
        text = self.linearise(values.in_input(example))
        return values.in_schema(text) if values.words else text

    def size(self, ids: Sequence[int], example: Example) -> int:
        """What the length model reads: the tokens of the input, `</s>` counted, or the length expected of its text."""
        if self.expected is None:
            return len(ids) + 1
        kind = TRIPLES if example.triples else ACTS
        return round(self.expected.of(kind, self.reader.counts([*ids, 1])))
