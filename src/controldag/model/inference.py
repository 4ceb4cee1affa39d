"""DA-T5's forward pass for inference: the same function as `DAT5ForGeneration`, arranged to be fast.

Norms are folded into the weights behind them; what reads the same input is one product (queries, keys and values; keys
and values of the source for all layers; features and links); the positions' share of the links and all position biases
are computed once. Nothing here reads a value back from the device, so that a CUDA graph can hold a whole pass.

Shapes: B examples, N source tokens, L vertices, C = d_model, H heads, K tokens a vertex, V tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from controldag.model.da_t5 import DAT5ForGeneration
from controldag.model.layers import HIDDEN, DecoderBlock, Encoder, EncoderBlock, RelativeBias
from controldag.model.packed import Layer, Precision, check_precision, pack

# Stands for minus infinity inside a softmax over links. As in `links.py`.
_FAR = -1e5


class Inputs(NamedTuple):
    """A padded batch. `whole`: every source has N tokens and every graph L vertices, so that nothing is padding."""

    ids: Tensor  # [B, N] int64
    lengths: Tensor  # [B] source tokens
    sizes: Tensor  # [B] vertices
    width: int  # L
    whole: bool = False


class Outputs(NamedTuple):
    """What one pass gives; rows of padding hold anything."""

    links: Tensor  # [B, L, L] float32 log-probabilities, −inf where there is no transition
    scores: Tensor  # [B, L, K] float32 log-probabilities of the likeliest tokens
    tokens: Tensor  # [B, L, K] int64
    totals: Tensor  # [B, L] float32 log-sum-exp of the logits
    features: Tensor  # [B, L, C] whose product with `head_weight` are the logits


@dataclass(frozen=True, slots=True)
class _FastBlock:
    """One block; the encoder's have no `cross_query` and `cross_out`."""

    joint: Layer  # queries, keys and values of self-attention
    out: Layer
    inner: Layer
    ffn_out: Layer
    cross_query: Layer | None = None
    cross_out: Layer | None = None


