"""Batches of examples, made by several processes while the network learns."""

from __future__ import annotations

import multiprocessing as mp
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty

import numpy as np

from controldag.verifier.arrays import Size, claim_array, text_array
from controldag.verifier.lexicon import Ints, Lexicon, WordTable
from controldag.verifier.training.draft import UNKNOWN, World
from controldag.verifier.training.stream import Example, StreamOptions, examples

# Room in a batch, and how many examples it has: most are small.
SIZES = (
    (Size(12, 16, 2), 12), (Size(16, 24, 3), 10), (Size(24, 32, 4), 8), (Size(32, 48, 6), 5), (Size(40, 64, 8), 4),
    (Size(56, 96, 10), 2), (Size(80, 192, 13), 1),
)  # fmt: skip

_DELAY = 96  # batches between the two uses of one


@dataclass(frozen=True, slots=True)
class Batch:
    """claims, starts, texts, table: see `arrays`. verdicts: [B, A]; extra, broken: [B]; UNKNOWN: not known.

    by_word: [B, T], the verdict of the claim whose value a word belongs to. odd: [B, T], whether a reader stumbles.
    """

    claims: Ints
    starts: Ints
    texts: Ints
    table: Ints
    verdicts: Ints
    extra: Ints
    broken: Ints
    by_word: Ints
    odd: Ints


def batch_of(rows: list[Example], size: Size, lexicon: Lexicon) -> Batch:
    """The examples as arrays."""
    table = WordTable(lexicon)
    claims, starts = claim_array([row.claims for row in rows], size, table)
    texts = text_array([row.text for row in rows], size, table)
    verdicts = np.full((len(rows), size.count), UNKNOWN, dtype=np.int32)
    by_word = np.full((len(rows), size.text), UNKNOWN, dtype=np.int32)
    odd = np.full((len(rows), size.text), UNKNOWN, dtype=np.int32)
    for number, row in enumerate(rows):
        verdicts[number, : len(row.verdicts)] = row.verdicts
        by_word[number, : len(row.text.words)] = _by_word(row)
        odd[number, : len(row.text.words)] = row.odd
    extra, broken = (np.asarray([getattr(row, name) for row in rows], np.int32) for name in ("extra", "broken"))
    return Batch(claims, starts, texts, _padded(table.array()), verdicts, extra, broken, by_word, odd)


def _padded(table: Ints) -> Ints:
    """With empty rows up to a power of two: few shapes, each of which is captured once."""
    rows = max(512, 1 << (len(table) - 1).bit_length())
    return np.pad(table, ((0, rows - len(table)), (0, 0)))


def _by_word(row: Example) -> list[int]:
    """The verdict of the claim whose value each word belongs to; UNKNOWN where claims that share a value differ."""
    found: dict[int, set[int]] = {}
    for value, claim in zip(row.claims.values, row.claims.claims, strict=True):
        if value and claim >= 0:
            found.setdefault(value, set()).add(row.verdicts[claim])
    of = {value: next(iter(all_)) if len(all_) == 1 else UNKNOWN for value, all_ in found.items()}
    return [of.get(value, UNKNOWN) for value in row.text.values]


def batches(world: World, lexicon: Lexicon, options: StreamOptions, seed: int, unit: int) -> Iterator[Batch]:
    """Batches of `unit` large examples, or so many times more of smaller ones, without end."""
    waiting: list[list[Example]] = [[] for _ in SIZES]
    for example in examples(world, options, random.Random(seed)):
        for (size, times), rows in zip(SIZES, waiting, strict=True):
            if size.holds(example.claims, example.text):
                rows.append(example)
                if len(rows) == times * unit:
                    yield batch_of(rows, size, lexicon)
                    rows.clear()
                break


class Workers:
    """Processes that make batches; ends them when the block ends.

    again: where no new batch is ready, an older one comes a second time: waiting teaches less.
    """

    def __init__(
        self,
        world: World,
        lexicon: Lexicon,
        options: StreamOptions,
        *,
        seed: int,
        count: int,
        unit: int,
        again: bool = False,
    ) -> None:
        self._again = again
        context = mp.get_context("fork")  # the world is shared, not copied
        self._queue: mp.Queue[Batch] = context.Queue(maxsize=4 * count)
        self._processes = [
            context.Process(
                target=_work, args=(self._queue, world, lexicon, options, 1000 * seed + number, unit), daemon=True
            )
            for number in range(count)
        ]

    def __enter__(self) -> Iterator[Batch]:
        for process in self._processes:
            process.start()
        return once_or_twice(self._queue) if self._again else iter(self._queue.get, None)

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()


def once_or_twice(queue: mp.Queue[Batch]) -> Iterator[Batch]:
    """New batches while there are any, else those of a while ago, each at most once more."""
    waiting: deque[Batch] = deque()
    while True:
        try:
            batch = queue.get(block=len(waiting) <= _DELAY)
        except Empty:
            yield waiting.popleft()
            continue
        waiting.append(batch)
        if len(waiting) > 2 * _DELAY:
            waiting.popleft()
        yield batch


def _work(queue: mp.Queue[Batch], world: World, lexicon: Lexicon, options: StreamOptions, seed: int, unit: int) -> None:
    for batch in batches(world, lexicon, options, seed, unit):
        queue.put(batch)
