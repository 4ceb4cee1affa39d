"""DA-T5: its size, padding, vertex inputs, fused path, glancing step."""

from __future__ import annotations

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.model.definition.config import DAT5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration
from tests.unit.model.tiny import random_batch, tiny_config, tiny_model


def test_the_papers_preset_has_its_number_of_parameters() -> None:
    with torch.device("meta"):
        model = DAT5ForGeneration(DAT5Config())
    assert sum(p.numel() for p in model.parameters()) == 79_326_728


def test_padded_equals_unpadded() -> None:
    model = tiny_model()
    sources, _ = random_batch(1, [9, 4, 6], [5, 5, 5])
    with torch.no_grad():
        together = model(sources)
        assert together.graph_sizes.tolist() == [27, 12, 18]
        for row, length in enumerate([9, 4, 6]):
            alone = model(sources[row : row + 1, :length])
            size = 3 * length
            torch.testing.assert_close(together.logits[row, :size], alone.logits[0], atol=2e-5, rtol=1e-4)
            torch.testing.assert_close(together.links[row, :size, :size], alone.links[0], atol=2e-5, rtol=1e-4)
            assert (together.links[row, size:] == float("-inf")).all()


def test_transitions_are_distributions_over_later_vertices() -> None:
    model = tiny_model()
    sources, _ = random_batch(2, [5, 7], [5, 5])
    with torch.no_grad():
        out = model(sources)
    for row, size in enumerate(out.graph_sizes.tolist()):
        links = out.links[row].exp()
        torch.testing.assert_close(links[: size - 1].sum(1), torch.ones(size - 1))
        assert (links.tril() == 0).all() and (links[size - 1 :] == 0).all() and (links[:, size:] == 0).all()


def test_copying_puts_source_embeddings_at_their_share_of_the_graph() -> None:
    model, plain = tiny_model(copy_source=True), tiny_model(copy_source=False)
    sources, _ = random_batch(3, [4], [4])
    lengths, sizes = torch.tensor([4]), torch.tensor([12])
    embedded = model.embedding(sources)
    difference = model.vertex_inputs(embedded, lengths, sizes, 12) - plain.vertex_inputs(embedded, lengths, sizes, 12)
    torch.testing.assert_close(difference, model.embedding(sources.repeat_interleave(3, 1)))


def test_the_loss_does_not_depend_on_padding() -> None:
    model = tiny_model()
    sources, targets = random_batch(4, [6, 3], [8, 4])
    both = model(sources, labels=targets)
    first = model(sources[:1], labels=targets[:1])
    second = model(sources[1:, :3], labels=targets[1:, :4], graph_width=9)
    assert both.statistics is not None and first.statistics is not None and second.statistics is not None
    torch.testing.assert_close(both.statistics, first.statistics + second.statistics, rtol=1e-4, atol=1e-4)


def test_a_target_longer_than_the_graph_lifts_it() -> None:
    model = tiny_model()
    sources, targets = random_batch(5, [2], [11])
    loss = model(sources, labels=targets).loss
    assert loss is not None and loss.isfinite()


def test_glancing_lowers_the_loss_and_keeps_gradients_finite() -> None:
    model = tiny_model()
    sources, targets = random_batch(6, [6, 5, 4], [9, 8, 7])
    plain = model(sources, labels=targets)
    shown = model(sources, labels=targets, reveal_rate=torch.tensor(0.9))
    assert shown.loss < plain.loss and shown.statistics[3] > 0
    shown.loss.backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters())


def test_without_forced_emissions_revealed_vertices_must_be_learnt_too() -> None:
    model = tiny_model()
    sources, targets = random_batch(6, [6, 5, 4], [9, 8, 7])
    losses = []
    for forced in (True, False):
        torch.manual_seed(1)  # the same positions are revealed
        losses.append(model(sources, labels=targets, reveal_rate=torch.tensor(0.9), forced=forced).loss)
    assert losses[0] < losses[1]


def test_a_graph_beyond_the_position_table_is_refused() -> None:
    with pytest.raises(InvalidInput, match="max_positions"):
        tiny_model()(random_batch(7, [3], [3])[0], graph_width=65)


@pytest.mark.parametrize(
    "changes", [{"d_model": 0}, {"dropout_rate": 1.0}, {"min_vertices": 70}, {"link_heads": 5}, {"bos_token_id": 60}]
)
def test_sizes_that_break_a_rule_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="must"):
        tiny_config(**changes).check()


@pytest.mark.filterwarnings("ignore")
def test_compiled_blocks_give_the_same_loss() -> None:
    sources, targets = random_batch(8, [6, 3], [8, 4])
    plain, compiled = tiny_model(), tiny_model()
    torch._dynamo.reset()
    for block in (*compiled.encoder.blocks, *compiled.decoder_blocks, compiled.links):
        block.forward = torch.compile(block.forward, dynamic=True, backend="aot_eager")
    for model in (plain, compiled):
        model(sources, labels=targets).loss.backward()
    torch.testing.assert_close(plain.output.weight.grad, compiled.output.weight.grad)
