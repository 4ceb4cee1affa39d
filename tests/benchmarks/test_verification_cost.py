"""Verified and unverified texts, timed side by side."""

from __future__ import annotations

import controldag as cd
from benchmarks.end_to_end.verification_cost import verification_cost
from controldag.data import samples
from controldag.data.read import read_examples
from controldag.data.schema import Schema


def test_both_ways_are_timed_on_the_same_requests() -> None:
    schema = Schema.load(samples.SCHEMA)
    nlg = cd.ControlDag.from_pretrained("sgd-mini", schema=schema)
    examples = list(read_examples(samples.ACTS, schema=schema))[:3]
    found = verification_cost(nlg, examples, lambda items, description: items)
    assert found["verified_over_unverified"] > 0
    assert found["verified"]["p50_ms"] <= found["verified"]["p99_ms"] <= found["verified"]["longest_ms"]
