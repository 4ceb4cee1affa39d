"""Processor time of a text without the forward pass: what a core does for each request, stage by stage."""

from __future__ import annotations

import hashlib
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from controldag.data.records import Example
from controldag.generation.backend import caught
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag

Track = Callable[[Iterable[Any], str], Iterator[Any]]
_WHOLE = "all but the forward pass"


def core_times(
    model: ControlDag, examples: Sequence[Example], rounds: int, track: Track, n_best: int = 1
) -> dict[str, Any]:
    """Mean, p50 and p99 by stage, of the least of so many rounds for each turn; one thread, one request at a time.

    The graphs are predicted once and kept. `digest` is of all texts and costs: the same for the same answers. `n_best`:
    texts of a list. `searches_mb`: by how much the process grew at its highest while it searched.
    """
    model = copy(model)
    model.clock, model.threads = time.thread_time, 1
    dags = [model.predict([model.prepare(Request(example))])[0] for example in track(examples, "graphs")]
    least: list[dict[str, float]] = [{} for _ in examples]
    digest, errors, left_out = hashlib.sha256(), 0, 0
    before = _peak_mb()
    for number in track(range(rounds), "rounds"):
        for example, dag, known in zip(examples, dags, least, strict=True):
            began = time.thread_time()
            item = model.prepare(Request(example, n_best=n_best))
            found = caught(partial(model.decode, item, dag))
            whole = 1000 * (time.thread_time() - began)
            for name, ms in {**item.watch.ms, _WHOLE: whole}.items():
                known[name] = min(ms, known.get(name, ms))
            if number == 0 and isinstance(found, Result):
                for each in found.n_best:
                    digest.update(f"{each.text} {each.cost:.9g}\n".encode())
                left_out += bool(found.left_out)
            elif number == 0:
                errors += 1
    names = dict.fromkeys(name for known in least for name in known if name != _WHOLE)
    return {
        "turns": len(examples),
        "rounds": rounds,
        "n_best": n_best,
        "searches_mb": _peak_mb() - before,
        "stages": {name: _summary([known.get(name, 0.0) for known in least]) for name in (*names, _WHOLE)},
        "errors": errors,
        "left_out": left_out,
        "digest": digest.hexdigest()[:16],
    }


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _summary(ms: Sequence[float]) -> dict[str, float]:
    p50, p99 = (float(each) for each in np.percentile(ms, (50, 99)))
    return {"mean_ms": float(np.mean(ms)), "p50_ms": p50, "p99_ms": p99}
