"""`ControlDag`: the stages of the paper's figure, in its order, from acts or triples to a checked text."""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from controldag.checkpoint.choice import ModelChoice
from controldag.checkpoint.folder import Checkpoint, Lists
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import Constraint
from controldag.dag import Dag
from controldag.data.linearise import LinearisationOptions, Lineariser, make_lineariser
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.drawing.choose import Caps
from controldag.errors import ControlDagError, InvalidInput, MissingDependency, OddInput
from controldag.generation.backend import Backend, Outcome, caught
from controldag.generation.demands import verdicts
from controldag.generation.graph_backend import GraphBackend
from controldag.generation.reading import Prepared, Reading
from controldag.generation.request import HowLong, Request, What, request_for
from controldag.generation.result import Result, Stopwatch
from controldag.generation.template_backend import TEMPLATES, TemplateBackend
from controldag.generation.twin_backend import TwinBackend
from controldag.inspection.evidence import Judgement
from controldag.inspection.inspection import DEFAULT_VIEW, Inspection, inspect_dag
from controldag.inspection.view import Other, View
from controldag.runtime.predict import GraphPredictor, RuntimePredictor
from controldag.search.exact import Limits
from controldag.search.result import Hypothesis
from controldag.surfaces import Surfaces
from controldag.text.expected_length import InputReader
from controldag.text.mark_tokens import MarkTokens
from controldag.verifier.bundled import bundled_verifier

if TYPE_CHECKING:
    from controldag.model.twin.predict import ArPredictor


class Progress(Protocol):
    """Called with how many texts of how many are done."""

    def __call__(self, done: int, total: int) -> None: ...


