"""What says requests: by searching graphs, word by word, or from templates. One small interface, and what all share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from controldag.errors import ControlDagError
from controldag.generation.demands import verdicts
from controldag.generation.reading import Prepared, Reading
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.search.result import Hypothesis

T = TypeVar("T")
Outcome = Result | ControlDagError
Placed = list[tuple[int, Outcome]]
"""Outcomes, each with the place of its request."""


class Backend(Protocol):
    """Says requests. None of them changes what another gets."""

    def outcomes(self, requests: Sequence[Request]) -> Iterator[Placed]:
        """The outcome of every request, a group at a time: its result, or the error that it met."""


def caught(action: Callable[[], T]) -> T | ControlDagError:
    """What the action gives, or the error on purpose that it met."""
    try:
        return action()
    except ControlDagError as error:
        return error


def prepared(
    requests: Sequence[Request], prepare: Callable[[Request], Prepared]
) -> tuple[Placed, list[tuple[int, Prepared]]]:
    """The requests that are refused, and the others as the model reads them, each with its place."""
    refused: Placed = []
    ready: list[tuple[int, Prepared]] = []
    for place, request in enumerate(requests):
        try:
            ready.append((place, prepare(request)))
        except ControlDagError as error:
            refused.append((place, error))
    return refused, ready


def grouped(ready: Sequence[tuple[int, Prepared]], reading: Reading) -> list[list[tuple[int, Prepared]]]:
    """Prepared requests in groups that the model takes together."""
    batches = reading.predictor.batches([item.source for _, item in ready])
    return [[ready[i] for i in batch] for batch in batches]


def result_of(
    decoder: str,
    item: Prepared,
    found: Sequence[Hypothesis],
    *,
    extra_cost: float | None = None,
    left_out: tuple[str, ...] = (),
) -> Result:
    """The best hypothesis, checked once more, with everything known about it."""
    best = found[0]
    with item.watch.stage("check"):
        met = verdicts(item.demands, item.request.bounds, best.text, best.length, tokens=best.tokens)
    return Result(
        text=best.text,
        decoder=decoder,
        cost=best.cost,
        objective=best.objective,
        length=best.length,
        constraints=met,
        extra_cost=extra_cost,
        left_out=left_out,
        ms=item.watch.ms,
        n_best=tuple(found),
        id=item.request.id or item.example.id,
    )


def warned(result: Result, warnings: tuple[str, ...]) -> Result:
    """The result with what is odd about its input."""
    return replace(result, warnings=warnings)
