"""What verified texts take beside unverified ones: the same requests, one after the other, each both ways."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from controldag.data.records import Example
from controldag.generation.request import Request
from controldag.pipeline import ControlDag

Track = Callable[[Sequence[Example], str], Iterable[Example]]


def verification_cost(nlg: ControlDag, examples: Sequence[Example], track: Track) -> dict[str, Any]:
    """`verified_over_unverified`: the ratio of the medians; and percentiles of both, request to checked text."""
    if nlg.settings.trust != "verified":
        return {}
    times: dict[str, list[float]] = {"graph": [], "verified": []}
    nlg.generate_batch([Request(examples[0])])  # opens the verifier
    for example in track(examples, "verified"):
        for trust, taken in times.items():
            begin = time.perf_counter()
            nlg.generate_batch([Request(example, example.service, trust=trust)])
            taken.append(1000 * (time.perf_counter() - begin))
    found = {trust: _percentiles(taken) for trust, taken in times.items()}
    ratio = found["verified"]["p50_ms"] / found["graph"]["p50_ms"]
    return {"verified_over_unverified": round(ratio, 3), "verified": found["verified"], "unverified": found["graph"]}


def _percentiles(taken: Sequence[float]) -> dict[str, float]:
    return {f"p{share}_ms": round(float(np.percentile(taken, share)), 2) for share in (50, 90, 99)} | {
        "longest_ms": round(max(taken), 2)
    }
