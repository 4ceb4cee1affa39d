"""The forward pass for inference against the model's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from controldag.errors import InvalidInput
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.layers import RelativeBias
from controldag.model.inference.fast_blocks import PositionBiases
from controldag.model.inference.forward import FastForward, Inputs, Outputs
from controldag.model.inference.packed import check_precision, pack
from controldag.model.inference.predict import TorchPredictor
from controldag.runtime.predict import Source
from controldag.surfaces import Surfaces
from tests.unit.model.tiny import tiny_config, tiny_model

SPEAK = torch.zeros(60)


def as_given(model: DAT5ForGeneration, inputs: Inputs) -> tuple[Tensor, Tensor]:
    """Log-probabilities of all tokens, and links, by the model's own modules."""
    mask = torch.arange(inputs.ids.shape[1])[None] < inputs.lengths[:, None]
    vertex_mask = torch.arange(inputs.width)[None] < inputs.sizes[:, None]
    embedded = model.embedding(inputs.ids)
    vertices = model.vertex_inputs(embedded, inputs.lengths, inputs.sizes, inputs.width)
    features = model.vertex_features(vertices, model.encoder(embedded, mask), mask, vertex_mask)
    return torch.log_softmax(model.logits(features), -1), model.links(features, vertex_mask)


def some_inputs(lengths: list[int], sizes: list[int]) -> Inputs:
    draw = torch.Generator().manual_seed(4)
    ids = torch.randint(4, 60, (len(lengths), max(lengths)), generator=draw)
    for row, length in enumerate(lengths):
        ids[row, length:] = 0
    whole = len(set(lengths)) == len(set(sizes)) == 1
    nothing = torch.zeros(len(lengths), 0, dtype=torch.int64)
    asked = torch.tensor([[9, 2, 33]] * len(lengths))
    return Inputs(ids, torch.tensor(lengths), torch.tensor(sizes), max(sizes), nothing, asked, whole)


def compare(found: Outputs, wanted: tuple[Tensor, Tensor], sizes: list[int], tolerance: float) -> None:
    for row, size in enumerate(sizes):
        scores, links = wanted[0][row, :size], wanted[1][row, :size, :size]
        torch.testing.assert_close(found.links[row, :size, :size], links, atol=tolerance, rtol=0)
        torch.testing.assert_close(found.scores[row, :size], scores.topk(4, -1).values, atol=tolerance, rtol=0)
        at_tokens = scores.gather(-1, found.tokens[row, :size])
        torch.testing.assert_close(found.scores[row, :size], at_tokens, atol=tolerance, rtol=0)
        torch.testing.assert_close(found.asked[row, :size], scores[:, [9, 2, 33]], atol=tolerance, rtol=0)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tied_head": True},
        {"tied_head": True, "scaled_head": False},
        {"gated_ffn": True},
        {"decoder_vocab_size": 60, "copy_source": False},
    ],
)
@pytest.mark.parametrize(
    ("lengths", "sizes"), [([7], [21]), ([12, 12], [40, 40]), ([3, 14, 9], [60, 33, 2]), ([5, 5], [20, 31])]
)
def test_it_gives_what_the_models_modules_give(changes: dict[str, Any], lengths: list[int], sizes: list[int]) -> None:
    model = tiny_model(1, **changes)
    inputs = some_inputs(lengths, sizes)
    with torch.inference_mode():
        compare(FastForward(model, SPEAK)(inputs, 4), as_given(model, inputs), sizes, 2e-4)


def test_totals_and_features_give_any_tokens_probability() -> None:
    model, inputs = tiny_model(2, tied_head=True), some_inputs([8, 5], [24, 15])
    forward = FastForward(model, SPEAK)
    with torch.inference_mode():
        found, (wanted, _) = forward(inputs, 1), as_given(model, inputs)
        scores = found.features @ forward.head_weight.T - found.totals[..., None]
    torch.testing.assert_close(scores[0], wanted[0], atol=2e-4, rtol=0)
    torch.testing.assert_close(scores[1, :15], wanted[1, :15], atol=2e-4, rtol=0)


def test_silent_tokens_never_come_but_count_in_the_sum() -> None:
    model, inputs = tiny_model(3), some_inputs([6], [18])
    silent = SPEAK.clone()
    with torch.inference_mode():
        free = FastForward(model, silent)(inputs, 60)
        silent[:30] = -torch.inf
        forward = FastForward(model, silent)
        found = forward(inputs, 30)
        spoken = forward(inputs._replace(spoken=torch.tensor([[7, 40]])), 31)
    assert int(found.tokens.min()) >= 30
    assert set(spoken.tokens.flatten().tolist()) == {7, *range(30, 60)}
    torch.testing.assert_close(found.totals, free.totals)


@pytest.mark.parametrize(("precision", "tolerance"), [("bfloat16", 0.3), ("int8", 0.5)])
def test_lower_precisions_stay_near(precision: str, tolerance: float) -> None:
    model, inputs = tiny_model(4), some_inputs([9, 12], [27, 36])
    with torch.inference_mode():
        found, wanted = FastForward(model, SPEAK, precision)(inputs, 4), as_given(model, inputs)
    compare(found, wanted, [27, 36], tolerance)
    assert not torch.equal(found.links[1], wanted[1][1])


def test_packed_layers_multiply_and_cut_off_at_zero() -> None:
    weight, x = torch.randn(10, 7), torch.randn(2, 3, 7)
    wanted = x @ weight.T
    torch.testing.assert_close(pack(weight, "float32")(x), wanted)
    torch.testing.assert_close(pack(weight, "float32", relu=True)(x), wanted.relu())
    torch.testing.assert_close(pack(weight, "int8", relu=True)(x), wanted.relu(), atol=0.15, rtol=0)


def test_unknown_precisions_are_refused() -> None:
    with pytest.raises(InvalidInput, match="float16"):
        check_precision("float16", torch.device("cpu"))
    with pytest.raises(InvalidInput, match="on a GPU"):
        check_precision("int8", torch.device("cuda"))


def test_tables_that_a_graph_was_captured_with_stay_where_they_are() -> None:
    torch.manual_seed(2)
    biases = PositionBiases(RelativeBias(tiny_config(), causal=False))
    small = biases(8)
    address, values = small.data_ptr(), small.clone()
    del small
    biases(64)  # a larger table takes its place
    assert any(table.data_ptr() == address and torch.equal(table[:, :, :8, :8], values) for table in biases._tables[1:])


@pytest.mark.parametrize("precision", ["float32", "bfloat16", "int8"])
def test_a_wider_graph_has_probabilities_whatever_the_precision(precision: str) -> None:
    """A coarse pass's sums under fine logits gave tokens a probability above one, and such requests failed."""
    model = tiny_model(5)
    with torch.no_grad():
        model.output.weight *= 12.0  # sure of itself, as a trained model is
    surfaces = Surfaces([f" w{i}".encode() if i > 3 else None for i in range(60)])
    predictor = TorchPredictor(model, surfaces, precision=precision)
    source = Source([7, 8, 9, 1], 12, asked=[9, 2, 33])
    (dag,) = predictor.predict([source], best=3)
    assert dag.widen is not None
    for each in (dag, dag.widen(8), dag.widen(30)):
        each.check()
        for ids in ([9, 2, 33], [5, 9], list(range(4, 60))):
            chances = np.exp(each.log_probabilities(ids))
            assert chances.max() <= 1 + 1e-4 and (chances.sum(1) <= 1 + 1e-4).all()
