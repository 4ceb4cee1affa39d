"""DA-T5's forward pass for inference: the same function as `DAT5ForGeneration`, arranged to be fast.

Beside what `fast_blocks.py` does: features and links, linear in the same input, are one product, and the positions'
share of the links is computed once.

Shapes: B examples, N source tokens, L vertices, C = d_model, K tokens a vertex, V tokens.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.inference.fast_blocks import FastT5, PositionBiases, add

# Stands for minus infinity inside a softmax over links. As in `links.py`.
_FAR = -1e5


class Inputs(NamedTuple):
    """A padded batch. `whole`: every source has N tokens and every graph L vertices, so that nothing is padding."""

    ids: Tensor  # [B, N] int64
    lengths: Tensor  # [B] source tokens
    sizes: Tensor  # [B] vertices
    width: int  # L
    spoken: Tensor  # [B, M] silent tokens that have a surface in this input (any speaking token: padding)
    asked: Tensor  # [B, W] tokens to be scored at every vertex (any token: padding)
    whole: bool = False


class Outputs(NamedTuple):
    """What one pass gives; rows of padding hold anything."""

    links: Tensor  # [B, L, L] float32 log-probabilities, −inf where there is no transition
    scores: Tensor  # [B, L, K] float32 log-probabilities of the likeliest tokens
    tokens: Tensor  # [B, L, K] int64
    asked: Tensor  # [B, L, W] float32 log-probabilities of the tokens asked for
    totals: Tensor  # [B, L] float32 log-sum-exp of the logits
    features: Tensor  # [B, L, C] whose product with `head_weight` are the logits


class FastForward(FastT5):
    """A DA-T5's weights, arranged for inference on the device they are on.

    `silent` [V] is −inf for tokens that never come among the likeliest unless an input says so, 0 for the others.
    """

    @torch.no_grad()
    def __init__(self, model: DAT5ForGeneration, silent: Tensor, precision: str = "float32") -> None:
        super().__init__(model, precision, model.config.max_positions)
        self.config, self.silent = model.config, silent.to(self.device)
        self.decoder_bias = PositionBiases(model.decoder_positions)
        self._vertex_tables(model)
        self._last_tables(model)

    def _vertex_tables(self, model: DAT5ForGeneration) -> None:
        config, table = self.config, model._vertex_table()
        self.vertex_norm = model.vertex_norm.weight.detach()
        rows = table[config.unk_token_id] + model.vertex_positions.weight  # [positions, C]
        rows[0] += table[config.bos_token_id] - table[config.unk_token_id]
        self.vertices = rows
        self.last_vertex = table[config.eos_token_id] - table[config.unk_token_id]

    def _last_tables(self, model: DAT5ForGeneration) -> None:
        links, output, width = model.links, model.output, self.config.d_model
        weight = torch.cat([links.query.weight, links.key.weight, links.gate.weight])
        bias = torch.cat([links.query.bias, links.key.bias, links.gate.bias])
        of_features, of_positions = weight[:, :width], weight[:, width:]
        self.last = self.pack(torch.cat([output.weight, of_features @ output.weight]), model.decoder_norm.weight)
        self.output_bias = output.bias.detach()
        self.link_positions = links.positions.weight @ of_positions.T + bias + of_features @ output.bias
        # 0 where u < v, elsewhere −inf.
        self.never = torch.zeros(len(self.places), len(self.places), device=self.device)
        self.never.masked_fill_(self.places[:, None] >= self.places[None], -torch.inf)

    def __call__(self, inputs: Inputs, best: int) -> Outputs:
        """The graphs of a batch, with the `best` likeliest speaking tokens of every vertex."""
        embedded = functional.embedding(inputs.ids, self.embedding)
        features, links = self._graph(embedded, inputs)
        logits = self.head(features).float()
        # Faster than a log-sum-exp on a CPU, which makes the same passes with slower kernels.
        scores = torch.log_softmax(logits, -1)
        totals = logits[..., 0] - scores[..., 0]
        asked = scores.gather(-1, inputs.asked[:, None].expand(-1, inputs.width, -1))
        values, tokens = scores.add_(self._silent(inputs.spoken)).topk(min(best, logits.shape[-1]), -1)
        return Outputs(links, values, tokens, asked, totals, features)

    def _silent(self, spoken: Tensor) -> Tensor:
        if not spoken.shape[1]:
            return self.silent
        return self.silent.expand(len(spoken), -1).scatter(1, spoken, 0.0)[:, None]

    def _graph(self, embedded: Tensor, inputs: Inputs) -> tuple[Tensor, Tensor]:
        width = inputs.width
        source_bias = None if inputs.whole else self.padding(inputs.lengths, embedded.shape[1])
        memory = [self.split(part) for part in self.memory(embedded, source_bias)]
        vertex_bias = None if inputs.whole else self.padding(inputs.sizes, width)
        own_bias = add(self.decoder_bias(width), vertex_bias).to(self.dtype)
        cross_bias = None if source_bias is None else source_bias.to(self.dtype)
        y = self._vertex_inputs(embedded, inputs)
        for block, keys, values in zip(self.decoder, memory[::2], memory[1::2], strict=True):
            y = self.attend_self(y, block, own_bias)
            y = self.attend_source(y, block, (keys, values), cross_bias)
            y = self.feed_forward(y, block)
        last = self.last(self.norm(y)).float()
        features = last[..., : self.config.d_model] + self.output_bias
        joint = last[..., self.config.d_model :] + self.link_positions[:width]
        return features, self._links(joint, inputs)

    def _vertex_inputs(self, embedded: Tensor, inputs: Inputs) -> Tensor:
        place, width = self.places[: inputs.width], inputs.width
        last = (place[None] == inputs.sizes[:, None] - 1)[..., None]
        y = self.vertices[:width] + last * self.last_vertex
        if self.config.copy_source:
            spot = (place[None] * inputs.lengths[:, None] // inputs.sizes[:, None]).clamp_max(embedded.shape[1] - 1)
            y = y + embedded.gather(1, spot[..., None].expand(-1, -1, embedded.shape[2]))
        return self.norm(y) * self.vertex_norm

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
            never = never.masked_fill(beyond[:, None, :], -torch.inf)
        # A row that may go nowhere would give NaN.
        hidden = never.clamp_min(_FAR)
        gates = torch.log_softmax(gate, -1).transpose(1, 2)  # [B, heads, L]
        scores = torch.log_softmax(scores.add_(hidden if inputs.whole else hidden[:, None]), -1).add_(gates[..., None])
        top = scores.amax(1, keepdim=True)
        return scores.sub_(top).exp_().sum(1).log_().add_(top[:, 0]).add_(never)
