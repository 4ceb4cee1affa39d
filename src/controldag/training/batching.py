"""Batches of similar lengths, with few different shapes: buckets, then a shuffle of their batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config, DAT5Config
from controldag.training.corpus import Pairs
from controldag.training.options import BatchOptions

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of all batches of one bucket."""

    batch: int  # B
    source: int  # N
    graph: int  # L; 0 for the autoregressive twin
    target: int  # M


@dataclass(frozen=True, slots=True)
class Bucket:
    """Examples that are trained in batches of one shape."""

    shape: Shape
    members: Indices


@dataclass(frozen=True, slots=True)
class Batch:
    """One step: which examples, in which shape."""

    shape: Shape
    examples: Indices


def plan_buckets(pairs: Pairs, config: DAT5Config | ART5Config, options: BatchOptions, variants: int) -> list[Bucket]:
    """Buckets by graph size (autoregressive: by the longer side), each with one shape.

    `members` are examples of the first variant; a bucket's shape fits them in every variant.
    """
    count = len(pairs) // variants
    sources = pairs.sources.lengths.reshape(variants, count).max(0)
    targets = pairs.targets.lengths.reshape(variants, count).max(0)
    expected = None if pairs.expected is None else pairs.expected.reshape(variants, count).max(0)
    sizes = _sizes(sources, targets, expected, config)
    if isinstance(config, DAT5Config) and sizes.max() > config.max_positions:
        raise InvalidInput.of("target", f"have at most {config.max_positions} tokens", int(sizes.max()))
    widths = -(-sizes // options.step) * options.step
    buckets, waiting = [], np.empty(0, np.int64)
    for width in np.unique(widths):
        waiting = np.concatenate([waiting, np.flatnonzero(widths == width)])
        if len(waiting) < options.least_share * count and width != widths.max():
            continue
        graph = min(int(width), config.max_positions) if isinstance(config, DAT5Config) else 0
        for members in _by_source(waiting, sources, options, count):
            source, target = (-(-int(x[members].max()) // 8) * 8 for x in (sources, targets))
            batch = max(1, options.tokens // (graph or source + target))
            batch = min(batch, len(members))
            if batch >= 16:
                batch -= batch % 8
            buckets.append(Bucket(Shape(batch, source, graph, target), np.sort(members)))
        waiting = np.empty(0, np.int64)
    return buckets


def sizes_of(expected: NDArray[np.float32] | None, config: DAT5Config) -> Indices:
    """Vertices of graphs for texts of these expected lengths, between floor and cap."""
    if expected is None:
        rule = "be 0 for data without expected lengths"
        raise InvalidInput.of("vertices_per_length", rule, config.vertices_per_length, remedy="Prepare it again.")
    sizes = np.ceil(config.vertices_per_length * expected.astype(np.float64) - 1e-9).astype(np.int64)
    return np.clip(sizes, config.min_vertices, config.max_vertices)


def _by_source(members: Indices, sources: Indices, options: BatchOptions, count: int) -> list[Indices]:
    """The members of a bucket apart by the lengths of their sources: short ones need not be padded to long ones."""
    if not options.source_step:
        return [members]
    widths, parts, waiting = -(-sources[members] // options.source_step), [], np.empty(0, np.int64)
    for width in np.unique(widths):
        waiting = np.concatenate([waiting, members[widths == width]])
        if len(waiting) >= options.least_share * count:
            parts.append(waiting)
            waiting = np.empty(0, np.int64)
    # The few longest stay by themselves: with the others, all of those would be padded for them.
    return [*parts, waiting] if len(waiting) else parts


def _sizes(
    sources: Indices, targets: Indices, expected: NDArray[np.float32] | None, config: DAT5Config | ART5Config
) -> Indices:
    if isinstance(config, DAT5Config) and config.vertices_per_length:
        return np.maximum(sizes_of(expected, config), targets)
    if isinstance(config, DAT5Config):
        graph = np.ceil(config.vertices_per_token * sources - 1e-9).astype(np.int64)
        return np.maximum(np.clip(graph, config.min_vertices, config.max_vertices), targets)
    return np.maximum(sources, targets)


def batches_per_epoch(buckets: list[Bucket]) -> int:
    """Number of batches of one epoch."""
    return sum(len(bucket.members) // bucket.shape.batch for bucket in buckets)


def epoch_batches(buckets: list[Bucket], epoch: int, *, seed: int, count: int, variants: int) -> list[Batch]:
    """The batches of one epoch, in order; the same for the same seed and epoch.

    Each bucket is shuffled and cut; what is left over of a bucket is another draw in every epoch. Where the data has
    several variants, each example takes one of them by chance. `count` is the number of examples of one variant.
    """
    draw = np.random.default_rng([seed, epoch])
    batches = []
    for bucket in buckets:
        order = draw.permutation(bucket.members)
        variant = draw.integers(0, variants, len(order)) if variants > 1 else np.zeros(len(order), np.int64)
        order = order + variant * count
        size = bucket.shape.batch
        batches += [Batch(bucket.shape, order[i : i + size]) for i in range(0, len(order) - size + 1, size)]
    return [batches[i] for i in draw.permutation(len(batches))]
