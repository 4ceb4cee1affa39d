"""The autoregressive twin's decoder for inference: one step at a time over a static key–value cache.

Every shape is fixed by the cache and the place is a tensor, so that a CUDA graph can hold a step.

Shapes: B examples, R rows (hypotheses), N source tokens, T positions of the cache, H heads, V tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from controldag.model.definition.layers import HIDDEN
from controldag.model.inference.fast_blocks import FastT5
from controldag.model.twin.network import ART5ForGeneration

# The cache is read in strides of so many positions: few widths, little of it empty.
STRIDE = 16
_MOST_SOURCE = 2048


@dataclass(slots=True)
class StaticCache:
    """Keys and values by layer, [R, H, positions, D], and how much of them is filled."""

    own: list[tuple[Tensor, Tensor]]
    source: list[tuple[Tensor, Tensor]]
    source_bias: Tensor | None
    place: Tensor  # [1] int64: the position that comes next
    length: int = 0  # the same as a number

    def reorder(self, rows: Tensor) -> None:
        """Rows `rows` take the places 0, 1, …, within their examples: what they know of the source stays."""
        end = self.width
        for keys, values in self.own:
            keys[:, :, :end] = keys[rows, :, :end]
            values[:, :, :end] = values[rows, :, :end]

    def keep(self, rows: Tensor) -> None:
        """Only the rows `rows` go on."""
        self.own = [(keys[rows], values[rows]) for keys, values in self.own]
        self.source = [(keys[rows], values[rows]) for keys, values in self.source]
        self.source_bias = None if self.source_bias is None else self.source_bias[rows]

    @property
    def width(self) -> int:
        """Positions to read: those filled and the next one, rounded up."""
        most: int = self.own[0][0].shape[2]
        return min(most, -(-(self.length + 1) // STRIDE) * STRIDE)


class FastTwin(FastT5):
    """An ART5's weights, arranged for inference on the device they are on."""

    @torch.no_grad()
    def __init__(self, model: ART5ForGeneration, precision: str = "float32") -> None:
        super().__init__(model, precision, _MOST_SOURCE)
        self.config = model.config
        self.positions = model.decoder_positions
        self.head = self.pack(self.head_weight, model.decoder_norm.weight)
        self._tables = [torch.empty(0)]  # biases of all positions; old ones stay, as in `PositionBiases`

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1, *, masked: bool = False) -> StaticCache:
        """A cache for decoding `input_ids` [B, N] with `copies` hypotheses each, rows b·copies + k.

        `masked`: there is a bias for padding, also where there is none.
        """
        source, bias = self.read(input_ids, copies, masked=masked)
        first = source[0][0]
        rows, heads, _, size = first.shape
        room = -(-max_length // STRIDE) * STRIDE
        own = [
            (first.new_zeros(rows, heads, room, size), first.new_zeros(rows, heads, room, size)) for _ in self.decoder
        ]
        if room > self._tables[-1].shape[-1]:
            later = self.places[:room] > self.places[:room, None]
            self._tables.append(self.positions(room, room).detach().masked_fill(later, HIDDEN).to(self.dtype))
        return StaticCache(own, source, bias, torch.zeros(1, dtype=torch.int64, device=self.device))

    def read(
        self, input_ids: Tensor, copies: int, *, masked: bool
    ) -> tuple[list[tuple[Tensor, Tensor]], Tensor | None]:
        """What the decoder knows of `input_ids` [B, N]: keys and values by layer, [B·copies, H, N, D], and the bias."""
        padding = input_ids == self.config.pad_token_id
        bias = (padding * HIDDEN)[:, None, None, :] if masked or bool(padding.any()) else None
        memory = self.memory(functional.embedding(input_ids, self.embedding), bias)
        parts = [self.split(part).repeat_interleave(copies, 0).contiguous() for part in memory]
        if bias is not None:
            bias = bias.to(self.dtype).repeat_interleave(copies, 0)
        return list(zip(parts[::2], parts[1::2], strict=True)), bias

    def step(self, tokens: Tensor, cache: StaticCache) -> Tensor:
        """Log-probabilities [R, V] of the next token after `tokens` [R]; the cache grows by one position."""
        scores = self.pass_on(tokens, cache, cache.width)
        cache.place += 1
        cache.length += 1
        return scores

    def pass_on(self, tokens: Tensor, cache: StaticCache, width: int) -> Tensor:
        """One step at `cache.place`, reading `width` positions; nothing but the cache's tensors changes."""
        x = functional.embedding(tokens, self.embedding)[:, None]
        bias = self._tables[-1][:, :, :width, :width].index_select(2, cache.place)  # [1, H, 1, width]
        for block, (keys, values), source in zip(self.decoder, cache.own, cache.source, strict=True):
            query, key, value = block.joint(self.norm(x)).chunk(3, -1)
            keys.index_copy_(2, cache.place, self.split(key))
            values.index_copy_(2, cache.place, self.split(value))
            mixed = self.attention(self.split(query), keys[:, :, :width], values[:, :, :width], bias)
            x = x + block.out(mixed)
            x = self.attend_source(x, block, source, cache.source_bias)
            x = self.feed_forward(x, block)
        return torch.log_softmax(self.head(self.norm(x[:, 0])).float(), -1)
