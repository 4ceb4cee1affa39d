"""From a request to what the model reads and what its text must satisfy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controldag.checkpoint.folder import Checkpoint
from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.settings import GenerationSettings
from controldag.data.linearise import Lineariser
from controldag.data.records import Example
from controldag.data.templates import Templates
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.generation.demands import Demands, demands_of, good_length
from controldag.generation.odd_input import odd_acts
from controldag.generation.request import Request
from controldag.generation.result import Stopwatch
from controldag.runtime.predict import GraphPredictor, Source
from controldag.text.expected_length import ACTS, TRIPLES, InputReader
from controldag.text.mark_tokens import MarkTokens

if TYPE_CHECKING:
    from controldag.model.twin.predict import ArPredictor

# Vertices beyond those that the required phrases fill: room for the words between them.
_ROOM = 12


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that has passed its checks: what the model reads, and what the text must satisfy."""

    request: Request
    example: Example
    values: MarkedValues
    source: Source
    demands: Demands
    watch: Stopwatch

    @property
    def size(self) -> int:
        """What a length model predicts from: the tokens expected of the text, or else those of the input."""
        return len(self.source.ids) if self.source.expected is None else round(self.source.expected)


@dataclass(frozen=True, slots=True)
class Reading:
    """A model's way to read requests, with the settings, lists and templates of the moment."""

    checkpoint: Checkpoint
    predictor: GraphPredictor | ArPredictor
    settings: GenerationSettings
    knowledge: Knowledge
    templates: Templates | None
    linearise: Lineariser
    marks: MarkTokens
    reader: InputReader
    clock: Callable[[], float]

    def prepare(self, request: Request, *, says_phrases: bool) -> Prepared:
        """The first stages: check, linearise, cut into tokens, and find out what the text must satisfy.

        `says_phrases`: the decoder promises the required phrases, so that the tokens must be able to spell them.
        """
        watch = Stopwatch(self.clock)
        with watch.stage("linearise"):
            example = request.example()
            text, values = self.read(example)
            ids = [*self.checkpoint.tokenizer.encode(text), self.predictor.eos]
            surfaces = self.predictor.surfaces.changed(self.marks.spelling(values))
            expected = self._expected_length(example, ids)
        with watch.stage("constraints"):
            demands = self.demands(request, example, values.words).spelled_by(surfaces)
            if says_phrases:
                demands.refuse_unspelled()
            needed = demands.needed
            asked = sorted({token for tokens in demands.kept_tokens for token in tokens})  # as `prune` asks for them
            source = Source(ids, needed + _ROOM if needed else 2, surfaces, asked, expected)
            size = len(ids) if expected is None else round(expected)
            length = request.bounds or good_length(self.settings, self.knowledge.length, size, needed)
            self.predictor.check(source)
        demands = replace(demands, length=length, bound_is_ours=request.bounds is None)
        return Prepared(request, example, values, source, demands, watch)

    def read(self, example: Example) -> tuple[str, MarkedValues]:
        """The input as the model reads it, in the order it was trained on, and the values that have marks in it."""
        self._check_kind(example)
        ordered = example if self.knowledge.order is None else self.knowledge.order.sort(example)
        words, rule = self.predictor.word_marks, self.knowledge.schema_words
        first = len(self.marks) - words
        values = MarkedValues.of(ordered, self.knowledge.schema, first, self.predictor.marked)
        text = self.linearise(values.in_input(ordered))
        if not words or rule is None:
            return text, values
        values = values.with_words(rule.of(text, words), first)
        return values.in_schema(text), values

    def demands(self, request: Request, example: Example, pointed: Sequence[str] = ()) -> Demands:
        """What the text must satisfy, before anything is spelled."""
        return demands_of(example, request.wanted, self.settings, self.knowledge, pointed)

    def oddities(self, example: Example) -> tuple[str, ...]:
        """What is odd about the input."""
        return odd_acts(example, self.knowledge, self.templates)

    def tokens(self, text: str) -> int:
        """How long a text is, `</s>` counted."""
        return len(self.checkpoint.tokenizer.encode(text)) + 1

    def _expected_length(self, example: Example, ids: Sequence[int]) -> float | None:
        """Tokens that the text is expected to have, for models that size their graphs by that; else None."""
        expected = self.predictor.expected_length
        if expected is None:
            return None
        return expected.of(TRIPLES if example.triples else ACTS, self.reader.counts(ids))

    def _check_kind(self, example: Example) -> None:
        """InvalidInput where the model reads acts and these are triples, or the other way round."""
        wanted, other = ("triples", "acts") if self.settings.task == "triples" else ("acts", "triples")
        if not getattr(example, wanted):
            given = getattr(example, other)
            raise InvalidInput.of(
                "input", f"hold {wanted} for {self.checkpoint.name}", given, remedy=f"Use a model for {other}."
            )
