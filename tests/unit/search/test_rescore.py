"""Re-ranking by summed probability: two weak paths of one text can beat one strong path of another."""

import math

import pytest

from controldag.errors import InvalidInput
from controldag.lattice import Lattice, make_lattice
from controldag.search.exact import exact


def two_texts() -> Lattice:
    # "a" over vertex 1 or vertex 2, probability 0.3 each; "b" over vertex 3, probability 0.4.
    def cost(probability: float) -> float:
        return -math.log(probability)

    emissions = [[], [(0, 0.0)], [(0, 0.0)], [(1, 0.0)], []]
    transitions = [[(1, cost(0.3)), (2, cost(0.3)), (3, cost(0.4))], [(4, 0.0)], [(4, 0.0)], [(4, 0.0)], []]
    return make_lattice(emissions, transitions, [b" a", b" b"])


def test_best_path_and_best_sum_differ() -> None:
    by_path = exact(two_texts(), n_best=2)
    assert [each.text for each in by_path] == ["b", "a"]
    assert by_path[0].summed_cost is None
    by_sum = exact(two_texts(), n_best=2, rescore="sum")
    assert [each.text for each in by_sum] == ["a", "b"]
    assert [math.exp(-(each.summed_cost or 0)) for each in by_sum] == pytest.approx([0.6, 0.4], rel=1e-6)


def test_unknown_rescoring_is_refused() -> None:
    with pytest.raises(InvalidInput, match="rescore"):
        exact(two_texts(), rescore="mean")  # type: ignore[arg-type]
