"""What runs between the layers in bf16: where it is asked for and products are bf16, and nowhere else."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from controldag.errors import InvalidInput
from controldag.model.definition.layers import DecoderBlock, EncoderBlock, use_residual
from tests.unit.model.tiny import random_batch, tiny_model


def _dtypes_between_layers(model: nn.Module, *, autocast: bool) -> set[torch.dtype]:
    seen: set[torch.dtype] = set()
    hooks = [
        block.register_forward_hook(lambda _, __, output: seen.add(output.dtype))
        for block in model.modules()
        if isinstance(block, EncoderBlock | DecoderBlock)
    ]
    sources, targets = random_batch(8, [6, 3], [8, 4])
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        model(sources, labels=targets).loss.backward()
    for hook in hooks:
        hook.remove()
    return seen


def test_float32_runs_between_the_layers_unless_asked_otherwise() -> None:
    assert _dtypes_between_layers(tiny_model(), autocast=True) == {torch.float32}


def test_bf16_follows_the_products() -> None:
    model = tiny_model()
    use_residual(model, "bf16")
    assert _dtypes_between_layers(model, autocast=True) == {torch.bfloat16}
    assert _dtypes_between_layers(model, autocast=False) == {torch.float32}


def test_the_loss_changes_by_rounding_alone() -> None:
    sources, targets = random_batch(8, [9, 3, 6], [8, 4, 11])
    wide, narrow = tiny_model(), tiny_model()
    use_residual(narrow, "bf16")
    with torch.autocast("cpu", torch.bfloat16):
        losses = [model(sources, labels=targets).loss for model in (wide, narrow)]
    torch.testing.assert_close(losses[0], losses[1], atol=0.02, rtol=0.02)


def test_an_unknown_dtype_is_refused() -> None:
    with pytest.raises(InvalidInput, match="float32, bf16"):
        use_residual(tiny_model(), "fp8")
