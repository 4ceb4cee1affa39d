"""Texts found in graphs: predicted, searched, and verified or said plainly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

from controldag.checkpoint.folder import Lists
from controldag.constraints import Length
from controldag.dag import Dag
from controldag.data.records import Example
from controldag.errors import ControlDagError, InvalidInput, LatticeTooLarge, SearchTooLong
from controldag.generation.backend import Outcome, Placed, caught, grouped, prepared, result_of, warned
from controldag.generation.cascade import CASCADE, Cascade, patience
from controldag.generation.decoders import Aids, DecodingTask, PaperWords, decode, decoder, decoder_for
from controldag.generation.demands import Demands
from controldag.generation.reading import Prepared, Reading
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch
from controldag.runtime.predict import GraphPredictor
from controldag.search.exact import Limits
from controldag.search.weights import NgramWeights
from controldag.verifier.bundled import bundled_verifier


@dataclass(frozen=True, slots=True)
class GraphBackend:
    """A DA-T5 as it reads requests. lists: of its checkpoint. pool: threads that search; None: this one does."""

    reading: Reading
    lists: Lists
    limits: Limits
    pool: Executor | None = None

    def decoder_of(self, request: Request) -> str:
        """The decoder that the request names, or else the checkpoint's."""
        return self.reading.settings.decoder if request.decoder in ("", CASCADE) else request.decoder

    def prepare(self, request: Request) -> Prepared:
        """The request as the model reads it."""
        named = decoder_for(self.decoder_of(request), autoregressive=False)
        return self.reading.prepare(request, says_phrases=named.phrases)

    def outcomes(self, requests: Sequence[Request]) -> Iterator[Placed]:
        """The next group's forward pass runs while one is searched."""
        done, ready = prepared(requests, self.prepare)
        said = [(place, caught(partial(self.at_once, item))) for place, item in ready]
        yield [*done, *((place, each) for place, each in said if each is not None)]
        groups = grouped([pair for pair, (_, each) in zip(ready, said, strict=True) if each is None], self.reading)
        passes = [self.started([item for _, item in group]) for group in groups[:1]]
        for number, members in enumerate(groups):
            passes += [self.started([item for _, item in after]) for after in groups[number + 1 : number + 2]]
            dags = passes.pop(0)()
            outcomes = self._answered([item for _, item in members], dags)
            yield list(zip((place for place, _ in members), outcomes, strict=True))

    def started(self, items: Sequence[Prepared]) -> Callable[[], list[Dag]]:
        """One forward pass set going: the Dags come with the call, and a GPU computes until then.

        Each item is charged an equal share of its time.
        """
        watch, predictor = Stopwatch(self.reading.clock), self._predictor()
        with watch.stage("forward"):
            running = predictor.start([item.source for item in items], best=self.reading.settings.emissions)

        def finish() -> list[Dag]:
            with watch.stage("forward"):
                dags = running()
            for item in items:
                item.watch.add("forward", watch.ms["forward"] / len(items))
            return dags

        return finish

    def decode(self, item: Prepared, dag: Dag, limits: Limits | None = None) -> Result:
        """The last stages: prune, search under the demands (within `limits`), check the string once more, and tell."""
        name = self.decoder_of(item.request)
        named = decoder(name)
        if named.phrases:
            item.demands.refuse_unspelled()
        task = DecodingTask(
            dag,
            item.demands,
            self.reading.settings,
            n_best=item.request.n_best,
            limits=limits or self.limits,
            aids=Aids(partial(self._weights, item), partial(self._paper_words, item)),
            watch=item.watch,
        )
        found = decode(name, task)
        extra = task.extra_cost(found[0]) if named.priced else None
        return result_of(name, item, found, extra_cost=extra, left_out=task.search.left_out)

    def answer(self, item: Prepared, dag: Dag) -> Result:
        """What `decode` finds if a verifier accepts it, else what the cascade says; with `trust: graph` as `decode`."""
        said = self.at_once(item)
        if said is not None:
            return said
        if not self._verifies(item.request) or item.request.n_best > 1:
            # Who asks for a list wants the graph's texts, however long they take.
            return self.settle(item, dag, caught(partial(self.decode, item, dag)))
        try:
            return self.settle(item, dag, caught(partial(self.decode, item, dag, patience(self.limits))))
        except (LatticeTooLarge, SearchTooLong):
            return self.decode(item, dag)  # no plain sentence keeps the constraints: all the time there is

    def at_once(self, item: Prepared) -> Result | None:
        """What is said before any graph is predicted, since the model has learnt nothing of the kind; None for others.

        Who asks for a list has the graph searched all the same.
        """
        if not self._verifies(item.request) or item.request.n_best > 1:
            return None
        with item.watch.stage("verify"):
            found = self._cascade().at_once(AskedItem(self, item))
        return None if found is None else warned(replace(found, ms=item.watch.ms), self.reading.oddities(item.example))

    def _cascade(self) -> Cascade:
        return Cascade(bundled_verifier(), self.reading.knowledge, self.reading.templates)

    def settle(self, item: Prepared, dag: Dag, found: Outcome) -> Result:
        """The answer, once `decode` has found this or met this error."""
        if self._verifies(item.request):
            with item.watch.stage("verify"):
                found = self._cascade().answer(SearchedItem(self, item, dag), found)
        if isinstance(found, ControlDagError):
            raise found
        return warned(found, self.reading.oddities(item.example))

    def trusts_verifier(self, request: Request) -> bool:
        """Whether a verifier has a say, by the request or else by the settings."""
        return (request.trust or self.reading.settings.trust) == "verified"

    def _verifies(self, request: Request) -> bool:
        """Whether the text is to be verified: unless a decoder is named, or the graph is trusted."""
        return request.decoder in ("", CASCADE) and self.trusts_verifier(request)

    def _answered(self, items: Sequence[Prepared], dags: Sequence[Dag]) -> list[Outcome]:
        """The outcome of each item, in order, on all cores: the engine searches without the GIL."""

        def outcome(item: Prepared, dag: Dag) -> Outcome:
            return caught(partial(self.answer, item, dag))

        if len(items) == 1 or self.pool is None:
            return [outcome(item, dag) for item, dag in zip(items, dags, strict=True)]
        return list(self.pool.map(outcome, items, dags))

    def _weights(self, item: Prepared) -> NgramWeights | None:
        ngrams = self.lists.ngrams(self.reading.settings.language_model)
        return None if ngrams is None else ngrams.of(self.reading.marks, item.values)

    def _paper_words(self, item: Prepared) -> PaperWords:
        model = self.reading.knowledge.length
        return PaperWords(self.lists.paper_dictionary, None if model is None else model.predict(item.size))

    def _predictor(self) -> GraphPredictor:
        predictor = self.reading.predictor
        if not isinstance(predictor, GraphPredictor):
            raise InvalidInput.of("model", "predict a graph", self.reading.checkpoint.name, remedy="Use a DA-T5.")
        return predictor


