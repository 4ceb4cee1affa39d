"""The blocks of T5 (Raffel et al., 2020): RMSNorm, attention with relative position bias, feed-forward.

Shapes: B examples, T query positions, S key positions, H heads, D = d_kv, C = d_model. Attention biases hold the
relative positions [1, H, T, S] and the padding [B, 1, 1, S] apart, so that neither is ever expanded in memory; where
attention is torch's (`sdpa`), they are summed once per pass into one [B, H, T, S] that all layers share.
"""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from controldag.errors import InvalidInput
from controldag.model.definition.config import T5Sizes
from controldag.model.definition.torch_attention import torch_attention

# Added to the score of a key that must not be seen. Finite, so that a row without any key gives no NaN.
HIDDEN = -1e9
# How attention is computed: as written in `Attention`, by torch's kernels (scaled dot-product attention), or on a GPU
# by those of model/kernels/attention_triton.py (elsewhere as `sdpa`).
ATTENTIONS = ("plain", "sdpa", "fused")


# Dtype of what runs from layer to layer: float32, or that of the products (bf16 under autocast).
RESIDUALS = ("float32", "bf16")


class RMSNorm(nn.Module):
    """Input divided by its root mean square, times a learned weight; the mean is taken in float32."""

    def __init__(self, size: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        scale = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.epsilon)
        return (wide * scale * self.weight).to(x.dtype)


def relative_buckets(queries: int, keys: int, config: T5Sizes, *, causal: bool, device: torch.device) -> Tensor:
    """T5's bucket of each key as seen from each query: int64 [T, S].

    Near offsets have a bucket each, far ones share buckets that widen logarithmically.
    """
    offset = torch.arange(keys, device=device)[None, :] - torch.arange(queries, device=device)[:, None]
    buckets = config.relative_attention_num_buckets
    base = torch.zeros_like(offset)
    if causal:
        distance = (-offset).clamp_min(0)
    else:
        buckets //= 2
        base = (offset > 0).long() * buckets
        distance = offset.abs()
    near = buckets // 2
    ratio = torch.log(distance.clamp_min(1).float() / near) / math.log(config.relative_attention_max_distance / near)
    far = (near + (ratio * (buckets - near)).long()).clamp_max(buckets - 1)
    return base + torch.where(distance < near, distance, far)


class RelativeBias(nn.Module):
    """Learned bias per head and relative position: [1, H, T, S]."""

    def __init__(self, config: T5Sizes, *, causal: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(config.relative_attention_num_buckets, config.num_heads)
        self.causal = causal
        self._config = config

    def forward(self, queries: int, keys: int) -> Tensor:
        weight = self.table.weight
        buckets = relative_buckets(queries, keys, self._config, causal=self.causal, device=weight.device)
        # A product with the one-hot buckets: its backward is a matrix product too, not a scatter with collisions.
        chosen = (buckets[..., None] == torch.arange(weight.shape[0], device=weight.device)).to(weight.dtype)
        # Keys side by side in memory: other layouts keep torch's attention from its fused kernels.
        return (chosen @ weight).permute(2, 0, 1).unsqueeze(0).contiguous()


def compile_parts(*modules: nn.Module) -> None:
    """Compiles each module's `forward` in place, for shapes that vary; modules of one class share the compiled code."""
    for module in modules:
        # Not `module.compile`: that compiles `__call__`, one function for all classes, whose guards then pile up.
        setattr(module, "forward", torch.compile(module.forward, dynamic=True))  # noqa: B010


def padding_bias(mask: Tensor) -> Tensor:
    """Bias that hides padding: 0 where `mask` [B, S] is true, HIDDEN elsewhere, as float32 [B, 1, 1, S]."""
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, HIDDEN)[:, None, None, :]


def use_attention(model: nn.Module, kind: str) -> None:
    """Sets how every attention layer of `model` computes: one of ATTENTIONS."""
    if kind not in ATTENTIONS:
        raise InvalidInput.of("attention", f"be one of {', '.join(ATTENTIONS)}", kind)
    for module in model.modules():
        if isinstance(module, Attention):
            module.kind = kind


