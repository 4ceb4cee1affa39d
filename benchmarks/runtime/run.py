"""The runtime without torch against PyTorch: whether it gives the same graphs, texts and verdicts, and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from controldag.dag import Dag
from controldag.data.records import Example
from controldag.generation.backend import caught
from controldag.generation.reading import Prepared
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.runtime.graph import PRECISIONS
from controldag.runtime.predict import GraphPredictor, RuntimePredictor
from controldag.verifier.bundled import FOLDER, GENERATION
from controldag.verifier.claims import claims_of
from controldag.verifier.judged import Judged
from controldag.verifier.layout import ClaimLayout, TextLayout, lay_out_claims, lay_out_text
from controldag.verifier.verifier import Verifier
from controldag.verifier.weights import load_network
from controldag.verifier.words import norms_of

# What the others are compared with.
REFERENCE = "torch, float32"
_REPETITIONS = 5
_MOST_INPUTS_VERIFIED = 12
Track = Callable[[Iterable[Any], str], Iterator[Any]]
Call = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class RuntimeOptions:
    """threads: numbers of cores to time. timed: turns that are timed. acts, texts: of the inputs that are verified."""

    threads: tuple[int, ...] = (1, 2)
    timed: int = 40
    acts: int = 4
    texts: int = 8


def bench_runtime(
    model: ControlDag, examples: Sequence[Example], options: RuntimeOptions, track: Track
) -> dict[str, Any]:
    """One object with every figure, ready for JSON."""
    from controldag.model.inference.threads import use_threads

    prepared = (caught(partial(model.prepare, Request(each))) for each in examples)
    items = [each for each in prepared if isinstance(each, Prepared)]
    some = items[:: max(1, len(items) // options.timed)]
    figures: dict[str, Any] = {"turns": len(items), "forward_p50_ms": {}}
    for threads in options.threads:
        use_threads(threads)
        predictors = _predictors(model)
        calls = [{n: partial(each.predict, [item.source], 3) for n, each in predictors.items()} for item in some]
        figures["forward_p50_ms"][threads] = timed_in_turn(track(calls, f"forward pass, threads: {threads}"))
    figures["vertices_p50"] = median(predictors[REFERENCE].vertices(item.source) for item in some)
    figures["graphs"] = graphs_agree(model, predictors, track(items, "texts"))
    use_threads(1)
    wanted = [each for each in examples if len(each.acts or each.triples) == options.acts][:_MOST_INPUTS_VERIFIED]
    figures["verifier"] = _verifier_figures(model, wanted, options.texts)
    return figures


def _predictors(model: ControlDag) -> dict[str, GraphPredictor]:
    from controldag.model.inference.predict import TorchPredictor

    folder, surfaces, tokenizer = model.checkpoint.folder, model.predictor.surfaces, model.checkpoint.tokenizer_model
    kinds: dict[str, type[TorchPredictor | RuntimePredictor]] = {"torch": TorchPredictor, "runtime": RuntimePredictor}
    return {
        f"{name}, {precision}": kind.load(folder, surfaces, tokenizer=tokenizer, precision=precision)
        for name, kind in kinds.items()
        for precision in PRECISIONS
    }


def graphs_agree(
    model: ControlDag, predictors: Mapping[str, GraphPredictor], items: Iterable[Prepared]
) -> dict[str, Any]:
    """By system: the largest differences of log-probabilities, and how many searches end with the same text."""
    differences: dict[str, list[tuple[float, float, float, bool]]] = {}
    for item in items:
        dags = {name: each.predict([item.source], model.settings.emissions)[0] for name, each in predictors.items()}
        found = {name: _decoded(model, item, dag) for name, dag in dags.items()}
        for name in dags.keys() - {REFERENCE}:
            (text, cost), (wanted, wanted_cost) = found[name], found[REFERENCE]
            apart = abs(cost - wanted_cost) if text == wanted else 0.0
            row = (*_apart(dags[name], dags[REFERENCE]), apart, text == wanted)
            differences.setdefault(name, []).append(row)
    return {
        name: {
            "largest_token_difference": max(row[0] for row in rows),
            "largest_link_difference": max(row[1] for row in rows),
            "largest_cost_difference": max(row[2] for row in rows),
            "same_texts": sum(row[3] for row in rows) / len(rows),
        }
        for name, rows in sorted(differences.items())
    }


def _decoded(model: ControlDag, item: Prepared, dag: Dag) -> tuple[str, float]:
    found = caught(partial(model.decode, item, dag))
    return (found.text, found.cost) if isinstance(found, Result) else (f"! {type(found).__name__}", 0.0)


def _apart(found: Dag, wanted: Dag) -> tuple[float, float]:
    """The largest differences of token and link log-probabilities; both have links between the same vertices."""
    assert wanted.token_ids is not None
    ids = sorted({int(token) for token in wanted.token_ids.flat})
    tokens = np.abs(found.log_probabilities(ids) - wanted.log_probabilities(ids)).max()
    there = np.isfinite(wanted.transitions)
    return float(tokens), float(np.abs(found.transitions[there] - wanted.transitions[there]).max(initial=0.0))


def _verifier_figures(model: ControlDag, examples: Sequence[Example], count: int) -> dict[str, Any]:
    """Several texts beside one input, and one: milliseconds, largest differences of logits, and verdicts alike."""
    from controldag.verifier.by_torch import TorchJudge

    folder = FOLDER / GENERATION
    stored = load_network(folder)
    judges: dict[str, Callable[..., Judged]] = {REFERENCE: TorchJudge(stored).judge}
    judges["engine"] = Verifier(stored, folder).judge
    laid = [_texts_of(model, example, count) for example in examples]
    several, one = ([(claims, texts[:most]) for claims, texts in laid] for most in (count, 1))
    figures: dict[str, Any] = {"inputs": len(laid), "texts": count}
    for name, pairs in (("p50_ms", several), ("one_text_p50_ms", one)):
        figures[name] = timed_in_turn([{n: partial(judge, *pair) for n, judge in judges.items()} for pair in pairs])
    for name in judges.keys() - {REFERENCE}:
        both = [(judges[name](*pair), judges[REFERENCE](*pair)) for pair in several]
        alike = np.concatenate([(a.claims.argmax(-1) == b.claims.argmax(-1)).ravel() for a, b in both])
        largest = max(float(np.abs(a.claims - b.claims).max()) for a, b in both)
        figures[name] = {"largest_logit_difference": largest, "same_verdicts": float(alike.mean())}
    return figures


def _texts_of(model: ControlDag, example: Example, count: int) -> tuple[ClaimLayout, list[TextLayout]]:
    """An input and the best texts of its graph, as a verifier reads them."""
    item = model.prepare(Request(example, n_best=count))
    found = model.decode(item, model.predict([item])[0])
    claims, values = lay_out_claims(claims_of(example, model.knowledge.schema))
    return claims, [lay_out_text(norms_of(each.text), values) for each in found.n_best]


def timed_in_turn(rounds: Iterable[Mapping[str, Call]]) -> dict[str, float]:
    """By name, median milliseconds: in each round every call is made once to warm up, then in turn with the others."""
    times: dict[str, list[float]] = {}
    for calls in rounds:
        for call in calls.values():
            call()
        for _ in range(_REPETITIONS):
            for name, call in calls.items():
                began = time.perf_counter()
                call()
                times.setdefault(name, []).append(1000 * (time.perf_counter() - began))
    return {name: median(each) for name, each in times.items()}
