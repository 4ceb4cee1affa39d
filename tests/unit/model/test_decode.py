"""The fast decoders against obvious ones on small random graphs."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import Tensor

from controldag.model.definition.decode import (
    BestTokens,
    best_tokens,
    greedy,
    joint_viterbi,
    lookahead,
    without_repeats,
)
from tests.reference.dag_paths import paths
from tests.unit.model.graphs import random_graphs


def _graphs(seed: int) -> tuple[BestTokens, Tensor, Tensor]:
    graphs = random_graphs(seed, batch=4, width=8, positions=3, scale=1.5)
    draw = torch.Generator().manual_seed(seed)
    logits = torch.randn(4, 8, 20, generator=draw) * 2
    return best_tokens(logits), graphs.links.float(), graphs.graph_sizes


def _step_by_step(best: BestTokens, links: Tensor, size: int, *, ahead: bool) -> list[int]:
    vertex, output = 0, []
    while vertex != size - 1:
        choices = range(vertex + 1, size)
        weight = {v: float(links[vertex, v]) + (float(best.scores[v]) if ahead else 0.0) for v in choices}
        vertex = max(weight, key=lambda v: weight[v])
        if vertex != size - 1:
            output.append(int(best.tokens[vertex]))
    return output


@pytest.mark.parametrize("seed", range(5))
def test_greedy_and_lookahead_take_the_best_step(seed: int) -> None:
    best, links, sizes = _graphs(seed)
    for row, size in enumerate(sizes.tolist()):
        own = BestTokens(best.tokens[row], best.scores[row])
        assert greedy(best, links, sizes)[row] == _step_by_step(own, links[row], size, ahead=False)
        assert lookahead(best, links, sizes)[row] == _step_by_step(own, links[row], size, ahead=True)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("beta", [0.0, 1.0, 1.3])
def test_joint_viterbi_finds_the_best_path_for_its_length(seed: int, beta: float) -> None:
    best, links, sizes = _graphs(50 + seed)
    found = joint_viterbi(best, links, sizes, 8).choose(beta)
    for row, size in enumerate(sizes.tolist()):
        choices = []
        for length in range(2, size + 1):
            for path in paths(size, length):
                score = sum(float(best.scores[row, v]) for v in path)
                score += sum(float(links[row, u, v]) for u, v in itertools.pairwise(path))
                choices.append((score / length**beta, [int(best.tokens[row, v]) for v in path[1:-1]]))
        assert found[row] == max(choices)[1]


def test_best_tokens_are_probabilities() -> None:
    logits = torch.randn(2, 3, 11)
    best = best_tokens(logits)
    torch.testing.assert_close(best.scores, torch.log_softmax(logits, -1).amax(-1))


def test_repeats_go() -> None:
    assert without_repeats([1, 1, 2, 1, 1, 1]) == [1, 2, 1]
    assert without_repeats([]) == []
