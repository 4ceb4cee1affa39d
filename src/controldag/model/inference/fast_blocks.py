"""T5's blocks arranged for inference: what DA-T5 and its autoregressive twin share.

Norms are folded into the weights behind them; queries, keys and values are one product; position biases are computed
once. Nothing here reads a value back from the device, so that a CUDA graph can hold a whole pass.

Shapes: B examples, T positions, H heads, C = d_model.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.layers import HIDDEN, DecoderBlock, EncoderBlock, RelativeBias
from controldag.model.inference.packed import Layer, Precision, check_precision, pack
from controldag.model.twin.network import ART5ForGeneration


@dataclass(frozen=True, slots=True)
class FastBlock:
    """One block; the encoder's have no `cross_query` and `cross_out`."""

    joint: Layer  # queries, keys and values of self-attention
    out: Layer
    inner: Layer
    ffn_out: Layer
    cross_query: Layer | None = None
    cross_out: Layer | None = None


class FastT5:
    """The encoder and the parts of a decoder, on the device the model is on; float32 flows between the blocks."""

    @torch.no_grad()
    def __init__(self, model: DAT5ForGeneration | ART5ForGeneration, precision: str, positions: int) -> None:
        self.device = model.device
        if self.device.type == "cuda":
            torch.backends.cuda.enable_cudnn_sdp(False)  # slow to plan for each new shape, and not always right
        self.precision: Precision = check_precision(precision, model.device)
        self.dtype = torch.bfloat16 if self.precision == "bfloat16" else torch.float32
        config = model.config
        self.heads, self.epsilon, self.gated = config.num_heads, config.layer_norm_epsilon, config.gated_ffn
        self.embedding = model.embedding.weight.detach()
        self.encoder = [self._block(block) for block in _blocks(model.encoder.blocks)]
        decoder = _blocks(model.decoder_blocks)
        self.decoder = [self._block(block) for block in decoder]
        cross = [block.cross_attention for block in decoder if isinstance(block, DecoderBlock)]
        weights = [weight for each in cross for weight in (each.k.weight, each.v.weight)]
        self.source = self.pack(torch.cat(weights), model.encoder.norm.weight)
        self.encoder_bias = PositionBiases(model.encoder.positions)
        self.places = torch.arange(positions, device=self.device)
        ones, head = model.head_inputs(torch.ones((), device=self.device))
        self.head_weight = (head * ones).detach()
        self.head = self.pack(self.head_weight)

    def pack(self, weight: Tensor, norm: Tensor | None = None, *, relu: bool = False) -> Layer:
        """A layer of this precision, with the weight of the norm before it folded in."""
        return pack(weight if norm is None else weight * norm, self.precision, relu=relu)

    def _block(self, block: EncoderBlock | DecoderBlock) -> FastBlock:
        own, ffn = block.self_attention, block.ffn
        joint = self.pack(torch.cat([own.q.weight, own.k.weight, own.v.weight]), block.self_norm.weight)
        inner = ffn.wi.weight if ffn.gate is None else torch.cat([ffn.wi.weight, ffn.gate.weight])
        parts = (
            joint,
            self.pack(own.o.weight),
            self.pack(inner, block.ffn_norm.weight, relu=ffn.gate is None),
            self.pack(ffn.wo.weight),
        )
        if isinstance(block, EncoderBlock):
            return FastBlock(*parts)
        cross = block.cross_attention
        return FastBlock(*parts, self.pack(cross.q.weight, block.cross_norm.weight), self.pack(cross.o.weight))

    def memory(self, embedded: Tensor, bias: Tensor | None) -> tuple[Tensor, ...]:
        """Keys and values [B, T, H·D] of the encoded source, layer by layer of the decoder."""
        x = embedded
        own_bias = add(self.encoder_bias(x.shape[1]), bias).to(self.dtype)
        for block in self.encoder:
            x = self.feed_forward(self.attend_self(x, block, own_bias), block)
        return self.source(self.norm(x)).chunk(2 * len(self.decoder), -1)

    def attend_self(self, x: Tensor, block: FastBlock, bias: Tensor) -> Tensor:
        """x and what self-attention adds to it."""
        queries, keys, values = block.joint(self.norm(x)).chunk(3, -1)
        return x + block.out(self.attention(self.split(queries), self.split(keys), self.split(values), bias))

    def attend_source(self, x: Tensor, block: FastBlock, source: tuple[Tensor, Tensor], bias: Tensor | None) -> Tensor:
        """x and what attention over the source's keys and values [B, H, S, D] adds to it."""
        assert block.cross_query is not None and block.cross_out is not None
        return x + block.cross_out(self.attention(self.split(block.cross_query(self.norm(x))), *source, bias))

    def feed_forward(self, x: Tensor, block: FastBlock) -> Tensor:
        """x and what the feed-forward layer adds to it."""
        inner = block.inner(self.norm(x))
        if self.gated:
            through, gate = inner.chunk(2, -1)
            inner = functional.gelu(through, approximate="tanh") * gate
        return x + block.ffn_out(inner)

    def split(self, x: Tensor) -> Tensor:
        """[B, T, H·D] as [B, H, T, D]."""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def attention(self, queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None) -> Tensor:
        """[B, T, H·D] from queries, keys and values by head."""
        mixed = functional.scaled_dot_product_attention(queries, keys, values, bias, scale=1.0)
        return mixed.transpose(1, 2).flatten(2)

    def norm(self, x: Tensor) -> Tensor:
        """x divided by its root mean square; the norm's weight is in the layer behind it."""
        return functional.rms_norm(x, x.shape[-1:], None, self.epsilon)

    def padding(self, lengths: Tensor, width: int) -> Tensor:
        """Bias [B, 1, 1, width] that hides what stands behind each length."""
        return (self.places[:width] >= lengths[:, None])[:, None, None, :] * HIDDEN


class PositionBiases:
    """The position biases of all sizes: views of one table, since a bias depends on the distance alone.

    Where a larger table takes its place the old one is kept: a CUDA graph may have been captured with its address.
    """

    def __init__(self, positions: RelativeBias) -> None:
        self._positions = positions
        self._tables = [torch.empty(0)]

    def __call__(self, size: int) -> Tensor:
        """[1, H, size, size]"""
        if size > self._tables[-1].shape[-1]:
            self._tables.append(self._positions(2 * size, 2 * size).detach().contiguous())
        return self._tables[-1][:, :, :size, :size]


def add(first: Tensor, second: Tensor | None) -> Tensor:
    """Their sum; None counts as zero."""
    return first if second is None else first + second


def _blocks(modules: nn.ModuleList) -> list[EncoderBlock | DecoderBlock]:
    return [block for block in modules if isinstance(block, EncoderBlock | DecoderBlock)]
