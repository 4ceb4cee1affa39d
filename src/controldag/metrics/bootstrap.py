"""Bootstrap over lines: confidence intervals of figures, and whether one system beats another on the same lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from controldag.errors import InvalidInput
from controldag.metrics.measure import Floats, Measure

_CHUNK = 50  # draws at a time: 50 × 10,000 weights are 4 MB


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """draws: how many samples of as many lines, with replacement. seed: of the draws. level: of intervals."""

    draws: int = 1000
    seed: int = 12345
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise InvalidInput.of("draws", "be at least 1", self.draws)
        if not 0 < self.level < 1:
            raise InvalidInput.of("level", "be between 0 and 1", self.level)

    @property
    def signature(self) -> str:
        return f"bootstrap|draws:{self.draws}|seed:{self.seed}|level:{self.level:g}|percentiles"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two systems on the same lines.

    difference: the first's minus the other's. p_value: share of draws in which the sign of the difference is not that
    of all lines, (hits + 1) / (draws + 1): one-sided.
    """

    first: float
    other: float
    difference: float
    interval: tuple[float, float]
    p_value: float


def intervals(
    measures: Mapping[str, Measure], options: BootstrapOptions | None = None
) -> dict[str, tuple[float, float] | None]:
    """By name the interval of each figure, all from the same draws; None where a figure is undefined."""
    options = options or BootstrapOptions()
    drawn = _drawn(measures, options)
    return {name: _interval(drawn[name], options.level) for name in measures}


def compare(first: Measure, other: Measure, options: BootstrapOptions | None = None) -> Comparison | None:
    """Paired bootstrap (Koehn 2004) of a figure that two systems have on the same lines; None where undefined."""
    options = options or BootstrapOptions()
    if len(first) != len(other):
        raise InvalidInput.of("other", f"have {len(first)} lines, as the first has", len(other))
    one, two = first.value(), other.value()
    if one is None or two is None:
        return None
    drawn = _drawn({"first": first, "other": other}, options)
    differences = drawn["first"] - drawn["other"]
    difference = one - two
    against = differences <= 0 if difference > 0 else differences >= 0
    p_value = (int(np.count_nonzero(against)) + 1) / (options.draws + 1)
    interval = _interval(differences, options.level) or (float("nan"), float("nan"))
    return Comparison(one, two, difference, interval, p_value)


def _drawn(measures: Mapping[str, Measure], options: BootstrapOptions) -> dict[str, Floats]:
    """By name the figures of all draws."""
    if not measures:
        return {}
    columns = np.concatenate([measure.statistics for measure in measures.values()], axis=1)
    sums = np.concatenate([weights @ columns for weights in _weights(len(columns), options)])
    ends = np.cumsum([measure.statistics.shape[1] for measure in measures.values()])
    parts = np.split(sums, ends[:-1], axis=1)
    return {name: measure.figure(part) for (name, measure), part in zip(measures.items(), parts, strict=True)}


def _weights(lines: int, options: BootstrapOptions) -> Iterator[Floats]:
    """How often each line is drawn, draws × lines, some draws at a time."""
    # The legacy generator's stream is frozen: the same seed gives the same draws with every version of NumPy.
    random = np.random.RandomState(options.seed)
    for start in range(0, options.draws, _CHUNK):
        size = min(_CHUNK, options.draws - start)
        yield np.stack([np.bincount(random.randint(lines, size=lines), minlength=lines) for _ in range(size)]).astype(
            np.float64
        )


def _interval(values: Floats, level: float) -> tuple[float, float] | None:
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
