"""What generation returns: the text, and what is known about how it came to be."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from controldag.constraints.check import Checked
from controldag.drawing.marked_text import marked
from controldag.drawing.markup import Markup, element, joined
from controldag.errors import ControlDagError
from controldag.search.result import Hypothesis
from controldag.verifier.verdict import ClaimVerdict

_BREAK = Markup("<br>")


class NothingFound(ControlDagError):
    """A decoder that promises nothing came back without a text."""


class Stopwatch:
    """Milliseconds by stage: of the clock on the wall, or of another that tells seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.ms: dict[str, float] = {}
        self.clock = clock

    def stage(self, name: str) -> _Stage:
        """Adds the time of the block to the stage `name`."""
        return _Stage(self, name)

    def add(self, name: str, ms: float) -> None:
        self.ms[name] = self.ms.get(name, 0.0) + ms


class _Stage:
    """One block under a stopwatch; a class, since a request passes a dozen and generators cost more."""

    __slots__ = ("_name", "_start", "_watch")

    def __init__(self, watch: Stopwatch, name: str) -> None:
        self._watch, self._name, self._start = watch, name, 0.0

    def __enter__(self) -> None:
        self._start = self._watch.clock()

    def __exit__(self, *_: object) -> None:
        self._watch.add(self._name, 1000 * (self._watch.clock() - self._start))


@dataclass(frozen=True, slots=True)
class Result:
    """One generated text.

    cost: negative log-probability of its best path. objective: what was minimised, the cost weighed by length.
    length: tokens + 1. extra_cost: how much more the text costs than the unconstrained best of the same lattice, as
        the graph alone sees both (None for decoders without constraints).
    left_out: habits of the checkpoint that the search had no room for: `language model`, or that model in the choice
        of all texts of `n_best` but the best; `each value once`.
    ms: time by stage. n_best: the hypotheses asked for, this one first; of the graph's, where texts are
        verified, those that are accepted.
    warnings: what is odd about the input, though a text was found.
    origin: `graph`, `clauses` (act by act), `templates` or `plain`. verified: whether a verifier accepts the text;
        None: none was asked. acts: its evidence. nothing_else, whole: how likely the text says nothing that the
        input does not, and is whole English.
    """

    text: str
    decoder: str
    cost: float
    objective: float
    length: int
    constraints: tuple[Checked, ...] = ()
    extra_cost: float | None = None
    left_out: tuple[str, ...] = ()
    ms: dict[str, float] = field(default_factory=dict, compare=False)
    n_best: tuple[Hypothesis, ...] = ()
    id: str = ""
    origin: str = "graph"
    verified: bool | None = None
    acts: tuple[ClaimVerdict, ...] = ()
    nothing_else: float | None = None
    whole: float | None = None
    warnings: tuple[str, ...] = ()

    @property
    def violated(self) -> tuple[str, ...]:
        """The labels of constraints that the text breaks: never any from `control-dag`."""
        return tuple(each.label for each in self.constraints if not each.satisfied)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        return {
            "id": self.id,
            "text": self.text,
            "decoder": self.decoder,
            "cost": self.cost,
            "objective": self.objective,
            "length": self.length,
            "extra_cost": self.extra_cost,
            "left_out": list(self.left_out),
            "warnings": list(self.warnings),
            "constraints": [each.as_dict() for each in self.constraints],
            "n_best": [{"text": h.text, "cost": h.cost, "objective": h.objective} for h in self.n_best],
            "ms": {name: round(ms, 3) for name, ms in self.ms.items()},
            "origin": self.origin,
            "verified": self.verified,
            "acts": [each.as_dict() for each in self.acts],
            "nothing_else": self.nothing_else,
            "whole_english": self.whole,
        }

    def explain(self) -> str:
        """Lines for a person: the text, its cost, each constraint with what satisfies it, the time of each stage."""
        extra = "" if self.extra_cost is None else f" ({self.extra_cost:.3f} over the unconstrained best)"
        lines = [
            *(f"warning: {each}" for each in self.warnings),
            self.text,
            f"{self.decoder}: cost {self.cost:.3f}, objective {self.objective:.3f}{extra}",
        ]
        if self.verified is not None:
            lines.append(f"from: {self.origin}, {'accepted' if self.verified else 'not accepted'} by the verifier")
        for act in self.acts:
            where = ", ".join(repr(self.text[b:e]) for b, e in act.places)
            lines.append(f"{act.verdict:7} {act.probability:4.0%}  {act.claim}{f': {where}' if where else ''}")
        lines += [f"left out: {habit}" for habit in self.left_out]
        for each in self.constraints:
            where = ", ".join(f"{self.text[b:e]!r} at {b}:{e}" for b, e in each.spans)
            lines.append(f"{'holds ' if each.satisfied else 'BROKEN'}  {each.label}{f': {where}' if where else ''}")
        lines.append("  ".join(f"{name} {ms:.1f} ms" for name, ms in self.ms.items()))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The text with the required phrases marked, and what is broken below it, for notebooks."""
        broken = [joined(_BREAK, element("small", f"broken: {label}")) for label in self.violated]
        return element("p", marked(self.text, self.constraints), *broken)
