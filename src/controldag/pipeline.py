"""`ControlDag`: the stages of the paper's figure, in its order, from acts or triples to a checked text."""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from controldag.checkpoint.folder import Checkpoint
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import Constraint, Length
from controldag.dag import Dag, Surfaces
from controldag.data.linearise import LinearisationOptions, Lineariser, make_lineariser
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.data.value_marks import MarkedValues
from controldag.drawing.choose import Caps
from controldag.errors import (
    ControlDagError,
    InvalidInput,
    LatticeTooLarge,
    MissingDependency,
    OddInput,
    SearchTooLong,
)
from controldag.generation.cascade import CASCADE, Cascade, patience
from controldag.generation.decoders import DecodingTask, PaperWords, decode, decoder, decoders_of
from controldag.generation.demands import Demands, demands_of, good_length
from controldag.generation.odd_input import odd_acts
from controldag.generation.request import HowLong, Request, What, request_for
from controldag.generation.result import Result, Stopwatch
from controldag.generation.verdicts import verdicts
from controldag.generation.word_by_word import LONGEST, WordByWord, forced_tokens, said
from controldag.inspection.evidence import Judgement
from controldag.inspection.inspection import DEFAULT_VIEW, Inspection, inspect_dag
from controldag.inspection.view import Other, View
from controldag.runtime.predict import GraphPredictor, RuntimePredictor, Source
from controldag.search.exact import Limits
from controldag.search.result import Hypothesis
from controldag.text.expected_length import ACTS, TRIPLES, InputReader
from controldag.text.mark_tokens import MarkTokens
from controldag.verifier.bundled import bundled_verifier

if TYPE_CHECKING:
    from controldag.model.ar_predict import ArPredictor
    from controldag.model.steps import Hypothesis as Tokens

T = TypeVar("T")
TEMPLATES = "templates"
_TWINS_DECODER = "ar-constrained-beam"
# Vertices beyond those that the required phrases fill: room for the words between them.
_ROOM = 12