@dataclass(frozen=True, slots=True)
class AskedItem:
    """A prepared request, as the cascade sees it."""

    backend: GraphBackend
    item: Prepared

    @property
    def example(self) -> Example:
        return self.item.example

    @property
    def demands(self) -> Demands:
        return self.item.demands

    @property
    def length(self) -> Length | None:
        return self.item.request.bounds

    def tokens(self, text: str) -> int:
        """How long a text is, `</s>` counted."""
        return self.backend.reading.tokens(text)


@dataclass(frozen=True, slots=True)
class SearchedItem(AskedItem):
    """One with its graph, for the cascade to ask more of."""

    dag: Dag

    def more(self, count: int, limits: Limits) -> list[str]:
        """The best texts of the graph, as many as the limits leave time for."""
        asked = replace(self.item, request=replace(self.item.request, n_best=count))
        found = caught(partial(self.backend.decode, asked, self.dag, limits))
        return [] if isinstance(found, ControlDagError) else [each.text for each in found.n_best]

    def clauses(self, examples: Sequence[Example], limits: Limits) -> list[str | None]:
        """A text for each smaller input; graphs come from one forward pass for each size that the model batches."""
        backend = self.backend
        _, ready = prepared([Request(example) for example in examples], backend.prepare)
        texts: list[str | None] = [None] * len(examples)
        for members in grouped(ready, backend.reading):
            for (place, each), dag in zip(members, backend.started([each for _, each in members])(), strict=True):
                found = caught(partial(backend.decode, each, dag, limits))
                texts[place] = None if isinstance(found, ControlDagError) else found.text
        return texts
