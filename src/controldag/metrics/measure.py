"""A metric as sums over lines: what each line gives, and how the sums become a figure.

Kept apart, the sums of any lines can be drawn again: splits and bootstrap need no second look at the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a corpus.

    signature: the settings that made it. statistics: lines × sums. figure: from sums, the last axis being theirs, to
    figures; not a number where there is nothing to divide by. lower_is_better: as for error rates.
    """

    name: str
    signature: str
    statistics: Floats
    figure: Callable[[Floats], Floats]
    lower_is_better: bool = False

    def __len__(self) -> int:
        return len(self.statistics)

    def value(self, rows: Rows | None = None) -> float | None:
        """The figure over all lines, or over those of `rows`; None where it is undefined."""
        taken = self.statistics if rows is None else self.statistics[rows]
        value = float(self.figure(taken.sum(axis=0)))
        return None if np.isnan(value) else value

    def part(self, rows: Rows) -> Measure:
        """The same figure of these lines alone."""
        return replace(self, statistics=self.statistics[rows])


def percentage(
    name: str,
    signature: str,
    hits: Sequence[float],
    out_of: Sequence[float] | None = None,
    *,
    lower_is_better: bool = True,
) -> Measure:
    """`hits` in percent of `out_of`, by line; without `out_of`, of all lines."""
    whole = np.ones(len(hits)) if out_of is None else np.asarray(out_of, np.float64)
    statistics = np.stack([np.asarray(hits, np.float64), whole], axis=1)
    return Measure(name, signature, statistics, _percent, lower_is_better)


def ratio(sums: Floats) -> Floats:
    """The first sum by the second; not a number where the second is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(sums[..., 1] != 0, sums[..., 0] / sums[..., 1], np.nan))


def _percent(sums: Floats) -> Floats:
    return 100.0 * ratio(sums)
