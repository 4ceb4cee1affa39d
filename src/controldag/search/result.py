"""What a search returns."""

from __future__ import annotations

from dataclasses import dataclass

from controldag import _core


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One string with one of its vertex paths.

    cost: negative log-probability of the path, plus penalties of violated soft constraints, plus n-gram weights.
    objective: cost times the length weight: what was minimised.
    length: surface tokens + 1.
    summed_cost: the cost summed over all paths that spell the text, where `rescore="sum"` asked for it.
    """

    text: str
    tokens: tuple[int, ...]
    vertices: tuple[int, ...]
    cost: float
    objective: float
    penalty: float = 0.0
    ngrams: float = 0.0  # the part of `cost` that is n-gram weights
    summed_cost: float | None = None

    @property
    def own_objective(self) -> float:
        """The objective as the graph alone sees it, n-gram weights left out."""
        return self.objective if not self.ngrams else self.objective * (self.cost - self.ngrams) / self.cost

    @property
    def length(self) -> int:
        return len(self.tokens) + 1


def hypothesis(found: _core.Found) -> Hypothesis:
    """The engine's result as a Hypothesis; bytes that are no UTF-8 show as U+FFFD."""
    return Hypothesis(
        text=found.text.decode(errors="replace"),
        tokens=tuple(found.tokens),
        vertices=tuple(found.vertices),
        cost=found.cost,
        objective=found.objective,
        penalty=found.penalty,
        ngrams=found.ngrams,
    )
