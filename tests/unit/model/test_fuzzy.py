"""Fuzzy alignment against path enumeration (value and gradient), and at its ends."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from controldag.model.definition.dag_loss import Graphs
from controldag.model.definition.fuzzy import fuzzy_overlap, miscount, visits
from tests.reference import fuzzy_overlap as slow
from tests.unit.model.graphs import random_graphs
from tests.unit.model.tiny import random_batch, tiny_model

WORDS = 4  # few, so that n-grams repeat


def case(seed: int, *, width: int = 7, positions: int = 6) -> tuple[Graphs, Tensor, Tensor]:
    """Graphs with a distribution over WORDS at each vertex [B, L, WORDS], and targets."""
    graphs = random_graphs(seed, batch=4, width=width, positions=positions, scale=1.0)
    draw = torch.Generator().manual_seed(seed)
    scores = torch.log_softmax(torch.randn(4, width, WORDS, generator=draw, dtype=torch.float64), -1)
    targets = torch.randint(WORDS, (4, positions), generator=draw)
    return graphs, scores.requires_grad_(), targets


def spoken(graphs: Graphs, scores: Tensor, targets: Tensor) -> Graphs:
    """The graphs with the log-probabilities of the targets' tokens."""
    index = targets[:, None, :].expand(-1, scores.shape[1], -1)
    return graphs._replace(emissions=scores.gather(2, index).transpose(1, 2))


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_value_and_gradient_equal_enumeration(seed: int, order: int) -> None:
    graphs, scores, targets = case(seed)
    # Links as free numbers would differ off the simplex: enumeration asks that a path comes to its end.
    raw = graphs.links.masked_fill(graphs.links.isinf(), -1e9).requires_grad_()
    graphs = graphs._replace(links=raw.log_softmax(-1).masked_fill(graphs.links.isinf(), float("-inf")))
    found = fuzzy_overlap(spoken(graphs, scores, targets), targets, order)
    ours = torch.autograd.grad(found.sum(), (scores, raw), retain_graph=True)
    wanted = torch.stack(
        [
            slow.fuzzy_overlap(scores[b].exp(), graphs.links[b].exp(), int(size), targets[b, :length].tolist(), order)
            for b, (size, length) in enumerate(zip(graphs.graph_sizes, graphs.target_lengths, strict=True))
        ]
    )
    theirs = torch.autograd.grad(wanted.sum(), (scores, raw))
    torch.testing.assert_close(found, wanted)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other)


def test_a_graph_that_says_the_target_and_nothing_else_has_overlap_one() -> None:
    targets = torch.tensor([[0, 1, 2, 1, 2, 3]])
    links = torch.full((1, 6, 6), float("-inf"))
    links[0, torch.arange(5), torch.arange(1, 6)] = 0.0
    scores = torch.full((1, 6, WORDS), float("-inf"))
    scores[0, torch.arange(6), targets[0]] = 0.0
    graphs = Graphs(torch.empty(0), links, torch.tensor([6]), torch.tensor([6]))
    torch.testing.assert_close(visits(links), torch.ones(1, 6))
    for order in (1, 2, 3):
        torch.testing.assert_close(fuzzy_overlap(spoken(graphs, scores, targets), targets, order), torch.ones(1))


def test_repeats_count_as_often_as_the_target_has_them() -> None:
    """“a a a a” for a target “a b”: of four unigrams one counts, of three bigrams none."""
    links = torch.full((1, 4, 4), float("-inf"))
    links[0, torch.arange(3), torch.arange(1, 4)] = 0.0
    scores = torch.full((1, 4, WORDS), float("-inf"))
    scores[0, :, 0] = 0.0
    targets = torch.tensor([[0, 1]])
    graphs = Graphs(torch.empty(0), links, torch.tensor([4]), torch.tensor([2]))
    assert fuzzy_overlap(spoken(graphs, scores, targets), targets, 1).tolist() == [0.25]
    assert fuzzy_overlap(spoken(graphs, scores, targets), targets, 2).tolist() == [0.0]


