"""Forward passes in few fixed shapes, each held by a CUDA graph where there is a GPU.

One copy brings a batch's inputs to the device and one copy its results back, through pinned memory; the pass goes on
while the program does something else, until `Pass.arrays` waits for it. On a CPU the same code computes at once.

Shapes: B rows, N source tokens, L vertices, M spoken tokens, W tokens asked for, K tokens a vertex.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from controldag.model.inference.cuda_graph import captured
from controldag.model.inference.forward import FastForward, Inputs
from controldag.model.inference.passes import Arrays, InputRow, Pass

ROWS = (1, 8, 64, 256)
_SOURCES = (16, 32, 64, 128, 256, 512, 1024)
_VERTICES = (32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
_ASKED = (16, 64, 256, 1024)
_SPOKEN = (0, 32, 128)


def rounded(value: int, sizes: Sequence[int], most: int | None = None) -> int:
    """The least of `sizes` that holds the value, or the value itself where none does; at most `most`."""
    found = next((size for size in sizes if size >= value), value)
    return found if most is None else max(value, min(found, most))


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of one bucket, and the tokens a vertex."""

    rows: int
    source: int
    vertices: int
    spoken: int
    asked: int
    best: int


class BucketedForward:
    """A FastForward that pads every batch to a shape it has seen before."""

    def __init__(self, forward: FastForward) -> None:
        self.forward = forward
        self.most = len(forward.places)
        self.device = forward.device
        self._buckets: dict[Shape, _Bucket] = {}
        on_gpu = self.device.type == "cuda"
        self._pool = torch.cuda.graph_pool_handle() if on_gpu else None
        self._speaking = int((forward.silent == 0).nonzero()[0, 0])  # stands where nothing is to be spoken

    def shape_of(self, rows: Sequence[InputRow], best: int) -> Shape:
        """The bucket of a batch."""
        return Shape(
            rounded(len(rows), ROWS),
            rounded(max(len(row.ids) for row in rows), _SOURCES),
            rounded(max(row.size for row in rows), _VERTICES, self.most),
            rounded(max(len(row.spoken) for row in rows), _SPOKEN),
            rounded(max(len(row.asked) for row in rows), _ASKED),
            best,
        )

    def start(self, rows: Sequence[InputRow], best: int) -> Pass:
        """Sets the pass of a batch going. At most two of one shape may be under way."""
        shape = self.shape_of(rows, best)
        if shape not in self._buckets:
            self._buckets[shape] = _Bucket(self.forward, shape, self._pool)
        bucket = self._buckets[shape]
        with torch.inference_mode():
            return bucket.start(rows, self._speaking)


class _Running:
    def __init__(
        self, bucket: _Bucket, rows: Sequence[InputRow], host: Tensor, features: Tensor, totals: Tensor
    ) -> None:
        self._bucket, self._rows, self._host = bucket, rows, host
        self._features, self._totals = features, totals
        self._done = torch.cuda.Event() if features.device.type == "cuda" else None
        if self._done is not None:
            self._done.record()

    def arrays(self) -> list[Arrays]:
        if self._done is not None:
            self._done.synchronize()
        shape, found = self._bucket.shape, []
        flat = self._host.numpy()
        links, scores, tokens, asked = (
            part.reshape(shape.rows, shape.vertices, -1) for part in np.split(flat, self._bucket.ends)
        )
        for index, row in enumerate(self._rows):
            size = row.size
            found.append(
                Arrays(
                    # Copies: the buffer belongs to the next batch.
                    links[index, :size, :size].copy(),
                    scores[index, :size].copy(),
                    tokens[index, :size].view(np.int32).astype(np.int64),
                    asked[index, :size, : len(row.asked)].copy(),
                    self._totals[index, :size],
                    self._features[index, :size],
                )
            )
        return found


class _Bucket:
    """Buffers and, on a GPU, the graph of one shape."""

    def __init__(self, forward: FastForward, shape: Shape, pool: Any) -> None:
        self.forward, self.shape = forward, shape
        on_gpu = forward.device.type == "cuda"
        width = shape.source + 2 + shape.spoken + shape.asked
        self._inputs = torch.zeros(shape.rows, width, dtype=torch.int64, device=forward.device)
        self._inputs[:, shape.source : shape.source + 2] = 1
        sizes = [shape.rows * shape.vertices * each for each in (shape.vertices, shape.best, shape.best, shape.asked)]
        *self.ends, total = accumulate(sizes)
        # Two of each, taken in turn: one batch may be under way while the one before it is read.
        self._sent = [torch.empty(self._inputs.shape, dtype=torch.int64, pin_memory=on_gpu) for _ in range(2)]
        self._hosts = [torch.empty(total, pin_memory=on_gpu) for _ in range(2)]
        self._turn = 0
        with torch.inference_mode():
            self._replay = captured(self._run, pool) if on_gpu else self._run

    def start(self, rows: Sequence[InputRow], speaking: int) -> _Running:
        self._turn = 1 - self._turn
        sent, host = self._sent[self._turn], self._hosts[self._turn]
        self._write(sent.numpy(), rows, speaking)
        self._inputs.copy_(sent, non_blocking=True)
        packed, totals, features = self._replay()
        host.copy_(packed, non_blocking=True)
        # The graph's own buffers hold the next batch soon.
        return _Running(self, rows, host, features.clone(), totals.clone())

    def _write(self, sent: NDArray[np.int64], rows: Sequence[InputRow], speaking: int) -> None:
        shape = self.shape
        asked = shape.source + 2 + shape.spoken
        sent[:] = self.forward.config.pad_token_id
        sent[:, shape.source : shape.source + 2] = 1
        sent[:, shape.source + 2 : asked] = speaking
        for target, row in zip(sent, rows, strict=False):
            target[: len(row.ids)] = row.ids
            target[shape.source] = len(row.ids)
            target[shape.source + 1] = row.size
            target[shape.source + 2 : shape.source + 2 + len(row.spoken)] = row.spoken
            target[asked : asked + len(row.asked)] = row.asked

    def _run(self) -> tuple[Tensor, Tensor, Tensor]:
        shape, given = self.shape, self._inputs
        ids, lengths, sizes, spoken, asked = given.split([shape.source, 1, 1, shape.spoken, shape.asked], 1)
        inputs = Inputs(ids, lengths[:, 0], sizes[:, 0], shape.vertices, spoken, asked)
        outputs = self.forward(inputs, shape.best)
        tokens = outputs.tokens.to(torch.int32).view(torch.float32)
        parts = (outputs.links, outputs.scores, tokens, outputs.asked)
        return torch.cat([part.flatten() for part in parts]), outputs.totals, outputs.features
