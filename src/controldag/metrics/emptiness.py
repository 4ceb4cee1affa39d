"""Empty texts: what a system gives where it gives nothing."""

from __future__ import annotations

from collections.abc import Sequence

from controldag.metrics.measure import Measure, percentage


def empty(texts: Sequence[str]) -> Measure:
    """`empty`: percentage of texts that hold nothing but blanks."""
    return percentage("empty", "nothing but blanks", [not text.strip() for text in texts])
