"""Attention by torch's scaled_dot_product_attention against the plain one: values, gradients, padding."""

from __future__ import annotations

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config
from controldag.model.definition.layers import Attention, _apart, use_attention
from controldag.model.twin.network import ART5ForGeneration
from tests.unit.model.tiny import random_batch, tiny_model


def _twin() -> ART5ForGeneration:
    torch.manual_seed(0)
    sizes = {"vocab_size": 60, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
    return ART5ForGeneration(ART5Config(**sizes, num_decoder_layers=2, bos_token_id=3)).eval()


@pytest.mark.parametrize("kind", ["sdpa", "fused"])
@pytest.mark.parametrize("make", [tiny_model, _twin], ids=["da", "ar"])
def test_all_kinds_give_the_same_loss_and_gradients(make: type[ART5ForGeneration], kind: str) -> None:
    sources, targets = random_batch(8, [9, 3, 6], [8, 4, 11])
    plain, torchs = make(), make()
    use_attention(torchs, kind)
    losses = [model(sources, labels=targets).loss for model in (plain, torchs)]
    torch.testing.assert_close(losses[0], losses[1], atol=1e-5, rtol=1e-5)
    for loss in losses:
        loss.backward()
    for (name, one), (_, other) in zip(plain.named_parameters(), torchs.named_parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, atol=1e-5, rtol=1e-3, msg=lambda text, name=name: name + text)
    for table in (torchs.encoder.positions.table, torchs.decoder_positions.table):
        assert table.weight.grad is not None and table.weight.grad.abs().max() > 0


def test_padded_equals_unpadded_with_sdpa() -> None:
    model = tiny_model()
    use_attention(model, "sdpa")
    sources, _ = random_batch(1, [9, 4, 6], [5, 5, 5])
    with torch.no_grad():
        together = model(sources)
        for row, length in enumerate([9, 4, 6]):
            alone = model(sources[row : row + 1, :length])
            size = 3 * length
            torch.testing.assert_close(together.logits[row, :size], alone.logits[0], atol=2e-5, rtol=1e-4)
            torch.testing.assert_close(together.links[row, :size, :size], alone.links[0], atol=2e-5, rtol=1e-4)


def test_cached_decoding_is_the_same_with_sdpa() -> None:
    sources, _ = random_batch(2, [7, 4], [5, 5])
    plain, torchs = _twin(), _twin()
    use_attention(torchs, "sdpa")
    assert plain.greedy(sources, max_length=12) == torchs.greedy(sources, max_length=12)


def test_dropout_falls_on_the_probabilities_in_training_only() -> None:
    model = tiny_model(dropout_rate=0.5)
    layer = model.encoder.blocks[0].self_attention
    assert isinstance(layer, Attention)
    use_attention(model, "sdpa")
    x, bias = torch.randn(2, 5, 32), torch.zeros(1, 1, 1, 5)
    with torch.no_grad():
        assert torch.equal(layer(x, x, (bias,)), layer(x, x, (bias,)))
        layer.train()
        assert not torch.equal(layer(x, x, (bias,)), layer(x, x, (bias,)))


def test_bias_and_products_share_autocasts_dtype(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[torch.dtype]] = []
    torchs = torch.nn.functional.scaled_dot_product_attention

    def spy(*tensors: torch.Tensor, **options: float) -> torch.Tensor:
        seen.append({tensor.dtype for tensor in tensors[:4]})
        return torchs(*tensors, **options)

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", spy)
    model = tiny_model()
    use_attention(model, "sdpa")
    sources, targets = random_batch(8, [6, 3], [8, 4])
    with torch.autocast("cpu", torch.bfloat16):
        loss = model(sources, labels=targets).loss
    assert loss is not None and loss.isfinite() and seen
    assert all(dtypes == {torch.bfloat16} for dtypes in seen)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InvalidInput, match="plain, sdpa"):
        use_attention(tiny_model(), "flash")


@pytest.mark.parametrize("batch", [1, 3])
def test_biases_stay_apart_as_the_kernels_take_them(batch: int) -> None:
    positions, padding = torch.randn(1, 4, 5, 7), torch.randn(batch, 1, 1, 7)
    for biases in ((positions, padding), (positions,), (padding,)):
        shared, own = _apart(biases, (4, 5, 7))
        assert shared is None or shared.shape == (4, 5, 7)
        assert own is None or own.shape == (batch, 7)
        found = sum(part for part in (shared, None if own is None else own[:, None, None]) if part is not None)
        wanted = sum(biases[1:], biases[0]).expand(batch, 4, 5, 7)
        torch.testing.assert_close(torch.broadcast_to(found, wanted.shape), wanted)
