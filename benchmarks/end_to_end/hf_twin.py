"""The twin as people run it today: the same weights in `transformers`' own T5, and its `generate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import DynamicCache, EncoderDecoderCache, T5Config, T5ForConditionalGeneration
from transformers.modeling_outputs import BaseModelOutput

from controldag.model.definition.layers import Attention, DecoderBlock, EncoderBlock
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.predict import Saying, StepSpeaker, padded
from controldag.model.twin.steps import TokenOutput


@torch.no_grad()
def to_transformers(model: ART5ForGeneration) -> T5ForConditionalGeneration:
    """`transformers`' T5 with the same weights, on the same device."""
    config = model.config
    sizes: dict[str, Any] = {
        name: getattr(config, name)
        for name in (
            "vocab_size",
            "d_model",
            "d_kv",
            "d_ff",
            "num_layers",
            "num_decoder_layers",
            "num_heads",
            "relative_attention_num_buckets",
            "relative_attention_max_distance",
            "layer_norm_epsilon",
            "pad_token_id",
            "eos_token_id",
        )
    }
    # This is how they are told whether features are divided by √d_model before the head.
    sizes["tie_word_embeddings"] = model.head is None and config.scaled_head
    sizes["feed_forward_proj"] = "gated-gelu" if config.gated_ffn else "relu"
    theirs: Any = T5ForConditionalGeneration(T5Config(**sizes, dropout_rate=0.0))
    theirs.generation_config.decoder_start_token_id = config.bos_token_id
    theirs.shared.weight.copy_(model.embedding.weight)
    theirs.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
    theirs.lm_head.weight.copy_(model.embedding.weight if model.head is None else model.head.weight)
    _copy_stack(theirs.encoder, model.encoder.blocks, model.encoder.positions.table.weight, model.encoder.norm.weight)
    positions = model.decoder_positions.table.weight
    _copy_stack(theirs.decoder, model.decoder_blocks, positions, model.decoder_norm.weight)
    found: T5ForConditionalGeneration = theirs.to(model.device).eval()
    return found


def _copy_stack(stack: Any, blocks: nn.ModuleList, positions: Tensor, norm: Tensor) -> None:
    stack.block[0].layer[0].SelfAttention.relative_attention_bias.weight.copy_(positions)
    stack.final_layer_norm.weight.copy_(norm)
    for ours, theirs in zip(blocks, stack.block, strict=True):
        assert isinstance(ours, EncoderBlock | DecoderBlock)
        theirs.layer[0].layer_norm.weight.copy_(ours.self_norm.weight)
        _copy_attention(theirs.layer[0].SelfAttention, ours.self_attention)
        if isinstance(ours, DecoderBlock):
            theirs.layer[1].layer_norm.weight.copy_(ours.cross_norm.weight)
            _copy_attention(theirs.layer[1].EncDecAttention, ours.cross_attention)
        last, ffn = theirs.layer[-1], ours.ffn
        last.layer_norm.weight.copy_(ours.ffn_norm.weight)
        last.DenseReluDense.wo.weight.copy_(ffn.wo.weight)
        if ffn.gate is None:
            last.DenseReluDense.wi.weight.copy_(ffn.wi.weight)
        else:
            last.DenseReluDense.wi_0.weight.copy_(ffn.wi.weight)
            last.DenseReluDense.wi_1.weight.copy_(ffn.gate.weight)


def _copy_attention(theirs: Any, ours: Attention) -> None:
    for name in "qkvo":
        getattr(theirs, name).weight.copy_(getattr(ours, name).weight)


class HfSpeaker:
    """Greedy and beam by `generate`; with constraints, our constrained beam search over their model and cache."""

    def __init__(self, model: ART5ForGeneration) -> None:
        self.config, self.device = model.config, model.device
        self.model: Any = to_transformers(model)
        self._constrained = StepSpeaker(_HfSteps(self.model, model.config), model.device)

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        """An output for each source; its log-probability is not told (NaN) where `generate` made it."""
        if how.constraints is not None or len(set(how.lengths or ())) > 1:
            return self._constrained.say(ids, how)
        batch = padded(ids, self.config.pad_token_id, self.device)
        longest = how.max_length - 1 if how.lengths is None else how.lengths[0]
        with torch.inference_mode():
            outputs = self.model.generate(
                input_ids=batch,
                attention_mask=(batch != self.config.pad_token_id).long(),
                num_beams=how.beams,
                length_penalty=how.length_penalty if how.beams > 1 else None,
                do_sample=False,
                max_new_tokens=longest,
                min_new_tokens=None if how.lengths is None else longest,
                past_key_values=_empty_cache(),
            )
        return [TokenOutput(self._cut(row), float("nan"), True) for row in outputs.tolist()]

    def _cut(self, row: list[int]) -> list[int]:
        tokens = row[1:]
        end = tokens.index(self.config.eos_token_id) if self.config.eos_token_id in tokens else len(tokens)
        return [token for token in tokens[:end] if token != self.config.pad_token_id]


def _empty_cache() -> EncoderDecoderCache:
    """One that grows by itself: theirs has as many layers as the encoder, and ours may have more in the decoder."""
    return EncoderDecoderCache(DynamicCache(), DynamicCache())


@dataclass(slots=True)
class _HfCache:
    encoded: BaseModelOutput
    mask: Tensor
    past: EncoderDecoderCache

    def reorder(self, rows: Tensor) -> None:
        self.past.reorder_cache(cast(torch.LongTensor, rows))

    def keep(self, rows: Tensor) -> None:
        self.reorder(rows)
        self.encoded = BaseModelOutput(last_hidden_state=self.encoded[0][rows])
        self.mask = self.mask[rows]


class _HfSteps:
    """Their model behind our searches."""

    def __init__(self, model: T5ForConditionalGeneration, config: Any) -> None:
        self.model, self.config = model, config

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1) -> _HfCache:
        mask = (input_ids != self.config.pad_token_id).long()
        encoded = self.model.encoder(input_ids=input_ids, attention_mask=mask)
        hidden = encoded.last_hidden_state.repeat_interleave(copies, 0)
        return _HfCache(BaseModelOutput(last_hidden_state=hidden), mask.repeat_interleave(copies, 0), _empty_cache())

    def step(self, tokens: Tensor, cache: _HfCache) -> Tensor:
        found = self.model(
            encoder_outputs=cache.encoded,
            attention_mask=cache.mask,
            decoder_input_ids=tokens[:, None],
            past_key_values=cache.past,
            use_cache=True,
        )
        return torch.log_softmax(found.logits[:, -1].float(), -1)
