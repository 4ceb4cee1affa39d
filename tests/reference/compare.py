"""One random case, engine against enumeration: what differs, in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

from controldag.constraints import Length
from controldag.constraints.check import penalty, violations
from controldag.search.exact import Limits, best_strings
from controldag.search.language import ConstrainedLanguage, Sample
from controldag.search.result import Hypothesis

from .cases import Case
from .enumeration import (
    Best,
    Sums,
    best_by_enumeration,
    language_probability,
    length_weight,
    sums_by_enumeration,
    surface_text,
)

RELATIVE, ABSOLUTE = 1e-5, 1e-5


def close(one: float, other: float) -> bool:
    """Equal up to the engine's single precision."""
    return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def as_good(mine: Hypothesis, theirs: Best) -> bool:
    """Whether an objective is that of enumeration, up to single precision of what the path alone costs.

    A penalty may be a million times as large, and must not hide a path that costs more.
    """
    own = 1 - theirs.penalty / theirs.cost if theirs.cost else 1.0
    allowed = ABSOLUTE + RELATIVE * abs(theirs.objective * own) + 1e-14 * abs(theirs.objective)
    return abs(mine.objective - theirs.objective) <= allowed


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


def limits_of(case: Case) -> Limits:
    """Default ones, or such that small cases go the ways that are made for large ones."""
    return Limits(sharpen_after=0, closure_states=2 + case.seed % 12) if case.seed % 2 else Limits()


def best_string_faults(case: Case) -> list[str]:
    """What is wrong with the engine's best string; nothing when it agrees with enumeration."""
    expected = best_by_enumeration(case.lattice, case.constraint, case.length, 1)
    found = best_strings(case.lattice, case.constraint, length=case.length, limits=limits_of(case))
    if not expected:
        return [f"found {found[0]}, but nothing satisfies"] if found else []
    if not found:
        return [f"found nothing, but {expected[0]} satisfies"]
    faults = hypothesis_faults(case, found[0])
    if not as_good(found[0], expected[0]):
        faults.append(f"objective {found[0].objective} ({found[0].text!r}), the best is {expected[0]}")
    return faults


def n_best_faults(case: Case, n: int) -> list[str]:
    """What is wrong with the engine's n-best list of distinct strings."""
    expected = best_by_enumeration(case.lattice, case.constraint, case.length, n)
    found = best_strings(case.lattice, case.constraint, length=case.length, n_best=n, limits=limits_of(case))
    if len(found) != len(expected):
        return [f"{len(found)} strings of {n}, should be {len(expected)}"]
    faults = [fault for hypothesis in found for fault in hypothesis_faults(case, hypothesis)]
    texts = {surface_text(case.lattice, hypothesis.tokens) for hypothesis in found}
    if len(texts) < len(found):
        faults.append(f"strings are not distinct: {[hypothesis.text for hypothesis in found]}")
    for rank, (mine, theirs) in enumerate(zip(found, expected, strict=True)):
        if not as_good(mine, theirs):
            faults.append(f"rank {rank}: objective {mine.objective} ({mine.text!r}), should be {theirs}")
    return faults


def bounds_of(length: Length | None) -> Length | None:
    """The hard part of a length, all that sums over a language take."""
    return None if length is None else replace(length, target=None, normalisation=0.0)


def language_faults(case: Case) -> list[str]:
    """What is wrong with the engine's sums over the constrained language, and with three samples from it."""
    length = bounds_of(case.length)
    language = ConstrainedLanguage(case.lattice, case.constraint, length=length, limits=limits_of(case))
    expected = language_probability(case.lattice, case.constraint, length)
    found = math.exp(language.log_probability)
    if not math.isclose(found, expected, rel_tol=1e-6, abs_tol=1e-300):
        return [f"language probability {found}, should be {expected}"]
    if expected == 0:
        return []
    sums = sums_by_enumeration(case.lattice, case.constraint, length)
    lengths = dict(enumerate(language.length_distribution()))
    emissions = {(v, t): p for v, here in enumerate(language.emission_posteriors()) for t, p in here.items()}
    faults = differences("length", lengths, sums.by_length)
    faults += differences("emission", emissions, sums.by_emission)
    faults += differences("vertex", dict(enumerate(language.vertex_posteriors())), sums.by_vertex)
    faults += differences("n-gram", language.expected_ngrams(3), sums.ngrams)
    for sample in language.sample(3, seed=case.seed):
        faults += sample_faults(case, sample, sums)
    return faults


def differences(what: str, found: Mapping[Hashable, float], expected: Mapping[Hashable, float]) -> list[str]:
    """Where two tables differ by more than 1e-6; what a table does not hold is 0."""
    keys = {**found, **expected}
    return [
        f"{what} {key}: {found.get(key, 0.0)}, should be {expected.get(key, 0.0)}"
        for key in keys
        if abs(found.get(key, 0.0) - expected.get(key, 0.0)) > 1e-6
    ]


def sample_faults(case: Case, sample: Sample, sums: Sums) -> list[str]:
    """Whether a sample is a path of the language, and each of its steps has the probability it should have."""
    drawn = sample.hypothesis
    text = surface_text(case.lattice, drawn.tokens)
    faults = [f"sample violates {label}" for label in violations(case.constraint, text, drawn.tokens)]
    steps = (*zip(drawn.vertices, drawn.tokens, strict=True), (case.lattice.vertices - 1, -1))
    expected = [sums.after.get(steps[:i], {}).get(step, 0.0) for i, step in enumerate(steps)]
    if len(expected) != len(sample.steps) or any(
        abs(p - q) > 1e-6 for p, q in zip(sample.steps, expected, strict=True)
    ):
        faults.append(f"steps of sample {drawn.text!r}: {sample.steps}, should be {expected}")
    if not close(sample.log_probability, math.fsum(math.log(p) for p in expected if p)):
        faults.append(f"log-probability of sample {drawn.text!r}: {sample.log_probability}")
    return faults


def all_faults(case: Case) -> list[str]:
    """Everything that is wrong with what the engine says of one case."""
    return [*best_string_faults(case), *n_best_faults(case, 2 + case.seed % 6), *language_faults(case)]
