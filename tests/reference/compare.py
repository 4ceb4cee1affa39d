"""One random case, engine against enumeration: what differs, in words."""

from __future__ import annotations

import math

from controldag.constraints.check import penalty, violations
from controldag.search.exact import best_strings
from controldag.search.result import Hypothesis

from .cases import Case
from .enumeration import best_by_enumeration, length_weight, surface_text

RELATIVE, ABSOLUTE = 1e-5, 1e-5


def close(one: float, other: float) -> bool:
    """Equal up to the engine's single precision."""
    return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def path_cost(case: Case, hypothesis: Hypothesis) -> float:
    """The cost of the hypothesis' path, read off the lattice."""
    emissions, transitions = case.lattice.emissions(), case.lattice.transitions()
    cost, here = 0.0, 0
    for vertex, token in zip(hypothesis.vertices, hypothesis.tokens, strict=True):
        cost += dict(transitions[here])[vertex] + dict(emissions[vertex])[token]
        here = vertex
    return cost + dict(transitions[here])[case.lattice.vertices - 1]


def hypothesis_faults(case: Case, hypothesis: Hypothesis) -> list[str]:
    """What is wrong with one result taken alone: its text, its path, its figures."""
    text = surface_text(case.lattice, hypothesis.tokens)
    faults = [f"violates {label}" for label in violations(case.constraint, text, hypothesis.tokens)]
    if not text:
        faults.append("empty text")
    if hypothesis.text != text.decode(errors="replace"):
        faults.append(f"text {hypothesis.text!r}, but the tokens spell {text!r}")
    extra = penalty(case.constraint, text, hypothesis.tokens)
    if not close(hypothesis.penalty, extra):
        faults.append(f"penalty {hypothesis.penalty}, should be {extra}")
    cost = path_cost(case, hypothesis) + extra
    if not close(hypothesis.cost, cost):
        faults.append(f"cost {hypothesis.cost}, its path has {cost}")
    objective = cost * length_weight(case.length, hypothesis.length)
    if not close(hypothesis.objective, objective):
        faults.append(f"objective {hypothesis.objective}, should be {objective}")
    return faults


def best_string_faults(case: Case) -> list[str]:
    """What is wrong with the engine's best string; nothing when it agrees with enumeration."""
    expected = best_by_enumeration(case.lattice, case.constraint, case.length, 1)
    found = best_strings(case.lattice, case.constraint, length=case.length)
    if not expected:
        return [f"found {found[0]}, but nothing satisfies"] if found else []
    if not found:
        return [f"found nothing, but {expected[0]} satisfies"]
    faults = hypothesis_faults(case, found[0])
    if not close(found[0].objective, expected[0].objective):
        faults.append(f"objective {found[0].objective} ({found[0].text!r}), the best is {expected[0]}")
    return faults


def n_best_faults(case: Case, n: int) -> list[str]:
    """What is wrong with the engine's n-best list of distinct strings."""
    expected = best_by_enumeration(case.lattice, case.constraint, case.length, n)
    found = best_strings(case.lattice, case.constraint, length=case.length, n_best=n)
    if len(found) != len(expected):
        return [f"{len(found)} strings of {n}, should be {len(expected)}"]
    faults = [fault for hypothesis in found for fault in hypothesis_faults(case, hypothesis)]
    texts = {surface_text(case.lattice, hypothesis.tokens) for hypothesis in found}
    if len(texts) < len(found):
        faults.append(f"strings are not distinct: {[hypothesis.text for hypothesis in found]}")
    for rank, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
        if not close(mine.objective, theirs.objective):
            faults.append(f"rank {rank}: objective {mine.objective} ({mine.text!r}), should be {theirs}")
    return faults