@pytest.mark.parametrize("positions", [2, 3])
def test_a_batch_of_targets_that_are_too_short_has_overlap_zero(positions: int) -> None:
    graphs, scores, targets = case(1, positions=positions)
    assert fuzzy_overlap(spoken(graphs, scores, targets), targets, 4).tolist() == [0.0] * 4


@pytest.mark.parametrize("seed", range(20))
def test_it_is_a_share_and_has_finite_gradients(seed: int) -> None:
    graphs, scores, targets = case(seed, width=40, positions=30)
    wide = (scores.detach() * 30).requires_grad_()
    links = (graphs.links * 20).log_softmax(-1).masked_fill(graphs.links.isinf(), float("-inf"))
    found = fuzzy_overlap(
        spoken(graphs._replace(links=links.float()), wide.float().log_softmax(-1), targets), targets, 2
    )
    assert ((found >= 0) & (found <= 1 + 1e-5)).all()
    found.sum().backward()
    assert wide.grad is not None and wide.grad.isfinite().all()


def test_the_model_learns_a_batch_by_it() -> None:
    model = tiny_model()
    sources, targets = random_batch(6, [6, 5, 4], [9, 8, 7])
    optimiser = torch.optim.Adam(model.parameters(), 3e-3)
    losses = []
    for _ in range(40):
        output = model(sources, labels=targets, fuzzy_order=2)
        output.loss.backward()
        assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
        optimiser.step()
        optimiser.zero_grad()
        losses.append(float(output.loss.detach()))
    assert -1.0 <= losses[-1] < losses[0] - 0.1


@pytest.mark.parametrize("seed", range(6))
def test_miscount_equals_enumeration(seed: int) -> None:
    graphs, scores, targets = case(seed)
    counted = targets < 2  # two of the four words
    found = miscount(spoken(graphs, scores, targets), targets, counted)
    for b, (size, length) in enumerate(zip(graphs.graph_sizes, graphs.target_lengths, strict=True)):
        target = targets[b, :length].tolist()
        gaps = [
            abs(slow.expected_count(scores[b].exp(), graphs.links[b].exp(), int(size), word) - target.count(word))
            for word in sorted(set(target) & {0, 1})
        ]
        wanted = sum(gaps) / len(gaps) if gaps else torch.zeros(())
        torch.testing.assert_close(found[b], torch.as_tensor(wanted, dtype=found.dtype))


def test_a_value_said_twice_or_not_at_all_costs_one() -> None:
    links = torch.full((1, 4, 4), float("-inf"))
    links[0, torch.arange(3), torch.arange(1, 4)] = 0.0
    scores = torch.full((1, 4, WORDS), float("-inf"))
    scores[0, torch.arange(4), torch.tensor([3, 1, 1, 3])] = 0.0  # says “1 1”
    targets = torch.tensor([[3, 1, 2, 3]])
    graphs = spoken(Graphs(torch.empty(0), links, torch.tensor([4]), torch.tensor([4])), scores, targets)
    assert miscount(graphs, targets, targets == 1).tolist() == [1.0]
    assert miscount(graphs, targets, targets == 2).tolist() == [1.0]
    assert miscount(graphs, targets, targets == 3).tolist() == [0.0]
    assert miscount(graphs, targets, targets == 0).tolist() == [0.0]


def test_the_model_learns_to_count_by_it() -> None:
    model = tiny_model()
    sources, targets = random_batch(6, [6, 5, 4], [9, 8, 7])
    counted = targets % 2 == 1
    optimiser = torch.optim.Adam(model.parameters(), 3e-3)

    @torch.no_grad()
    def gap() -> float:
        plain = model(sources, labels=targets, fuzzy_order=2).loss
        return float(model(sources, labels=targets, fuzzy_order=2, counted=counted, miscount_weight=1.0).loss - plain)

    before = gap()
    for _ in range(40):
        model(sources, labels=targets, fuzzy_order=2, counted=counted, miscount_weight=1.0).loss.backward()
        assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())
        optimiser.step()
        optimiser.zero_grad()
    assert gap() < 0.7 * before
