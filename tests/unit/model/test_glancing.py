"""Glancing: how many positions are revealed, which, and what the loss then sees."""

from __future__ import annotations

import torch

from controldag.model.definition.alignment import Alignment
from controldag.model.definition.glancing import NONE, choose_glance, force_emissions

TARGETS = torch.tensor([[3, 10, 11, 1], [3, 12, 1, 0]])
LENGTHS = torch.tensor([4, 3])
ALIGNED = Alignment(torch.tensor([[0, 2, 3, 5], [0, 1, 4, -1]]), torch.zeros(2))


def _scores(right: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """First-pass scores in which every vertex prefers its target token, or none does."""
    chosen = torch.full((2, 4, 6), -1.0)
    return chosen, torch.full((2, 6), -1.0 if right else -0.5)


def test_a_first_pass_without_mistakes_reveals_nothing() -> None:
    chosen, best = _scores(right=True)
    # The chance of rounding up is nil where nothing is wrong.
    glance = choose_glance(ALIGNED, chosen, best, TARGETS, LENGTHS, torch.tensor(0.5))
    assert glance.wrong.tolist() == [0, 0]
    assert (glance.tokens == NONE).all()


def test_rate_one_reveals_every_position_at_its_vertex() -> None:
    chosen, best = _scores(right=False)
    glance = choose_glance(ALIGNED, chosen, best, TARGETS, LENGTHS, torch.tensor(1.0))
    assert glance.wrong.tolist() == [4, 3] and glance.revealed.tolist() == [4, 3]
    assert glance.tokens.tolist() == [[3, NONE, 10, 11, NONE, 1], [3, 12, NONE, NONE, 1, NONE]]


def test_on_average_the_rate_is_kept() -> None:
    torch.manual_seed(1)
    chosen, best = _scores(right=False)
    draws = [choose_glance(ALIGNED, chosen, best, TARGETS, LENGTHS, torch.tensor(0.3)).revealed for _ in range(600)]
    mean = torch.stack(draws).float().mean(0)
    torch.testing.assert_close(mean, torch.tensor([1.2, 0.9]), atol=0.1, rtol=0.0)


def test_a_target_without_a_path_reveals_nothing() -> None:
    chosen, best = _scores(right=False)
    lost = ALIGNED._replace(scores=torch.tensor([0.0, float("-inf")]))
    glance = choose_glance(lost, chosen, best, TARGETS, LENGTHS, torch.tensor(1.0))
    assert glance.revealed.tolist() == [4, 0]


def test_the_loss_sees_certainty_at_revealed_vertices() -> None:
    chosen = torch.randn(2, 4, 6)
    revealed = torch.full((2, 6), NONE)
    revealed[0, 2] = 10
    forced = force_emissions(chosen, revealed, TARGETS)
    assert forced[0, :, 2].tolist() == [float("-inf"), 0.0, float("-inf"), float("-inf")]
    untouched = torch.ones(2, 6, dtype=torch.bool)
    untouched[0, 2] = False
    assert torch.equal(forced.transpose(1, 2)[untouched], chosen.transpose(1, 2)[untouched])
