"""Exact search: the best strings that satisfy every constraint jointly, at a good length (Control-DAG Eqs. 2 to 4).

The paper searches with a pruned depth-first Viterbi and calls the exact search impractical; on an acyclic lattice it is
O(length x edges), and bounds leave little even of that. See cpp/src/exact.cc.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from controldag import _core
from controldag.constraints.algebra import Constraint, conjuncts
from controldag.constraints.check import violations
from controldag.constraints.length import Length, weights_for
from controldag.constraints.required import with_required_entities
from controldag.dag import Dag
from controldag.errors import ControlDagError, InvalidInput, SearchTooLong
from controldag.lattice import Lattice, Phrase, prune
from controldag.search.infeasible import MINIMISATION_SECONDS, explain_infeasible
from controldag.search.rescore import rescore_by_sum
from controldag.search.result import Hypothesis, hypothesis
from controldag.search.weights import NgramWeights


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on one search; passing those of size raises LatticeTooLarge, those of time SearchTooLong.

    max_states, max_bytes: the same input passes them on every machine, or on none.
    max_seconds: of a processor, for one call or each item of a batch, with all widening and what explains a conflict.
    sharpen_after: after so many states a search with n-gram weights makes a better bound, and one for several texts
        may go another way; no result depends on it.
    closure_states: of phrases and patterns together in one part of the bound; no result depends on it.
    until: by `time.monotonic()`; no call goes on after it, whatever it has spent.
    """

    max_states: int = 500_000
    max_bytes: int = 448 << 20
    sharpen_after: int = 30_000
    closure_states: int = 1 << 14
    max_seconds: float = 1.75
    until: float = math.inf

    def core(self) -> _core.Limits:
        limits = _core.Limits()
        limits.max_states = self.max_states
        limits.max_bytes = self.max_bytes
        limits.sharpen_after = self.sharpen_after
        limits.closure_states = self.closure_states
        limits.max_seconds = self.max_seconds
        if self.until < math.inf:
            limits.expire_in(self.until - time.monotonic())
        return limits

    def after(self, begin: float) -> Limits:
        """What is left of them in a call that began when this thread had spent so much (`time.thread_time()`)."""
        if self.max_seconds == math.inf:
            return self
        return replace(self, max_seconds=max(0.0, self.max_seconds - (time.thread_time() - begin)))


@dataclass(frozen=True, slots=True)
class Pruning:
    """How a Dag becomes a lattice, and how far it may be widened when nothing satisfies the constraints.

    emissions, transitions: K_e and K_t of Control-DAG Algorithm 1.
    keep: phrases whose tokens join every vertex.
    widest: emissions and transitions are doubled up to this before the search gives up.
    """

    emissions: int = 3
    transitions: int = 3
    keep: Sequence[Phrase] = ()
    widest: int = 24


DEFAULT_LIMITS = Limits()
DEFAULT_PRUNING = Pruning()


class EngineFault(ControlDagError):
    """A result failed the independent check of its final string: a bug of the engine, never of the input."""


def best_strings(
    lattice: Lattice,
    constraint: Constraint | None = None,
    *,
    length: Length | None = None,
    n_best: int = 1,
    limits: Limits = DEFAULT_LIMITS,
    weights: NgramWeights | None = None,
) -> list[Hypothesis]:
    """Up to `n_best` distinct strings of least objective, best first; empty when nothing satisfies the constraint.

    A string's cost is the least over its paths and segmentations; never an empty string. `weights` adds to the cost
    of every n-gram.
    """
    if n_best < 1:
        raise InvalidInput.of("n_best", "be at least 1", n_best)
    constraint = with_required_entities(constraint)
    members = [member.core for member in conjuncts(constraint)]
    by_length = weights_for(length, lattice.vertices)
    ngrams = None if weights is None else weights.core
    if n_best == 1:
        found, _ = _core.search_exact(lattice.core, members, by_length, limits.core(), ngrams)
        return hypotheses([] if found is None else [found], constraint)
    several, _ = _core.search_n_best(lattice.core, members, by_length, n_best, limits.core(), ngrams)
    return hypotheses(several, constraint)


def hypotheses(found: Sequence[_core.Found], constraint: Constraint | None) -> list[Hypothesis]:
    """What the engine found, once every string has passed code that shares nothing with the engine."""
    for each in found:
        broken = violations(constraint, each.text, each.tokens) if constraint is not None else ()
        if broken or not each.text:
            raise EngineFault(
                f"The engine returned {each.text!r}, which violates {', '.join(broken) or 'that it not be empty'}.",
                remedy="Please report this with the lattice and the constraints.",
            )
    return [hypothesis(each) for each in found]


def exact(
    source: Dag | Lattice,
    constraint: Constraint | None = None,
    *,
    length: Length | None = None,
    n_best: int = 1,
    pruning: Pruning = DEFAULT_PRUNING,
    limits: Limits = DEFAULT_LIMITS,
    weights: NgramWeights | None = None,
    rescore: Literal["sum"] | None = None,
) -> list[Hypothesis]:
    """Up to `n_best` (at least one) distinct strings that satisfy the constraint, best first.

    A Dag is pruned first and, where nothing satisfies the constraint, widened step by step. Raises Infeasible, naming
    an irreducible conflict, when that does not help: never an unconstrained or empty string. `rescore="sum"` re-ranks
    the n-best by the probability of each text, summed over all its paths.
    """
    if rescore not in (None, "sum"):
        raise InvalidInput.of("rescore", 'be "sum" or None', rescore)
    begin, allowed = time.thread_time(), limits
    if isinstance(source, Lattice):
        lattice = source
        found = best_strings(lattice, constraint, length=length, n_best=n_best, limits=limits, weights=weights)
    else:
        for lattice in widening(source, pruning):
            limits = allowed.after(begin)
            if limits.max_seconds <= 0:
                raise SearchTooLong(allowed.max_seconds)
            found = best_strings(lattice, constraint, length=length, n_best=n_best, limits=limits, weights=weights)
            if found:
                break
    if not found:
        limits = allowed.after(begin)
        left = min(MINIMISATION_SECONDS, limits.max_seconds, limits.until - time.monotonic())
        raise explain_infeasible(lattice, conjuncts(constraint), length, limits.core(), left, limits.until)
    return found if rescore is None else rescore_by_sum(lattice, found, limits.core())


def widening(dag: Dag, pruning: Pruning) -> Iterator[Lattice]:
    """The Dag's lattice as asked for, then with twice the tokens and transitions, and so on up to `pruning.widest`."""
    emissions, transitions = pruning.emissions, pruning.transitions
    while True:
        yield prune(dag, emissions, transitions, keep=pruning.keep)
        if max(emissions, transitions) >= pruning.widest:
            return
        emissions = max(emissions, min(2 * emissions, pruning.widest))
        transitions = max(transitions, min(2 * transitions, pruning.widest))
        if dag.token_ids is not None and dag.token_ids.shape[1] < emissions and dag.widen is not None:
            dag = dag.widen(emissions)