class Progress(Protocol):
    """Called with how many texts of how many are done."""

    def __call__(self, done: int, total: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that has passed its checks: what the model reads, and what the text must satisfy."""

    request: Request
    example: Example
    values: MarkedValues
    source: Source
    demands: Demands
    watch: Stopwatch


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
        self._twin = predictor.autoregressive
        self._marks = MarkTokens(checkpoint.tokenizer)
        self._reader = InputReader(checkpoint.tokenizer, len(self._marks) - predictor.word_marks)
        self._paper_dictionary = checkpoint.paper_dictionary()
        self._ngrams = checkpoint.ngram_weights(self.settings.language_model)

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

    @property
    def schema(self) -> Schema | None:
        """The services that it can talk about, with their slots; None for triples without any."""
        return self.knowledge.schema

    def with_settings(self, settings: GenerationSettings) -> ControlDag:
        """The same model decoded otherwise; what was loaded is shared."""
        made = copy(self)
        made.settings = settings
        if settings.language_model != self.settings.language_model:
            made._ngrams = self.checkpoint.ngram_weights(settings.language_model)
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
        results: list[Result | ControlDagError | None] = [None] * len(requests)
        ready: list[tuple[int, Prepared]] = []
        for index, request in enumerate(asked):
            outcome = caught(partial(self._template_or_prepared, request))
            if isinstance(outcome, Prepared):
                ready.append((index, outcome))
            else:
                results[index] = outcome
        done = len(requests) - len(ready)
        groups = [[ready[i] for i in batch] for batch in self.predictor.batches([item.source for _, item in ready])]
        for members, outcomes in zip(
            groups, self._outcomes([[item for _, item in each] for each in groups]), strict=True
        ):
            for (index, _), outcome in zip(members, outcomes, strict=True):
                results[index] = outcome
            done += len(members)
            if progress is not None:
                progress(done, len(requests))
        return [result for result in results if result is not None]

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
        return self.lay_open(item, dag, self.answer(item, dag), View() if caps is None else View(caps))

    def lay_open(
        self,
        item: Prepared,
        dag: Dag,
        result: Result,
        view: View = DEFAULT_VIEW,
        found: Result | ControlDagError | None = None,
    ) -> Inspection:
        """What `answer` gave, to look at, beside what others say: decoders, and the search if its text gave way."""
        about = (self.checkpoint.name, self._read(item.example)[0])
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

    def _judgement(self, item: Prepared, found: Hypothesis) -> Judgement:
        """Of a text that nobody promised anything about: what it satisfies, and whether it says what it should."""
        met = verdicts(item.demands, item.request.bounds, found.text, found.length, tokens=found.tokens)
        if not self._trusts_verifier(item.request):
            return Judgement(met)
        return Judgement(met, bundled_verifier().verify(item.example, [found.text], self.knowledge.schema)[0])

    def prepare(self, request: Request) -> Prepared:
        """The first stages: check, linearise, cut into tokens, and find out what the text must satisfy."""
        watch = Stopwatch(self.clock)
        self._check_decoder(request)
        with watch.stage("linearise"):
            example = request.example()
            text, values = self._read(example)
            ids = [*self.checkpoint.tokenizer.encode(text), self.predictor.eos]
            surfaces = self.predictor.surfaces.changed(self._marks.spelling(values))
            expected = self._expected_length(example, ids)
        with watch.stage("constraints"):
            demands = demands_of(example, request.wanted, self.settings, self.knowledge, values.words)
            demands = demands.spelled_by(surfaces)
            if decoder(self._decoder_of(request)).phrases:
                demands.refuse_unspelled()
            needed = sum(len(surfaces.spell(phrase)) for phrase in demands.room_for)
            size = len(ids) if expected is None else round(expected)
            length = request.bounds or good_length(self.settings, self.knowledge.length, size, needed)
            source = replace(self._source(ids, needed, surfaces, demands.keep), expected=expected)
        demands = replace(demands, length=length, bound_is_ours=request.bounds is None)
        return Prepared(request, example, values, source, demands, watch)

    def predict(self, items: Sequence[Prepared]) -> list[Dag]:
        """The Dags of prepared requests, from one forward pass; each item is charged an equal share of its time."""
        return self._started(items)()

    def _started(self, items: Sequence[Prepared]) -> Callable[[], list[Dag]]:
        """The forward pass set going: the Dags come with the call, and a GPU computes until then."""
        watch, predictor = Stopwatch(self.clock), self._dag_predictor()
        with watch.stage("forward"):
            running = predictor.start([item.source for item in items], best=self.settings.emissions)

        def finish() -> list[Dag]:
            with watch.stage("forward"):
                dags = running()
            for item in items:
                item.watch.add("forward", watch.ms["forward"] / len(items))
            return dags

        return finish

    def decode(self, item: Prepared, dag: Dag, limits: Limits | None = None) -> Result:
        """The last stages: prune, search under the demands (within `limits`), check the string once more, and tell."""
        name = self._decoder_of(item.request)
        if decoder(name).phrases:
            item.demands.refuse_unspelled()
        task = DecodingTask(dag, item.demands, self.settings, n_best=item.request.n_best, limits=limits or self.limits)
        task.watch = item.watch
        if name == "control-dag-paper":
            model = self.knowledge.length
            size = len(item.source.ids) if item.source.expected is None else round(item.source.expected)
            target = None if model is None else model.predict(size)
            task.paper = PaperWords(self._paper_dictionary, target)
        if name == "control-dag" and self._ngrams is not None:
            task.weights = self._ngrams.of(self._marks, item.values)
        found = decode(name, task)
        return self._result(name, item, found, self._extra_cost(name, task, found[0]), task.left_out)

    def answer(self, item: Prepared, dag: Dag) -> Result:
        """What `decode` finds if a verifier accepts it, else what the cascade says; with `trust: graph` as `decode`."""
        if not self._verifies(item.request) or item.request.n_best > 1:
            # Who asks for a list wants the graph's texts, however long they take.
            return self.settle(item, dag, caught(partial(self.decode, item, dag)))
        try:
            return self.settle(item, dag, caught(partial(self.decode, item, dag, patience(self.limits))))
        except (LatticeTooLarge, SearchTooLong):
            return self.decode(item, dag)  # no plain sentence keeps the constraints: all the time there is

    def settle(self, item: Prepared, dag: Dag, found: Result | ControlDagError) -> Result:
        """The answer, once `decode` has found this or met this error."""
        if self._verifies(item.request):
            with item.watch.stage("verify"):
                found = self._cascade.answer(SearchedItem(self, item, dag), found)
        if isinstance(found, ControlDagError):
            raise found
        return self._warned(item.example, found)

    def _warned(self, example: Example, result: Result) -> Result:
        return replace(result, warnings=odd_acts(example, self.knowledge, self.templates))

    @property
    def _cascade(self) -> Cascade:
        return Cascade(bundled_verifier(), self.knowledge, self.templates)

    def _verifies(self, request: Request) -> bool:
        """Whether the text is to be verified: unless a decoder is named, the kind of model has none, or the graph is
        trusted.
        """
        named = request.decoder and request.decoder != CASCADE
        return not named and not self._twin and self._trusts_verifier(request)

    def _trusts_verifier(self, request: Request) -> bool:
        return (request.trust or self.settings.trust) == "verified"

    def say(self, items: Sequence[Prepared]) -> list[Result | ControlDagError]:
        """What an autoregressive twin says for prepared requests of one decoder, decoded together, in order."""
        from controldag.model.ar_predict import Saying

        name = self._decoder_of(items[0].request)
        predictor, words = self._ar_predictor(), decoder(name).words or WordByWord()
        surfaces = [item.source.surfaces or predictor.surfaces for item in items]
        watch = Stopwatch(self.clock)
        with watch.stage("decode"):
            forced = None
            if words.forced:
                tokenizer = self.checkpoint.tokenizer
                forced = [forced_tokens(i.demands, s, tokenizer) for i, s in zip(items, surfaces, strict=True)]
            longest = LONGEST + max((sum(max(map(len, group)) for group in row) for row in forced or ()), default=0)
            beams = self.settings.beams if words.several else 1
            how = Saying(beams, forced, longest, length_penalty=self.settings.length_penalty)
            outputs = predictor.say([item.source for item in items], how)
        results: list[Result | ControlDagError] = []
        for item, output, spelled in zip(items, outputs, surfaces, strict=True):
            item.watch.add("decode", watch.ms["decode"] / len(items))
            results.append(caught(partial(self._spoken, name, item, output, spelled)))
        return results

    def _spoken(self, name: str, item: Prepared, output: Tokens, surfaces: Surfaces) -> Result:
        return self._warned(item.example, self._result(name, item, [said(name, output, surfaces)], None))

    def _outcomes(self, groups: Sequence[Sequence[Prepared]]) -> Iterator[list[Result | ControlDagError]]:
        """The outcomes of each group, in order; the next group's forward pass runs while one is searched."""
        if self._twin:
            yield from map(self._said, groups)
            return
        waiting = [self._started(items) for items in groups[:1]]
        for number, items in enumerate(groups):
            waiting += [self._started(after) for after in groups[number + 1 : number + 2]]
            dags = waiting.pop(0)()
            yield self._decoded(items, dags)

    def _decoded(self, items: Sequence[Prepared], dags: Sequence[Dag]) -> list[Result | ControlDagError]:
        """The outcome of each item, in order, on all cores: the engine searches without the GIL."""

        def outcome(item: Prepared, dag: Dag) -> Result | ControlDagError:
            return caught(partial(self.answer, item, dag))

        if len(items) == 1 or self.threads == 1:
            return [outcome(item, dag) for item, dag in zip(items, dags, strict=True)]
        return list(self._pool.map(outcome, items, dags))

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads)

    def _said(self, items: Sequence[Prepared]) -> list[Result | ControlDagError]:
        """What the twin says for items of several decoders."""
        by_decoder: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            by_decoder.setdefault(self._decoder_of(item.request), []).append(index)
        found: dict[int, Result | ControlDagError] = {}
        for indices in by_decoder.values():
            found |= zip(indices, self.say([items[i] for i in indices]), strict=True)
        return [found[index] for index in range(len(items))]

    def _decoder_of(self, request: Request) -> str:
        default = self.settings.decoder
        if request.decoder == CASCADE:
            return default
        if self._twin and default not in decoders_of(autoregressive=True):
            default = _TWINS_DECODER
        return request.decoder or default

    def _check_decoder(self, request: Request) -> None:
        name = self._decoder_of(request)
        known = decoders_of(autoregressive=self._twin)
        if decoder(name) and name not in known:
            raise InvalidInput.of("decoder", f"be one for this kind of model: {', '.join(known)}", name)
        if self._twin and (request.length is not None or request.n_best > 1):
            what, value = ("length", request.length) if request.length is not None else ("n_best", request.n_best)
            raise InvalidInput.of(what, "be left out with an autoregressive model", value, remedy="Use a DA-T5.")

    def _dag_predictor(self) -> GraphPredictor:
        if not isinstance(self.predictor, GraphPredictor):
            raise InvalidInput.of("model", "predict a graph", self.checkpoint.name, remedy="Use a DA-T5.")
        return self.predictor

    def _ar_predictor(self) -> ArPredictor:
        from controldag.model.ar_predict import ArPredictor

        if not isinstance(self.predictor, ArPredictor):
            raise InvalidInput.of("model", "be autoregressive", self.checkpoint.name, remedy="Use its twin.")
        return self.predictor

    def _result(
        self,
        name: str,
        item: Prepared,
        found: Sequence[Hypothesis],
        extra: float | None,
        left_out: tuple[str, ...] = (),
    ) -> Result:
        best = found[0]
        with item.watch.stage("check"):
            met = verdicts(item.demands, item.request.bounds, best.text, best.length, tokens=best.tokens)
        return Result(
            text=best.text,
            decoder=name,
            cost=best.cost,
            objective=best.objective,
            length=best.length,
            constraints=met,
            extra_cost=extra,
            left_out=left_out,
            ms=item.watch.ms,
            n_best=tuple(found),
            id=item.request.id or item.example.id,
        )

    def _extra_cost(self, name: str, task: DecodingTask, best: Hypothesis) -> float | None:
        if name != "control-dag":
            return None
        free = task.unconstrained()
        return None if free is None else max(0.0, best.own_objective - free.objective)

    def _read(self, example: Example) -> tuple[str, MarkedValues]:
        """The input as the model reads it, in the order it was trained on, and the values that have marks in it."""
        self._check_kind(example)
        ordered = example if self.knowledge.order is None else self.knowledge.order.sort(example)
        words, rule = self.predictor.word_marks, self.knowledge.schema_words
        first = len(self._marks) - words
        values = MarkedValues.of(ordered, self.knowledge.schema, first, self.predictor.marked)
        text = self.linearise(values.in_input(ordered))
        if not words or rule is None:
            return text, values
        values = values.with_words(rule.of(text, words), first)
        return values.in_schema(text), values

    def _expected_length(self, example: Example, ids: Sequence[int]) -> float | None:
        """Tokens that the text is expected to have, for models that size their graphs by that; else None."""
        expected = self.predictor.expected_length
        if expected is None:
            return None
        return expected.of(TRIPLES if example.triples else ACTS, self._reader.counts(ids))

    def _lineariser(self) -> Lineariser:
        name, separator = self.predictor.lineariser
        options = LinearisationOptions(name, separator)
        return make_lineariser(options, schema=self.knowledge.schema, templates=self.templates)

    def _check_kind(self, example: Example) -> None:
        """InvalidInput where the model reads acts and these are triples, or the other way round."""
        wanted, other = ("triples", "acts") if self.settings.task == "triples" else ("acts", "triples")
        if not getattr(example, wanted):
            given = getattr(example, other)
            raise InvalidInput.of(
                "input", f"hold {wanted} for {self.checkpoint.name}", given, remedy=f"Use a model for {other}."
            )

    def _source(self, ids: Sequence[int], needed: int, surfaces: Surfaces, keep: Sequence[str]) -> Source:
        asked = sorted({token for phrase in keep for token in surfaces.spell(phrase)})  # as `prune` asks for them
        source = Source(ids, needed + _ROOM if needed else 2, surfaces, asked)
        self.predictor.check(source)
        return source

    def _template_or_prepared(self, request: Request) -> Prepared | Result:
        if request.decoder != TEMPLATES:
            return self.prepare(request)
        if self.templates is None:
            raise InvalidInput.of("templates", "be given for this decoder", None, remedy="Name their folder.")
        watch = Stopwatch(self.clock)
        example = request.example()
        demands = demands_of(example, request.wanted, self.settings, self.knowledge)
        with watch.stage("templates"):
            text = self.templates.text(example)
        length = len(self.checkpoint.tokenizer.encode(text)) + 1
        met = verdicts(demands, request.bounds, text, length)
        result = Result(text, TEMPLATES, 0.0, 0.0, length, met, ms=watch.ms, id=request.id or example.id)
        return self._warned(example, result)


