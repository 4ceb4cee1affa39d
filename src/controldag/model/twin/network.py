"""The autoregressive twin: T5's encoder and decoder from scratch, with a key–value cache.

Shapes: B examples, N source tokens, M target positions (`<s>` and `</s>` counted), R rows, C = d_model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from controldag.model.definition.config import ART5Config
from controldag.model.definition.emission import fused_cross_entropy, smoothed_cross_entropy
from controldag.model.definition.layers import (
    HIDDEN,
    DecoderBlock,
    Encoder,
    RelativeBias,
    RMSNorm,
    StreamStart,
    compile_parts,
    init_t5,
    padding_bias,
    shared_biases,
)
from controldag.model.twin.steps import greedy


@dataclass
class WordOutput(ModelOutput):
    """What a forward pass with `labels` gives."""

    loss: Tensor | None = None  # scalar: mean cost of a target token
    statistics: Tensor | None = None  # [4] sums: −log-likelihood, positions, wrong, 0
    logits: Tensor | None = None


@dataclass(slots=True)
class Cache:
    """Keys and values of one decoding batch, layer by layer, [R, H, positions, D]; R rows (hypotheses)."""

    own: list[tuple[Tensor, Tensor]]  # with room for every position to come
    source: list[tuple[Tensor, Tensor]]
    source_bias: Tensor
    length: int = 0  # positions filled

    def reorder(self, rows: Tensor) -> None:
        """Rows `rows` take the places 0, 1, …: hypotheses that went on or were dropped."""
        for keys, values in self.own:
            for part in (keys, values):
                part[:, :, : self.length] = part[rows, :, : self.length]

    def keep(self, rows: Tensor) -> None:
        """As `reorder`, when rows move between examples or their number changes."""
        self.own = [(keys[rows], values[rows]) for keys, values in self.own]
        self.source = [(keys[rows], values[rows]) for keys, values in self.source]
        self.source_bias = self.source_bias[rows]


class ART5ForGeneration(PreTrainedModel):
    """T5 that says one token after another."""

    config_class = ART5Config
    config: ART5Config
    base_model_prefix = "ar_t5"
    main_input_name = "input_ids"
    _no_split_modules = ["EncoderBlock", "DecoderBlock"]  # noqa: RUF012

    def __init__(self, config: ART5Config) -> None:
        super().__init__(config)
        config.check()
        width = config.d_model
        self.embedding = nn.Embedding(config.vocab_size, width)
        self.encoder = Encoder(config)
        self.decoder_positions = RelativeBias(config, causal=True)
        self.decoder_start = StreamStart(config)
        self.decoder_blocks = nn.ModuleList(DecoderBlock(config) for _ in range(config.num_decoder_layers))
        self.decoder_norm = RMSNorm(width, config.layer_norm_epsilon)
        self.head = None if config.tied_head else nn.Linear(width, config.vocab_size, bias=False)
        self.fused = False
        self.label_smoothing = 0.0
        self.post_init()

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        init_t5(module, self.config)
        if module is self:
            nn.init.normal_(self.embedding.weight)
            if self.head is not None:
                nn.init.normal_(self.head.weight, std=self.config.d_model**-0.5)

    def _layers(self) -> list[DecoderBlock]:
        return cast(list[DecoderBlock], list(self.decoder_blocks))

    def get_input_embeddings(self) -> nn.Module:
        """The one embedding of source and target."""
        return self.embedding

    def use_fused_loss(self, on: bool = True) -> None:
        """Switches the Triton kernels of the loss on or off."""
        self.fused = on

    def compile_blocks(self) -> None:
        """Compiles the repeated parts (one encoder block, one decoder block, norms), for shapes that vary."""
        compile_parts(*self.encoder.blocks, *self.decoder_blocks, self.decoder_norm, self.encoder.norm)

    def encode(self, input_ids: Tensor, mask: Tensor) -> Tensor:
        """Encoded source [B, N, C]."""
        return cast(Tensor, self.encoder(self.embedding(input_ids), mask))

    def head_inputs(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Features and weights [V, C] whose product are the logits."""
        if self.head is not None:
            return features, self.head.weight
        scale = self.config.d_model**-0.5 if self.config.scaled_head else 1.0
        return features * scale, self.embedding.weight

    def forward(self, input_ids: Tensor, labels: Tensor, normaliser: Tensor | None = None, **unused: Any) -> WordOutput:
        """The loss of `labels` [B, M]: `<s>` … `</s>`, padded. Each token is told from those before it."""
        mask = input_ids != self.config.pad_token_id
        memory = self.encode(input_ids, mask)
        features = self.features(labels[:, :-1], memory, mask)
        wanted = labels[:, 1:]
        real = wanted != self.config.pad_token_id
        scaled, weight = self.head_inputs(features)
        entropy = fused_cross_entropy if self.fused else smoothed_cross_entropy
        costs = entropy(scaled, weight, wanted, self.label_smoothing)
        total = torch.where(real, costs.training, 0.0).sum()
        positions = real.sum()
        wrong = (real & ~costs.right).sum()
        plain = torch.where(real, costs.plain, 0.0).sum()
        statistics = torch.stack([plain, positions.float(), wrong.float(), torch.zeros_like(plain)])
        return WordOutput(loss=total / (positions if normaliser is None else normaliser), statistics=statistics)

    def features(self, tokens: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Decoder features [B, T, C] after each of `tokens` [B, T], all at once (for training)."""
        size = tokens.shape[1]
        x = self.decoder_start(self.embedding(tokens))
        later = torch.ones(size, size, dtype=torch.bool, device=tokens.device).triu(1)
        own = shared_biases(self.decoder_blocks, x, (self.decoder_positions(size, size).masked_fill(later, HIDDEN),))
        source = shared_biases(self.decoder_blocks, x, (padding_bias(mask),))
        for block in self.decoder_blocks:
            x = block(x, memory, own, source)
        return functional.dropout(self.decoder_norm(x), self.config.dropout_rate, self.training)

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1) -> Cache:
        """A cache for decoding `input_ids` [B, N] with `copies` hypotheses each, rows b·copies + k."""
        mask = input_ids != self.config.pad_token_id
        memory = self.encode(input_ids, mask).repeat_interleave(copies, 0)
        source = [block.cross_attention.keys_values(memory) for block in self._layers()]
        rows, heads, _, size = source[0][0].shape
        own = [
            (memory.new_zeros(rows, heads, max_length, size, dtype=source[0][0].dtype),) * 2
            for _ in self.decoder_blocks
        ]
        own = [(keys, keys.clone()) for keys, _ in own]
        return Cache(own, source, padding_bias(mask.repeat_interleave(copies, 0)))

    def step(self, tokens: Tensor, cache: Cache) -> Tensor:
        """Log-probabilities [R, V] of the next token after `tokens` [R]; the cache grows by one position."""
        place = cache.length
        x = self.embedding(tokens)[:, None]
        bias = self.decoder_positions(place + 1, place + 1)[:, :, -1:]
        for block, (keys, values), source in zip(self._layers(), cache.own, cache.source, strict=True):
            normed = block.self_norm(x)
            key, value = block.self_attention.keys_values(normed)
            keys[:, :, place : place + 1] = key
            values[:, :, place : place + 1] = value
            x = x + block.self_attention.attend(normed, keys[:, :, : place + 1], values[:, :, : place + 1], (bias,))
            x = x + block.cross_attention.attend(block.cross_norm(x), *source, (cache.source_bias,))
            x = x + block.ffn(block.ffn_norm(x))
        cache.length += 1
        scaled, weight = self.head_inputs(self.decoder_norm(x[:, 0]))
        return torch.log_softmax(functional.linear(scaled, weight).float(), -1)

    def greedy(self, input_ids: Tensor, max_length: int = 128) -> list[list[int]]:
        """The most likely next token, again and again: ids without `<s>` and `</s>`."""
        return [hypothesis.tokens for hypothesis in greedy(self, input_ids, max_length)]