class ControlDag:
    """A checkpoint ready to generate. Every stage can be called alone: `prepare`, `predict`, `decode`."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        predictor: GraphPredictor | ArPredictor,
        *,
        settings: GenerationSettings | None = None,
        templates: Templates | None = None,
    ) -> None:
        self.checkpoint = checkpoint
        self.predictor = predictor
        self.settings = settings or checkpoint.settings
        self.templates = templates
        self.knowledge = checkpoint.knowledge
        self.linearise = self._lineariser()
        self.limits = Limits(max_seconds=math.inf)  # what it says must not depend on how fast the machine is
        self.threads = os.cpu_count() or 1  # that search the graphs of a batch
        self.clock: Callable[[], float] = time.perf_counter  # of the stages, in seconds
        self._marks = MarkTokens(checkpoint.tokenizer)
        self._reader = InputReader(checkpoint.tokenizer, len(self._marks) - predictor.word_marks)
        self._lists = Lists(checkpoint)
        self._lists.ngrams(self.settings.language_model)  # read now, not with the first request

    @classmethod
    def from_pretrained(
        cls,
        name: str | Path,
        *,
        device: str = "cpu",
        precision: str = "",
        schema: Schema | None = None,
        templates: Templates | None = None,
        like: str | Path = "",
        revision: str = "",
        variant: str = "",
    ) -> ControlDag:
        """The bundled checkpoint of that name, the one in a folder, or of a Hub id (`owner/name`), on `device`.

        `schema` replaces its own. `revision`: of a Hub id, a branch, tag or commit. `variant`: see `variant`.

        `precision`: on a CPU float32 (default) or int8, on a GPU bfloat16 (default) or float32. `like`: for a folder
        with weights and tokenizer only, the checkpoint whose settings and lists it takes. A folder of an
        autoregressive twin opens as well, for the decoders `ar-…`.
        """
        checkpoint = Checkpoint.open(name, schema=schema, like=like, revision=revision)
        settings = checkpoint.settings.variant(variant) if variant else None
        surfaces = Surfaces.of(checkpoint.tokenizer, MarkTokens(checkpoint.tokenizer).ids)
        predictor = _predictor(checkpoint, surfaces, device, precision)
        return cls(checkpoint, predictor, settings=settings, templates=templates)

    @classmethod
    def from_choice(cls, choice: ModelChoice) -> ControlDag:
        """The model that was chosen, with schema and templates read from their files."""
        return cls.from_pretrained(
            choice.name,
            device=choice.device,
            precision=choice.precision,
            schema=choice.read_schema(),
            templates=choice.read_templates(),
            like=choice.like,
            variant=choice.variant,
        )

    @property
    def schema(self) -> Schema | None:
        """The services that it can talk about, with their slots; None for triples without any."""
        return self.knowledge.schema

    def with_settings(self, settings: GenerationSettings) -> ControlDag:
        """The same model decoded otherwise; what was loaded is shared."""
        made = copy(self)
        made.settings = settings
        made._lists.ngrams(settings.language_model)
        return made

    def variant(self, name: str) -> ControlDag:
        """The same model decoded as the checkpoint's variant of that name says: `fast`, `best`."""
        return self.with_settings(self.checkpoint.settings.variant(name))

    def with_schema(self, schema: Schema) -> ControlDag:
        """The same model for other services; weights and lists are shared."""
        other = copy(self)
        other.knowledge = replace(self.knowledge, schema=schema)
        other.linearise = other._lineariser()
        return other

    def generate(
        self,
        what: What,
        *,
        service: str = "",
        constraint: Constraint | None = None,
        length: HowLong | None = None,
        n_best: int = 1,
        decoder: str = "",
    ) -> Result:
        """One text for acts or triples, with everything known about it; raises where none can satisfy all demands.

        What is odd about the input comes as an `OddInput` warning, too. Arguments: see `Request`.
        """
        result = self.generate_batch([Request(what, service, constraint, length, n_best, decoder)])[0]
        if isinstance(result, ControlDagError):
            raise result
        for each in result.warnings:
            warnings.warn(each, OddInput, stacklevel=2)
        return result

    def generate_batch(
        self, requests: Sequence[Request | What], *, progress: Progress | None = None
    ) -> list[Result | ControlDagError]:
        """By request, in order: its result, or the error that it met; one bad request leaves the others alone.

        Acts or triples alone are requests as well, where they need no service.
        """
        asked = [request_for(each) for each in requests]
        results: dict[int, Outcome] = {}
        for backend, places in self._backends(asked):
            for finished in backend.outcomes([asked[place] for place in places]):
                results |= {places[number]: outcome for number, outcome in finished}
                if progress is not None and finished:
                    progress(len(results), len(requests))
        return [results[place] for place in range(len(requests))]

    def predict_dag(self, what: What, *, service: str = "", constraint: Constraint | None = None) -> Dag:
        """The model's graph for acts or triples, large enough for the phrases of the input and the constraint."""
        return self.predict([self.prepare(Request(what, service, constraint))])[0]

    def explain(self, what: What, *, service: str = "", constraint: Constraint | None = None) -> str:
        """Lines that say what is generated, what it had to satisfy and where it does, and what that cost."""
        return self.generate(what, service=service, constraint=constraint).explain()

    def inspect(self, request: Request, caps: Caps | None = None) -> Inspection:
        """What happens to one request, to look at: its graph, the path taken and the greedy one, constraints, time."""
        if (request.decoder or self.settings.decoder) == TEMPLATES:
            raise InvalidInput.of("decoder", "be one that reads a graph", TEMPLATES, remedy="Name another.")
        item = self.prepare(request)
        dag = self.predict([item])[0]
        return self.inspection_of(item, dag, self.answer(item, dag), View() if caps is None else View(caps))

    def inspection_of(
        self, item: Prepared, dag: Dag, result: Result, view: View = DEFAULT_VIEW, found: Outcome | None = None
    ) -> Inspection:
        """What `answer` gave, to look at, beside what others say: decoders, and the search if its text gave way."""
        about = (self.checkpoint.name, self._reading.read(item.example)[0])
        laid = inspect_dag(
            dag, result, item.demands.constraint, about=about, judge=partial(self._judgement, item), view=view
        )
        said = [found] if isinstance(found, Result) and found.text != result.text else []
        for name in view.compare:
            alone = replace(item, request=replace(item.request, decoder=name, n_best=1), watch=Stopwatch(self.clock))
            other = caught(partial(self.decode, alone, dag))
            said += [other] if isinstance(other, Result) else []
        others = (Other(each.decoder, each.text, self._judgement(item, each.n_best[0])) for each in said)
        return replace(laid, others=tuple(others))

    def prepare(self, request: Request) -> Prepared:
        """The first stages: check, linearise, cut into tokens, and find out what the text must satisfy."""
        return self._backend.prepare(request)

    def predict(self, items: Sequence[Prepared]) -> list[Dag]:
        """The Dags of prepared requests, from one forward pass; each item is charged an equal share of its time."""
        return self._graphs.started(items)()

    def decode(self, item: Prepared, dag: Dag, limits: Limits | None = None) -> Result:
        """The last stages: prune, search under the demands (within `limits`), check the string once more, and tell."""
        return self._graphs.decode(item, dag, limits)

    def answer(self, item: Prepared, dag: Dag) -> Result:
        """What `decode` finds if a verifier accepts it, else what the cascade says; with `trust: graph` as `decode`."""
        return self._graphs.answer(item, dag)

    def at_once(self, item: Prepared) -> Result | None:
        """What is said plainly before any graph is predicted, of kinds that the model does not know; else None."""
        return self._graphs.at_once(item)

    def settle(self, item: Prepared, dag: Dag, found: Outcome) -> Result:
        """The answer, once `decode` has found this or met this error."""
        return self._graphs.settle(item, dag, found)

    def _backends(self, requests: Sequence[Request]) -> Iterator[tuple[Backend, list[int]]]:
        """Who says which of the requests: templates those that ask for them, the model all others."""
        by_templates = [place for place, request in enumerate(requests) if request.decoder == TEMPLATES]
        others = [place for place, request in enumerate(requests) if request.decoder != TEMPLATES]
        if by_templates:
            yield TemplateBackend(self._reading), by_templates
        if others:
            yield self._backend, others

    @property
    def _backend(self) -> GraphBackend | TwinBackend:
        return TwinBackend(self._reading) if self.predictor.autoregressive else self._graphs

    @property
    def _graphs(self) -> GraphBackend:
        return GraphBackend(self._reading, self._lists, self.limits, self._pool if self.threads > 1 else None)

    @property
    def _reading(self) -> Reading:
        return Reading(
            self.checkpoint,
            self.predictor,
            self.settings,
            self.knowledge,
            self.templates,
            self.linearise,
            self._marks,
            self._reader,
            self.clock,
        )

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def _judgement(self, item: Prepared, found: Hypothesis) -> Judgement:
        """Of a text that nobody promised anything about: what it satisfies, and whether it says what it should."""
        met = verdicts(item.demands, item.request.bounds, found.text, found.length, tokens=found.tokens)
        if not self._graphs.trusts_verifier(item.request):
            return Judgement(met)
        return Judgement(met, bundled_verifier().verify(item.example, [found.text], self.knowledge.schema)[0])

    def _lineariser(self) -> Lineariser:
        name, separator = self.predictor.lineariser
        options = LinearisationOptions(name, separator)
        return make_lineariser(options, schema=self.knowledge.schema, templates=self.templates)


def _predictor(checkpoint: Checkpoint, surfaces: Surfaces, device: str, precision: str) -> GraphPredictor | ArPredictor:
    """The checkpoint's model where it runs fastest: on a CPU without torch, unless it says one token after another."""
    folder, tokenizer = checkpoint.folder, checkpoint.tokenizer_model
    if device == "cpu" and not checkpoint.autoregressive:
        return RuntimePredictor.load(folder, surfaces, tokenizer=tokenizer, precision=precision)
    try:
        from controldag.model.inference.predict import TorchPredictor
        from controldag.model.twin.predict import ArPredictor
    except ImportError as error:
        raise MissingDependency.of("torch and transformers", "model", "Such a model or device") from error
    kind: type[TorchPredictor | ArPredictor] = ArPredictor if checkpoint.autoregressive else TorchPredictor
    return kind.load(folder, surfaces, tokenizer=tokenizer, device=device, precision=precision)
