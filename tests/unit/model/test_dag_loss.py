"""The DAG loss against path enumeration: value, gradient, best path; and 10,000 hard cases without NaN."""

from __future__ import annotations

import pytest
import torch

from controldag.model.definition.alignment import best_alignment
from controldag.model.definition.dag_loss import Graphs, log_likelihood
from tests.reference import dag_paths
from tests.unit.model.graphs import cast, force, random_graphs


@pytest.mark.parametrize("seed", range(6))
def test_value_and_gradient_equal_enumeration(seed: int) -> None:
    graphs = cast(random_graphs(seed, batch=5, width=8, positions=7), torch.float64)
    total = log_likelihood(graphs)
    total.sum().backward()
    slow = cast(graphs, torch.float64)
    wanted = torch.stack(
        [
            dag_paths.log_likelihood(slow.emissions[b], slow.links[b], int(slow.graph_sizes[b]), int(length))
            for b, length in enumerate(slow.target_lengths)
        ]
    )
    wanted.sum().backward()
    torch.testing.assert_close(total, wanted)
    for ours, theirs in ((graphs.emissions, slow.emissions), (graphs.links, slow.links)):
        assert ours.grad is not None and theirs.grad is not None
        torch.testing.assert_close(ours.grad, theirs.grad.nan_to_num())


@pytest.mark.parametrize("seed", range(6))
def test_best_alignment_is_the_best_path(seed: int) -> None:
    graphs = random_graphs(100 + seed, batch=5, width=8, positions=7)
    found = best_alignment(graphs)
    for b, length in enumerate(graphs.target_lengths.tolist()):
        path, score = dag_paths.best_path(graphs.emissions[b], graphs.links[b], int(graphs.graph_sizes[b]), length)
        assert tuple(found.vertices[b, :length].tolist()) == path
        assert (found.vertices[b, length:] == -1).all()
        assert float(found.scores[b]) == pytest.approx(score, rel=1e-5)


def test_a_target_as_long_as_its_graph_has_one_path() -> None:
    graphs = random_graphs(1, batch=1, width=6, positions=6)
    graphs = graphs._replace(target_lengths=torch.tensor([6]))
    assert best_alignment(graphs).vertices.tolist() == [[0, 1, 2, 3, 4, 5]]
    torch.testing.assert_close(log_likelihood(graphs).float(), best_alignment(graphs).scores)


def test_a_target_longer_than_its_graph_has_no_path_and_no_gradient() -> None:
    graphs = cast(random_graphs(2, batch=2, width=5, positions=7), torch.float32)
    graphs = graphs._replace(graph_sizes=torch.tensor([5, 3]), target_lengths=torch.tensor([4, 7]))
    total = log_likelihood(graphs)
    assert total[0].isfinite() and total[1] == float("-inf")
    total.sum().backward()
    assert graphs.emissions.grad is not None and graphs.links.grad is not None
    assert graphs.emissions.grad.isfinite().all() and (graphs.emissions.grad[1] == 0).all()
    assert graphs.links.grad.isfinite().all() and (graphs.links.grad[1] == 0).all()


def test_posteriors_sum_to_one_per_position() -> None:
    graphs = cast(random_graphs(3, batch=4, width=30, positions=12), torch.float64)
    log_likelihood(graphs).sum().backward()
    assert graphs.emissions.grad is not None
    inside = torch.arange(12)[None] < graphs.target_lengths[:, None]
    torch.testing.assert_close(graphs.emissions.grad.sum(-1), inside.double())


def test_ten_thousand_hard_cases_give_no_nan() -> None:
    """Underflow (scores to e^-38,000), targets as long as the graph, forced vertices."""
    cases = 0
    for seed in range(40):
        width = (6, 17, 33, 12)[seed % 4]
        drawn = random_graphs(seed, batch=250, width=width, positions=width, scale=(1.0, 30.0, 300.0)[seed % 3])
        drawn = drawn._replace(
            target_lengths=torch.where(torch.rand(250) < 0.2, drawn.graph_sizes, drawn.target_lengths)
        )
        if seed % 2:
            drawn = force(drawn, best_alignment(drawn).vertices, 0.5, seed)
        graphs = cast(drawn, torch.float32)
        total = log_likelihood(graphs)
        assert total.isfinite().all()
        (-total).mean().backward()
        assert _finite(graphs)
        cases += 250
    assert cases == 10_000


def _finite(graphs: Graphs) -> bool:
    grads = (graphs.emissions.grad, graphs.links.grad)
    return all(grad is not None and bool(grad.isfinite().all()) for grad in grads)
