"""Our T5 blocks against Hugging Face's under copied weights."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from transformers import T5Config, T5ForConditionalGeneration
from transformers.models.t5.modeling_t5 import T5Stack

from controldag.model.definition.config import ART5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.layers import Attention, FeedForward, RMSNorm, padding_bias
from controldag.model.twin.network import ART5ForGeneration
from tests.unit.model.tiny import tiny_config


def _their_stack(*, decoder: bool, gated: bool) -> T5Stack:
    config = T5Config(
        vocab_size=60,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        feed_forward_proj="gated-gelu" if gated else "relu",
        is_decoder=decoder,
        is_encoder_decoder=False,
        use_cache=False,
        dropout_rate=0.0,
    )
    if decoder:
        config.is_causal = False
    torch.manual_seed(5)
    stack = T5Stack(config)
    stack.set_input_embeddings(nn.Embedding(60, 32))
    for parameter in stack.parameters():
        nn.init.normal_(parameter, std=0.3)
    if decoder:
        for block in stack.block:
            block.layer[0].SelfAttention.is_decoder = False
    return stack.eval()


def _copy_attention(ours: Attention, theirs: nn.Module) -> None:
    for name in "qkvo":
        getattr(ours, name).weight.data = getattr(theirs, name).weight.data.clone()


def _copy_ffn(ours: FeedForward, norm: RMSNorm, theirs: nn.Module) -> None:
    norm.weight.data = theirs.layer_norm.weight.data.clone()
    dense = theirs.DenseReluDense
    ours.wo.weight.data = dense.wo.weight.data.clone()
    if ours.gate is None:
        ours.wi.weight.data = dense.wi.weight.data.clone()
    else:
        ours.wi.weight.data = dense.wi_0.weight.data.clone()
        ours.gate.weight.data = dense.wi_1.weight.data.clone()


@pytest.mark.parametrize("gated", [False, True])
def test_encoder_equals_hugging_face(gated: bool) -> None:
    theirs = _their_stack(decoder=False, gated=gated)
    ours = DAT5ForGeneration(tiny_config(gated_ffn=gated, relative_attention_max_distance=128)).eval().encoder
    ours.positions.table.weight.data = (
        theirs.block[0].layer[0].SelfAttention.relative_attention_bias.weight.data.clone()
    )
    for block, other in zip(ours.blocks, theirs.block, strict=True):
        block.self_norm.weight.data = other.layer[0].layer_norm.weight.data.clone()
        _copy_attention(block.self_attention, other.layer[0].SelfAttention)
        _copy_ffn(block.ffn, block.ffn_norm, other.layer[1])
    ours.norm.weight.data = theirs.final_layer_norm.weight.data.clone()
    x = torch.randn(3, 40, 32)
    mask = torch.arange(40)[None] < torch.tensor([40, 13, 25])[:, None]
    with torch.no_grad():
        wanted = theirs(inputs_embeds=x, attention_mask=mask.long()).last_hidden_state
        found = ours(x, mask)
    torch.testing.assert_close(found[mask], wanted[mask], atol=1e-5, rtol=1e-4)


def test_decoder_without_causal_mask_equals_hugging_face() -> None:
    theirs = _their_stack(decoder=True, gated=False)
    model = DAT5ForGeneration(tiny_config()).eval()
    bias = theirs.block[0].layer[0].SelfAttention.relative_attention_bias.weight
    model.decoder_positions.table.weight.data = bias.data.clone()
    for block, other in zip(model.decoder_blocks, theirs.block, strict=True):
        block.self_norm.weight.data = other.layer[0].layer_norm.weight.data.clone()
        _copy_attention(block.self_attention, other.layer[0].SelfAttention)
        block.cross_norm.weight.data = other.layer[1].layer_norm.weight.data.clone()
        _copy_attention(block.cross_attention, other.layer[1].EncDecAttention)
        _copy_ffn(block.ffn, block.ffn_norm, other.layer[2])
    x, memory = torch.randn(2, 50, 32), torch.randn(2, 9, 32)
    vertices = torch.arange(50)[None] < torch.tensor([50, 31])[:, None]
    source = torch.arange(9)[None] < torch.tensor([9, 4])[:, None]
    with torch.no_grad():
        wanted = theirs(
            inputs_embeds=x,
            attention_mask=vertices.long(),
            encoder_hidden_states=memory,
            encoder_attention_mask=source.long(),
        ).last_hidden_state
        found = x
        biases = (model.decoder_positions(50, 50), padding_bias(vertices))
        for block in model.decoder_blocks:
            found = block(found, memory, biases, (padding_bias(source),))
        model.decoder_norm.weight.data = theirs.final_layer_norm.weight.data.clone()
        found = model.decoder_norm(found)
    torch.testing.assert_close(found[vertices], wanted[vertices], atol=1e-5, rtol=1e-4)


def test_the_autoregressive_twin_equals_hugging_faces_t5() -> None:
    sizes = {"vocab_size": 60, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
    torch.manual_seed(6)
    theirs = T5ForConditionalGeneration(T5Config(**sizes, num_decoder_layers=2, dropout_rate=0.0)).eval()
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.3)
    ours = ART5ForGeneration(ART5Config(**sizes, num_decoder_layers=2, bos_token_id=3)).eval()
    ours.embedding.weight.data = theirs.shared.weight.data.clone()
    for stack, positions, blocks, norm in (
        (theirs.encoder, ours.encoder.positions, ours.encoder.blocks, ours.encoder.norm),
        (theirs.decoder, ours.decoder_positions, ours.decoder_blocks, ours.decoder_norm),
    ):
        bias = stack.block[0].layer[0].SelfAttention.relative_attention_bias.weight
        positions.table.weight.data = bias.data.clone()
        norm.weight.data = stack.final_layer_norm.weight.data.clone()
        for block, other in zip(blocks, stack.block, strict=True):
            block.self_norm.weight.data = other.layer[0].layer_norm.weight.data.clone()
            _copy_attention(block.self_attention, other.layer[0].SelfAttention)
            if len(other.layer) == 3:
                block.cross_norm.weight.data = other.layer[1].layer_norm.weight.data.clone()
                _copy_attention(block.cross_attention, other.layer[1].EncDecAttention)
            _copy_ffn(block.ffn, block.ffn_norm, other.layer[-1])
    sources = torch.randint(4, 60, (2, 9))
    sources[1, 5:] = 0
    targets = torch.randint(4, 60, (2, 20))
    mask = sources != 0
    with torch.no_grad():
        wanted = theirs(input_ids=sources, attention_mask=mask.long(), decoder_input_ids=targets).logits
        scaled, weight = ours.head_inputs(ours.features(targets, ours.encode(sources, mask), mask))
    torch.testing.assert_close(scaled @ weight.T, wanted, atol=1e-4, rtol=1e-4)
