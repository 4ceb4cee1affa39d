"""Exact search with habits: a wider lattice where nothing fits, and habits given up where they take too long."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from controldag.constraints import Constraint, Length, all_of, conjuncts, pattern
from controldag.constraints.check import satisfies
from controldag.dag import Dag
from controldag.errors import ControlDagError, Infeasible, LatticeTooLarge, SearchTooLong
from controldag.lattice import Lattice, prune
from controldag.search.exact import DEFAULT_LIMITS, Limits, Pruning, best_strings, exact
from controldag.search.infeasible import MINIMISATION_SECONDS, explain_infeasible
from controldag.search.result import Hypothesis
from controldag.search.weights import NgramWeights

ONCE = "each value once"
"""How `left_out` names the habit of saying nothing twice."""
MODEL = "language model"
# States of a search with a language model, and of one that keeps the other habits, however patient a checkpoint is.
_WEIGHTED_STATES = 200_000
_HABIT_STATES = 300_000
# How much more patient a search for several texts is than one for the best.
_LIST_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Effort:
    """How far one search goes.

    n_best: how many texts. limits: of each search. patience: states after which a search gives up its language
    model; twice as many, the other habits. bound_is_ours: the length's bound is a habit as well.
    """

    n_best: int = 1
    limits: Limits = DEFAULT_LIMITS
    patience: int = _WEIGHTED_STATES
    bound_is_ours: bool = False

    @property
    def weighted(self) -> Limits:
        """The limits of a search with a language model."""
        return _at_most(self.limits, min(_WEIGHTED_STATES, self.patience))

    @property
    def several(self) -> Limits:
        """The limits of a search for several texts with a language model."""
        return _at_most(self.limits, min(_WEIGHTED_STATES, _LIST_PATIENCE * self.patience))

    @property
    def habitual(self) -> Limits:
        """The limits of a search that keeps the other habits."""
        return _at_most(self.limits, min(_HABIT_STATES, 2 * self.patience))


class PatientSearch:
    """One Dag searched under a constraint. left_out: the habits that a search of bearable length had no room for."""

    def __init__(
        self,
        dag: Dag,
        pruning: Pruning,
        effort: Effort,
        stage: Callable[[str], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        self.dag = dag
        self.pruning = pruning
        self.effort = effort
        self.left_out: tuple[str, ...] = ()
        self._stage = stage

    @cached_property
    def lattice(self) -> Lattice:
        """The Dag pruned as asked for, with the tokens to keep at every vertex."""
        pruning = self.pruning
        with self._stage("prune"):
            return prune(self.dag, pruning.emissions, pruning.transitions, keep=pruning.keep, trusted=True)

    def best(
        self,
        constraint: Constraint | None,
        length: Length | None,
        *,
        habit: Constraint | None = None,
        weights: NgramWeights | None = None,
    ) -> list[Hypothesis]:
        """Exact search under the constraint; widened where nothing satisfies it, then Infeasible.

        `habit` joins the constraint as long as the lattice is not widened; `weights` add to costs.
        """
        found = self._with_habits(constraint, habit, length, weights)
        if found:
            return found
        found = self._widened(constraint, length, None if self.left_out else weights)
        if not satisfies(habit, found[0].text) and ONCE not in self.left_out:
            self.left_out = (*self.left_out, ONCE)
        return found

    def _with_habits(
        self,
        constraint: Constraint | None,
        habit: Constraint | None,
        length: Length | None,
        weights: NgramWeights | None,
    ) -> list[Hypothesis]:
        """As `_search` under both; where the habit makes the search long, without it and without the weights."""
        wanted = [*conjuncts(constraint), *conjuncts(habit)]
        joined = all_of(*wanted) if wanted else None
        limits = self.effort.limits if habit is None else self.effort.habitual
        try:
            if weights is None:
                return self._search(joined, length, limits)
            return self._weighted(joined, length, weights, limits)
        except (LatticeTooLarge, SearchTooLong):
            if habit is None:
                raise
        self.left_out = (ONCE,) if weights is None else (MODEL, ONCE)
        return self._search(constraint, length, self.effort.limits)

    def _weighted(
        self, constraint: Constraint | None, length: Length | None, weights: NgramWeights, unweighted: Limits
    ) -> list[Hypothesis]:
        """As `_search`; a language model is a habit too: where it makes the search long, it is left out.

        Where several texts take too long, the best one is searched for alone: a list begins with it even where the
        others are chosen without the model.
        """
        limits, n_best = self.effort.weighted, self.effort.n_best
        if n_best > 1:
            with suppress(LatticeTooLarge, SearchTooLong):
                return self._search(constraint, length, self.effort.several, weights)
        try:
            best = self._search(constraint, length, limits, weights, n_best=1)
        except (LatticeTooLarge, SearchTooLong):
            self.left_out = (MODEL,)
            return self._search(constraint, length, unweighted)
        if n_best == 1 or not best:
            return best
        self.left_out = (f"{MODEL} in the choice of all texts but the best",)
        others = [each.text for each in self._search(constraint, length, unweighted)]
        # Those texts and no others, with their costs under the model: costs of one list can be compared.
        these = pattern("|".join(re.escape(text) for text in others), full=True)
        wanted = all_of(*conjuncts(constraint), these)
        ranked = self._search(wanted, length, self.effort.limits, weights)
        return [*best, *(each for each in ranked if each.text != best[0].text)][:n_best]

    def _search(
        self,
        constraint: Constraint | None,
        length: Length | None,
        limits: Limits,
        weights: NgramWeights | None = None,
        *,
        n_best: int = 0,
    ) -> list[Hypothesis]:
        """What the lattice holds that is not widened; empty where nothing satisfies the constraint."""
        lattice, n_best = self.lattice, n_best or self.effort.n_best
        with self._stage("search"):
            return best_strings(lattice, constraint, length=length, n_best=n_best, limits=limits, weights=weights)

    def _widened(
        self, constraint: Constraint | None, length: Length | None, weights: NgramWeights | None
    ) -> list[Hypothesis]:
        """As `best` on wider and wider lattices, without a bound of the length that is a habit."""
        pruning, effort = self.pruning, self.effort
        relaxed = replace(length, maximum=None) if length is not None and effort.bound_is_ours else length
        wider = replace(pruning, emissions=2 * pruning.emissions, transitions=2 * pruning.transitions)
        dag = self.dag if self.dag.widen is None else self.dag.widen(wider.emissions)
        too_large: ControlDagError | None = None
        for each in (weights, None) if weights is not None else (None,):
            limits = effort.limits if each is None else effort.weighted
            try:
                with self._stage("widen"):
                    return exact(
                        dag,
                        constraint,
                        length=relaxed,
                        n_best=effort.n_best,
                        pruning=wider,
                        limits=limits,
                        weights=each,
                    )
            except (LatticeTooLarge, SearchTooLong) as error:
                too_large = error
                self.left_out = self.left_out if each is None else (MODEL,)
        assert too_large is not None
        with self._stage("widen"):
            return self._as_pruned(constraint, relaxed, too_large)

    def _as_pruned(
        self, constraint: Constraint | None, length: Length | None, limit: ControlDagError
    ) -> list[Hypothesis]:
        """Where a wider lattice passes its limits: a text of this one without habits, or what excludes every one."""
        lattice, limits = self.lattice, self.effort.limits
        found = best_strings(lattice, constraint, length=length, n_best=self.effort.n_best, limits=limits)
        if found:
            return found
        seconds = min(MINIMISATION_SECONDS, limits.max_seconds, limits.until - time.monotonic())
        why = explain_infeasible(lattice, conjuncts(constraint), length, limits.core(), seconds, limits.until)
        remedy = f"Drop or relax one of them. A wider graph was not searched to the end: {limit.message}"
        raise Infeasible(why.conflict, minimised=why.minimised, remedy=remedy, in_words=why.in_words) from limit


@lru_cache(maxsize=64)
def _at_most(limits: Limits, states: int) -> Limits:
    return replace(limits, max_states=min(limits.max_states, states))