class FastForward:
    """A DA-T5's weights, arranged for inference on the device they are on."""

    @torch.no_grad()
    def __init__(self, model: DAT5ForGeneration, precision: str = "float32") -> None:
        self.config, self.device = model.config, model.device
        self.precision: Precision = check_precision(precision, model.device)
        self.gated = self.config.gated_ffn
        self.embedding = model.embedding.weight.detach()
        self.encoder = [self._block(block) for block in _encoder_blocks(model.encoder)]
        decoder = _decoder_blocks(model)
        self.decoder = [self._block(block) for block in decoder]
        cross = [part for block in decoder for part in (block.cross_attention.k.weight, block.cross_attention.v.weight)]
        self.source = self._pack(torch.cat(cross), model.encoder.norm.weight)
        self.encoder_bias, self.decoder_bias = _Biases(model.encoder.positions), _Biases(model.decoder_positions)
        self._vertex_tables(model)
        self._last_tables(model)

    def _pack(self, weight: Tensor, norm: Tensor | None = None, *, relu: bool = False) -> Layer:
        return pack(weight if norm is None else weight * norm, self.precision, relu=relu)

    def _block(self, block: EncoderBlock | DecoderBlock) -> _FastBlock:
        own, ffn = block.self_attention, block.ffn
        joint = self._pack(torch.cat([own.q.weight, own.k.weight, own.v.weight]), block.self_norm.weight)
        inner = ffn.wi.weight if ffn.gate is None else torch.cat([ffn.wi.weight, ffn.gate.weight])
        parts = (
            joint,
            self._pack(own.o.weight),
            self._pack(inner, block.ffn_norm.weight, relu=ffn.gate is None),
            self._pack(ffn.wo.weight),
        )
        if isinstance(block, EncoderBlock):
            return _FastBlock(*parts)
        cross = block.cross_attention
        return _FastBlock(*parts, self._pack(cross.q.weight, block.cross_norm.weight), self._pack(cross.o.weight))

    def _vertex_tables(self, model: DAT5ForGeneration) -> None:
        config, table = self.config, model._vertex_table()
        self.vertex_norm = model.vertex_norm.weight.detach()
        rows = table[config.unk_token_id] + model.vertex_positions.weight  # [positions, C]
        rows[0] += table[config.bos_token_id] - table[config.unk_token_id]
        self.vertices = rows
        self.last_vertex = table[config.eos_token_id] - table[config.unk_token_id]
        self.places = torch.arange(config.max_positions, device=self.device)

    def _last_tables(self, model: DAT5ForGeneration) -> None:
        """One product gives features and the links' queries, keys and gates: both are linear in the same input."""
        links, width = model.links, self.config.d_model
        weight = torch.cat([links.query.weight, links.key.weight, links.gate.weight])
        bias = torch.cat([links.query.bias, links.key.bias, links.gate.bias])
        of_features, of_positions = weight[:, :width], weight[:, width:]
        output = model.output
        self.last = self._pack(torch.cat([output.weight, of_features @ output.weight]), model.decoder_norm.weight)
        self.output_bias = output.bias.detach()
        self.link_positions = links.positions.weight @ of_positions.T + bias + of_features @ output.bias
        most = self.config.max_positions
        self.never = torch.zeros(most, most, device=self.device)  # 0 where u < v, elsewhere −inf
        self.never.masked_fill_(self.places[:, None] >= self.places[None], -torch.inf)
        ones, head = model.head_inputs(torch.ones((), device=self.device))
        self.head_weight = (head * ones).detach()
        self.head = self._pack(self.head_weight)

    def __call__(self, inputs: Inputs, best: int, silent: Tensor) -> Outputs:
        """The graphs of a batch, with the `best` likeliest tokens a vertex; `silent` [V]: −inf for tokens to avoid."""
        embedded = functional.embedding(inputs.ids, self.embedding)
        features, links = self._graph(embedded, inputs)
        logits = self.head(features).float()
        # Faster than a log-sum-exp on a CPU, which makes the same passes with slower kernels.
        scores = torch.log_softmax(logits, -1)
        totals = logits[..., 0] - scores[..., 0]
        values, tokens = scores.add_(silent).topk(min(best, logits.shape[-1]), -1)
        return Outputs(links, values, tokens, totals, features)

    def _graph(self, embedded: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        length, width = embedded.shape[1], inputs.width
        source_bias = None if inputs.whole else self._padding(inputs.lengths, length)
        x = self._encode(embedded, source_bias)
        memory = self.source(self._norm(x)).chunk(2 * len(self.decoder), -1)
        y = self._vertex_inputs(embedded, inputs)
        vertex_bias = None if inputs.whole else self._padding(inputs.sizes, width)
        own_bias = _sum(self.decoder_bias(width), vertex_bias).to(self._dtype)
        cross_bias = None if source_bias is None else source_bias.to(self._dtype)
        for i, block in enumerate(self.decoder):
            y = self._attend_self(y, block, own_bias)
            assert block.cross_query is not None and block.cross_out is not None
            mixed = self._attention(block.cross_query(self._norm(y)), memory[2 * i], memory[2 * i + 1], cross_bias)
            y = y + block.cross_out(mixed)
            y = self._feed_forward(y, block)
        last = self.last(self._norm(y)).float()
        features = last[..., : self.config.d_model] + self.output_bias
        joint = last[..., self.config.d_model :] + self.link_positions[:width]
        return features, self._links(joint, inputs)

    @property
    def _dtype(self) -> torch.dtype:
        return torch.bfloat16 if self.precision == "bfloat16" else torch.float32

    def _encode(self, x: Tensor, bias: Tensor | None) -> Tensor:
        own_bias = _sum(self.encoder_bias(x.shape[1]), bias).to(self._dtype)
        for block in self.encoder:
            x = self._feed_forward(self._attend_self(x, block, own_bias), block)
        return x

    def _attend_self(self, x: Tensor, block: _FastBlock, bias: Tensor) -> Tensor:
        queries, keys, values = block.joint(self._norm(x)).chunk(3, -1)
        return x + block.out(self._attention(queries, keys, values, bias))

    def _attention(self, queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor | None) -> Tensor:
        query, key, value = (part.unflatten(-1, (self.config.num_heads, -1)) for part in (queries, keys, values))
        mixed = functional.scaled_dot_product_attention(
            query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), bias, scale=1.0
        )
        return mixed.transpose(1, 2).flatten(2)

    def _feed_forward(self, x: Tensor, block: _FastBlock) -> Tensor:
        inner = block.inner(self._norm(x))
        if self.gated:
            through, gate = inner.chunk(2, -1)
            inner = functional.gelu(through, approximate="tanh") * gate
        return x + block.ffn_out(inner)

    def _norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.config.layer_norm_epsilon)

    def _vertex_inputs(self, embedded: Tensor, inputs: Inputs) -> Tensor:
        place, width = self.places[: inputs.width], inputs.width
        last = (place[None] == inputs.sizes[:, None] - 1)[..., None]
        y = self.vertices[:width] + torch.where(last, self.last_vertex, 0.0)
        if self.config.copy_source:
            spot = (place[None] * inputs.lengths[:, None] // inputs.sizes[:, None]).clamp_max(embedded.shape[1] - 1)
            y = y + embedded.gather(1, spot[..., None].expand(-1, -1, embedded.shape[2]))
        return self._norm(y) * self.vertex_norm

    def _padding(self, lengths: Tensor, width: int) -> Tensor:
        hidden = self.places[:width] >= lengths[:, None]
        return torch.where(hidden, HIDDEN, 0.0)[:, None, None, :]

    def _links(self, joint: Tensor, inputs: Inputs) -> Tensor:
        """log Σ_h gate_h · softmax_h, as `links.mix_heads`, in the log domain: far transitions keep their true cost."""
        config, width = self.config, inputs.width
        query, key, gate = joint.split([config.d_model, config.d_model, config.link_heads], -1)
        heads = (config.link_heads, -1)
        query = query.unflatten(-1, heads).transpose(1, 2) * (config.d_model // config.link_heads) ** -0.5
        scores = query @ key.unflatten(-1, heads).permute(0, 2, 3, 1)  # [B, heads, L, L]
        never = self.never[:width, :width]  # [L, L], or [B, L, L]
        if not inputs.whole:
            beyond = self.places[:width] >= inputs.sizes[:, None]
            never = never + torch.where(beyond, -torch.inf, 0.0)[:, None, :]
        # A row that may go nowhere would give NaN.
        hidden = never.clamp_min(_FAR)
        gates = torch.log_softmax(gate, -1).transpose(1, 2)  # [B, heads, L]
        scores = torch.log_softmax(scores.add_(hidden if inputs.whole else hidden[:, None]), -1).add_(gates[..., None])
        top = scores.amax(1, keepdim=True)
        return scores.sub_(top).exp_().sum(1).log_().add_(top[:, 0]).add_(never)


class _Biases:
    """The position biases of all sizes: views of one table, since a bias depends on the distance alone."""

    def __init__(self, positions: RelativeBias) -> None:
        self._positions = positions
        self._table = torch.empty(0)

    def __call__(self, size: int) -> Tensor:
        """[1, H, size, size]"""
        if size > self._table.shape[-1]:
            self._table = self._positions(2 * size, 2 * size).detach().contiguous()
        return self._table[:, :, :size, :size]


def _sum(first: Tensor, second: Tensor | None) -> Tensor:
    return first if second is None else first + second


def _encoder_blocks(encoder: Encoder) -> list[EncoderBlock]:
    return [block for block in encoder.blocks if isinstance(block, EncoderBlock)]


def _decoder_blocks(model: DAT5ForGeneration) -> list[DecoderBlock]:
    return [block for block in model.decoder_blocks if isinstance(block, DecoderBlock)]