class StreamStart(nn.Module):
    """Where the sum that runs from layer to layer begins: dropout, and its dtype (`use_residual`)."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.dropout = config.dropout_rate
        self.narrow = False

    def forward(self, x: Tensor) -> Tensor:
        if self.narrow:
            x = x.to(product_dtype(x))
        return functional.dropout(x, self.dropout, self.training)


def use_residual(model: nn.Module, kind: str) -> None:
    """Sets the dtype of what runs between the layers of `model`: float32, or `bf16`, half the memory to move."""
    if kind not in RESIDUALS:
        raise InvalidInput.of("residual", f"be one of {', '.join(RESIDUALS)}", kind)
    for module in model.modules():
        if isinstance(module, StreamStart):
            module.narrow = kind == "bf16"


def product_dtype(x: Tensor) -> torch.dtype:
    """The dtype in which products of `x` are taken: autocast's where it is on."""
    device = x.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else x.dtype


def shared_biases(blocks: nn.ModuleList, x: Tensor, biases: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The biases as the blocks' attention takes them: apart, or summed once for all layers (`sdpa`).

    The sum is taken in float32 and kept in the dtype of the products (bf16 under autocast): half of the memory.
    """
    if cast(Attention, blocks[0].self_attention).kind != "sdpa":
        return biases
    return (sum(biases[1:], biases[0]).to(product_dtype(x)),)


class Attention(nn.Module):
    """T5's multi-head attention: no biases, no 1/√D (the initialisation takes care of it)."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.heads, self.size = config.num_heads, config.d_kv
        inner = self.heads * self.size
        self.q = nn.Linear(config.d_model, inner, bias=False)
        self.k = nn.Linear(config.d_model, inner, bias=False)
        self.v = nn.Linear(config.d_model, inner, bias=False)
        self.o = nn.Linear(inner, config.d_model, bias=False)
        self.dropout = config.dropout_rate
        self.kind = "plain"  # see `use_attention`

    def split(self, x: Tensor) -> Tensor:
        """[B, T, H·D] as [B, H, T, D]."""
        return x.unflatten(-1, (self.heads, self.size)).transpose(1, 2)

    def keys_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values [B, H, S, D] of `memory` [B, S, C]."""
        return self.split(self.k(memory)), self.split(self.v(memory))

    def forward(self, x: Tensor, memory: Tensor, biases: tuple[Tensor, ...]) -> Tensor:
        return self.attend(x, *self.keys_values(memory), biases)

    def attend(self, x: Tensor, keys: Tensor, values: Tensor, biases: tuple[Tensor, ...]) -> Tensor:
        """Attention of `x` [B, T, C] over given keys and values [B, H, S, D]: [B, T, C]."""
        queries = self.split(self.q(x))
        rate = self.dropout if self.training else 0.0
        # One query at a time, as the twin decodes, leaves nothing to fuse.
        if self.kind == "fused" and x.is_cuda and x.shape[1] > 1:
            from controldag.model.kernels.attention_op import triton_attention

            shared, own = _apart(biases, (self.heads, x.shape[1], keys.shape[2]))
            query, key, value = (each.transpose(1, 2) for each in (queries, keys, values))
            mixed = triton_attention(query, key, value, shared, own, rate)
            return cast(Tensor, self.o(mixed.flatten(2)))
        if self.kind != "plain":
            bias = sum(biases[1:], biases[0]).to(queries.dtype)
            mixed = torch_attention(queries, keys, values, bias, rate)
            return cast(Tensor, self.o(mixed.transpose(1, 2).flatten(2)))
        scores = (queries @ keys.transpose(-1, -2)).float()  # [B, H, T, S]
        for bias in biases:
            scores = scores + bias
        weights = torch.softmax(scores, -1).to(values.dtype)
        weights = functional.dropout(weights, self.dropout, self.training)
        mixed = (weights @ values).transpose(1, 2).flatten(2)
        return cast(Tensor, self.o(mixed))


def _apart(biases: tuple[Tensor, ...], shape: tuple[int, int, int]) -> tuple[Tensor | None, Tensor | None]:
    """The sum of the biases that all examples share, expanded to `shape` [H, T, S], and of the others, [B, S]."""
    shared = [bias[0] for bias in biases if bias.shape[0] == 1]
    own = [bias[:, 0, 0] for bias in biases if bias.shape[0] > 1]
    return (
        sum(shared[1:], shared[0]).expand(shape) if shared else None,
        sum(own[1:], own[0]) if own else None,
    )


class FeedForward(nn.Module):
    """T5's feed-forward layer: ReLU, or gated GELU as in T5 1.1."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.wi = nn.Linear(config.d_model, config.d_ff, bias=False)
        self.gate = nn.Linear(config.d_model, config.d_ff, bias=False) if config.gated_ffn else None
        self.wo = nn.Linear(config.d_ff, config.d_model, bias=False)
        self.dropout = config.dropout_rate

    def forward(self, x: Tensor) -> Tensor:
        inner = (
            functional.relu(self.wi(x))
            if self.gate is None
            else functional.gelu(self.wi(x), approximate="tanh") * self.gate(x)
        )
        return cast(Tensor, self.wo(functional.dropout(inner, self.dropout, self.training)))


class EncoderBlock(nn.Module):
    """Self-attention and feed-forward, each after a norm and added to its input."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.self_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.self_attention = Attention(config)
        self.ffn_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.ffn = FeedForward(config)
        self.dropout = config.dropout_rate

    def forward(self, x: Tensor, biases: tuple[Tensor, ...]) -> Tensor:
        normed = self.self_norm(x)
        x = x + functional.dropout(self.self_attention(normed, normed, biases), self.dropout, self.training)
        return x + functional.dropout(self.ffn(self.ffn_norm(x)), self.dropout, self.training)


class DecoderBlock(nn.Module):
    """Self-attention, attention over the source, feed-forward, each after a norm and added to its input."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.self_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.self_attention = Attention(config)
        self.cross_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.cross_attention = Attention(config)
        self.ffn_norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.ffn = FeedForward(config)
        self.dropout = config.dropout_rate

    def forward(
        self, x: Tensor, memory: Tensor, self_biases: tuple[Tensor, ...], cross_biases: tuple[Tensor, ...]
    ) -> Tensor:
        normed = self.self_norm(x)
        x = x + functional.dropout(self.self_attention(normed, normed, self_biases), self.dropout, self.training)
        x = x + functional.dropout(
            self.cross_attention(self.cross_norm(x), memory, cross_biases), self.dropout, self.training
        )
        return x + functional.dropout(self.ffn(self.ffn_norm(x)), self.dropout, self.training)


class Encoder(nn.Module):
    """T5's encoder over embedded tokens: [B, S, C] to [B, S, C]."""

    def __init__(self, config: T5Sizes) -> None:
        super().__init__()
        self.positions = RelativeBias(config, causal=False)
        self.start = StreamStart(config)
        self.blocks = nn.ModuleList(EncoderBlock(config) for _ in range(config.num_layers))
        self.norm = RMSNorm(config.d_model, config.layer_norm_epsilon)
        self.dropout = config.dropout_rate

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        biases = shared_biases(self.blocks, x, (self.positions(x.shape[1], x.shape[1]), padding_bias(mask)))
        x = self.start(x)
        for block in self.blocks:
            x = block(x, biases)
        return functional.dropout(self.norm(x), self.dropout, self.training)


def init_t5(module: nn.Module, config: T5Sizes) -> None:
    """Draws the weights of one of the modules above (not of its parts) as T5 does."""
    width, inner = config.d_model, config.num_heads * config.d_kv
    if isinstance(module, RMSNorm):
        nn.init.ones_(module.weight)
    elif isinstance(module, RelativeBias):
        nn.init.normal_(module.table.weight, std=width**-0.5)
    elif isinstance(module, Attention):
        nn.init.normal_(module.q.weight, std=(width * config.d_kv) ** -0.5)
        nn.init.normal_(module.k.weight, std=width**-0.5)
        nn.init.normal_(module.v.weight, std=width**-0.5)
        nn.init.normal_(module.o.weight, std=inner**-0.5)
    elif isinstance(module, FeedForward):
        nn.init.normal_(module.wi.weight, std=width**-0.5)
        if module.gate is not None:
            nn.init.normal_(module.gate.weight, std=width**-0.5)
        nn.init.normal_(module.wo.weight, std=config.d_ff**-0.5)
