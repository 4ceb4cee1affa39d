"""DAGs that the bundled sgd-mini predicts for the built-in sample inputs, in the form the engine's benchmark takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from benchmarks.engine.synthetic_dags import DagShape, SyntheticDag, SyntheticVocabulary, Tokens
from controldag.checkpoint.folder import Checkpoint
from controldag.checkpoint.knowledge import Knowledge
from controldag.dag import Dag, Floats
from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.schema import Schema
from controldag.generation.json_requests import read_requests
from controldag.generation.reading import Prepared
from controldag.generation.request import Request
from controldag.lattice import best_tokens
from controldag.pipeline import ControlDag
from controldag.surfaces import Surfaces

MODEL = "sgd-mini"
# Words between phrases: a target below what the phrases take with some of these would leave nothing to find.
_BETWEEN = 6


class RealVocabulary(SyntheticVocabulary):
    """The paper's words in a checkpoint's tokens, with the marks of its special-token automaton."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        entries = checkpoint.paper_entries()
        self.words = tuple(tokens for tokens, is_word in entries if is_word)
        self.special = tuple(tokens[0] for tokens, is_word in entries if not is_word)
        self._checkpoint = checkpoint

    @cached_property
    def surfaces(self) -> Surfaces:
        return Surfaces.of(self._checkpoint.tokenizer)


@dataclass(frozen=True, eq=False, slots=True)
class RealDag(SyntheticDag):
    """A predicted DAG, pruned: `spelling` are its request's own surfaces, `target` the length it should have."""

    spelling: Surfaces
    target: int

    @property
    def target_length(self) -> int:
        return self.target

    def dag(self, surfaces: Surfaces) -> Dag:
        # Not super(): in a class with slots it would mean the class before they were added.
        return SyntheticDag.dag(self, self.spelling)

    def texts(self, surfaces: Surfaces) -> list[str]:
        return SyntheticDag.texts(self, self.spelling)


def real_dags(candidates: int = 3) -> tuple[RealVocabulary, list[RealDag]]:
    """The vocabulary, and the DAG of every sample input, with so many tokens and successors a vertex."""
    model = ControlDag.from_pretrained(MODEL)
    dags = _predicted(model, list(_demo_requests()), candidates)
    # The other samples are of services of their own.
    other = ControlDag(replace(model.checkpoint, knowledge=_sample_knowledge(model)), model.predictor)
    dags += _predicted(other, [Request(example) for example in read_examples(samples.ACTS)], candidates)
    return RealVocabulary(model.checkpoint), dags


def _predicted(model: ControlDag, requests: Sequence[Request], candidates: int) -> list[RealDag]:
    items = [model.prepare(request) for request in requests]
    return [_pruned(model, *each, candidates) for each in zip(items, model.predict(items), strict=True)]


def _demo_requests() -> Iterator[Request]:
    lines = samples.DEMO_ACTS.read_text("utf-8").splitlines()
    return (each for each in read_requests(lines, Request(()), samples.DEMO_ACTS.name) if isinstance(each, Request))


def _sample_knowledge(model: ControlDag) -> Knowledge:
    return replace(model.knowledge, schema=Schema.load(samples.SCHEMA))


def _pruned(model: ControlDag, item: Prepared, dag: Dag, candidates: int) -> RealDag:
    """What the pipeline searches: the best tokens and successors, and the phrases' tokens at every vertex."""
    phrases = tuple(dict.fromkeys(tuple(dag.surfaces.spell(phrase)) for phrase in item.demands.phrases))
    kept = tuple(sorted({token for phrase in phrases for token in phrase}))
    ids, scores = best_tokens(dag, candidates)
    predicted = model.knowledge.length.predict(len(item.source.ids)) if model.knowledge.length is not None else 0
    target = max(predicted, sum(map(len, phrases)) + _BETWEEN)
    return RealDag(
        shape=DagShape(vertices=dag.vertices, candidates=candidates, phrases=0, length=1, everywhere=True),
        token_ids=ids,
        emissions=scores,
        transitions=_likeliest(dag.transitions, candidates),
        phrases=phrases,
        kept=kept,
        kept_scores=dag.log_probabilities(kept) if kept else np.empty((dag.vertices, 0), np.float32),
        reference=Tokens(),
        spelling=dag.surfaces,
        target=target,
    )


def _likeliest(transitions: Floats, count: int) -> Floats:
    """The transitions to the likeliest successors, to the next vertex and to the last one: those `prune` keeps.

    They are made to sum to one again, so that the arrays are a proper Dag, which every system then sees.
    """
    size = transitions.shape[0]
    kept = np.full_like(transitions, -np.inf)
    for vertex in range(size - 1):
        chosen = {*np.argsort(-transitions[vertex], kind="stable")[:count].tolist(), vertex + 1, size - 1}
        places = sorted(chosen)
        row = transitions[vertex, places]
        kept[vertex, places] = row - np.logaddexp.reduce(row)
    return kept