@dataclass(frozen=True, slots=True)
class SearchedItem:
    """A prepared request and its graph, for the cascade to ask more of."""

    nlg: ControlDag
    item: Prepared
    dag: Dag

    @property
    def example(self) -> Example:
        return self.item.example

    @property
    def demands(self) -> Demands:
        return self.item.demands

    @property
    def length(self) -> Length | None:
        return self.item.request.bounds

    def more(self, count: int, limits: Limits) -> list[str]:
        """The best texts of the graph, as many as the limits leave time for."""
        asked = replace(self.item, request=replace(self.item.request, n_best=count))
        found = caught(partial(self.nlg.decode, asked, self.dag, limits))
        return [] if isinstance(found, ControlDagError) else [each.text for each in found.n_best]

    def clauses(self, examples: Sequence[Example], limits: Limits) -> list[str | None]:
        """A text for each smaller input; graphs come from one forward pass for each size that the model batches."""
        made = [caught(partial(self.nlg.prepare, Request(example))) for example in examples]
        ready = [(place, each) for place, each in enumerate(made) if isinstance(each, Prepared)]
        texts: list[str | None] = [None] * len(examples)
        for batch in self.nlg.predictor.batches([each.source for _, each in ready]):
            members = [ready[place] for place in batch]
            for (place, each), dag in zip(members, self.nlg.predict([each for _, each in members]), strict=True):
                found = caught(partial(self.nlg.decode, each, dag, limits))
                texts[place] = None if isinstance(found, ControlDagError) else found.text
        return texts

    def tokens(self, text: str) -> int:
        """How long a text is, `</s>` counted."""
        return len(self.nlg.checkpoint.tokenizer.encode(text)) + 1


def _predictor(checkpoint: Checkpoint, surfaces: Surfaces, device: str, precision: str) -> GraphPredictor | ArPredictor:
    """The checkpoint's model where it runs fastest: on a CPU without torch, unless it says one token after another."""
    folder, tokenizer = checkpoint.folder, checkpoint.tokenizer_model
    if device == "cpu" and not checkpoint.autoregressive:
        return RuntimePredictor.load(folder, surfaces, tokenizer=tokenizer, precision=precision)
    try:
        from controldag.model.ar_predict import ArPredictor
        from controldag.model.predict import TorchPredictor
    except ImportError as error:
        raise MissingDependency.of("torch and transformers", "model", "Such a model or device") from error
    kind: type[TorchPredictor | ArPredictor] = ArPredictor if checkpoint.autoregressive else TorchPredictor
    return kind.load(folder, surfaces, tokenizer=tokenizer, device=device, precision=precision)


def caught(action: Callable[[], T]) -> T | ControlDagError:
    """What the action gives, or the error on purpose that it met."""
    try:
        return action()
    except ControlDagError as error:
        return error
