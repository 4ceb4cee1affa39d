"""Every decoder by name: from a Dag and what its text must satisfy to hypotheses, best first."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import (
    Constraint,
    Length,
    TokenDictionary,
    all_of,
    conjuncts,
    contains_tokens,
    pattern,
    token_vocabulary,
)
from controldag.constraints.check import satisfies
from controldag.dag import Dag
from controldag.data.schema import near
from controldag.errors import ControlDagError, Infeasible, InvalidInput, LatticeTooLarge, SearchTooLong
from controldag.generation.demands import Demands
from controldag.generation.result import NothingFound, Stopwatch
from controldag.generation.word_by_word import WordByWord
from controldag.lattice import Lattice, prune
from controldag.search.beam import beam
from controldag.search.cbs_dag import cbs_dag
from controldag.search.exact import DEFAULT_LIMITS, Limits, Pruning, best_strings, exact
from controldag.search.greedy import greedy
from controldag.search.infeasible import MINIMISATION_SECONDS, explain_infeasible
from controldag.search.lookahead import lookahead
from controldag.search.paper import DfsOptions, dfs_viterbi, prune_paper
from controldag.search.result import Hypothesis
from controldag.search.viterbi import joint_viterbi, viterbi
from controldag.search.weights import NgramWeights

ONCE = "each value once"
"""How `left_out` names the habit of saying nothing twice."""
# Walks that choose one successor at a time should see more of them than an exact search needs.
_WALK_SUCCESSORS = 16
# States of a search with a language model, and of one that keeps the other habits, however patient a checkpoint is.
_WEIGHTED_STATES = 200_000
_HABIT_STATES = 300_000
# How much more patient a search for several texts is.
_LIST_PATIENCE = 3


@dataclass(frozen=True, slots=True)
class PaperWords:
    """The paper's vocabulary constraint in a checkpoint's tokens, and its target length for this input."""

    dictionary: TokenDictionary | None
    target: int | None


class DecodingTask:
    """One Dag to decode: what its text must satisfy, how far to prune, and the clock."""

    def __init__(
        self,
        dag: Dag,
        demands: Demands,
        settings: GenerationSettings,
        *,
        n_best: int = 1,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.dag = dag
        self.demands = demands
        self.settings = settings
        self.n_best = n_best
        self.limits = limits
        self.watch = Stopwatch()
        self.paper = PaperWords(None, None)
        self.left_out: tuple[str, ...] = ()  # habits that a search of bearable length had no room for
        self.weights: NgramWeights | None = None  # of the checkpoint's n-gram model, for decoders that use it

    @cached_property
    def lattice(self) -> Lattice:
        """The Dag pruned as the checkpoint says, with the phrases' tokens at every vertex."""
        with self.watch.stage("prune"):
            return self.pruned(self.settings.emissions, self.settings.transitions)

    def pruned(self, emissions: int, transitions: int) -> Lattice:
        return prune(self.dag, emissions, transitions, keep=self.demands.keep, trusted=True)

    def search(
        self,
        constraint: Constraint | None,
        length: Length | None,
        *,
        habit: Constraint | None = None,
        weights: NgramWeights | None = None,
    ) -> list[Hypothesis]:
        """Exact search under the constraint; widened where nothing satisfies it, then Infeasible.

        `habit` joins the constraint as long as the lattice is as the checkpoint prunes it; `weights` add to costs.
        """
        found = self._with_habits(constraint, habit, length, weights)
        if found:
            return found
        found = self._widened(constraint, length, None if self.left_out else weights)
        if not satisfies(habit, found[0].text) and ONCE not in self.left_out:
            self.left_out = (*self.left_out, ONCE)
        return found

    def _widened(
        self, constraint: Constraint | None, length: Length | None, weights: NgramWeights | None
    ) -> list[Hypothesis]:
        """As `search` on wider and wider lattices, without the checkpoint's own bound of the length."""
        settings, keep = self.settings, self.demands.keep
        relaxed = length
        if length is not None and self.demands.bound_is_ours:
            relaxed = replace(length, maximum=None)
        wider = Pruning(2 * settings.emissions, 2 * settings.transitions, keep, settings.widest)
        dag = self.dag if self.dag.widen is None else self.dag.widen(wider.emissions)
        too_large: ControlDagError | None = None
        for each in (weights, None) if weights is not None else (None,):
            limits = self.limits if each is None else self._weighted_limits
            try:
                with self.watch.stage("widen"):
                    return exact(
                        dag, constraint, length=relaxed, n_best=self.n_best, pruning=wider, limits=limits, weights=each
                    )
            except (LatticeTooLarge, SearchTooLong) as error:
                too_large = error
                self.left_out = self.left_out if each is None else ("language model",)
        assert too_large is not None
        with self.watch.stage("widen"):
            return self._as_pruned(constraint, relaxed, too_large)

    @property
    def _weighted_limits(self) -> Limits:
        return self._at_most(min(_WEIGHTED_STATES, self.settings.patience))

    @property
    def _list_limits(self) -> Limits:
        return self._at_most(min(_WEIGHTED_STATES, _LIST_PATIENCE * self.settings.patience))

    def _at_most(self, states: int) -> Limits:
        return _at_most(self.limits, states)

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
        limits = self.limits if habit is None else self._at_most(min(_HABIT_STATES, 2 * self.settings.patience))
        try:
            if weights is None:
                return self._search(joined, length, limits)
            return self._weighted(joined, length, weights, limits)
        except (LatticeTooLarge, SearchTooLong):
            if habit is None:
                raise
        self.left_out = (ONCE,) if weights is None else ("language model", ONCE)
        return self._search(constraint, length, self.limits)

    def _weighted(
        self, constraint: Constraint | None, length: Length | None, weights: NgramWeights, unweighted: Limits
    ) -> list[Hypothesis]:
        """As `_search`; a language model is a habit too: where it makes the search long, it is left out.

        Where several texts take too long, the best one is searched for alone: a list begins with it even where the
        others are chosen without the model.
        """
        limits = self._weighted_limits
        if self.n_best > 1:
            with suppress(LatticeTooLarge, SearchTooLong):
                return self._search(constraint, length, self._list_limits, weights)
        try:
            best = self._search(constraint, length, limits, weights, n_best=1)
        except (LatticeTooLarge, SearchTooLong):
            self.left_out = ("language model",)
            return self._search(constraint, length, unweighted)
        if self.n_best == 1 or not best:
            return best
        self.left_out = ("language model in the choice of all texts but the best",)
        others = [each.text for each in self._search(constraint, length, unweighted)]
        # Those texts and no others, with their costs under the model: costs of one list can be compared.
        these = pattern("|".join(re.escape(text) for text in others), full=True)
        wanted = all_of(*conjuncts(constraint), these)
        ranked = self._search(wanted, length, self.limits, weights)
        return [*best, *(each for each in ranked if each.text != best[0].text)][: self.n_best]

    def _search(
        self,
        constraint: Constraint | None,
        length: Length | None,
        limits: Limits,
        weights: NgramWeights | None = None,
        *,
        n_best: int = 0,
    ) -> list[Hypothesis]:
        """What the lattice as the checkpoint prunes it holds; empty where nothing satisfies the constraint."""
        lattice, n_best = self.lattice, n_best or self.n_best
        with self.watch.stage("search"):
            return best_strings(lattice, constraint, length=length, n_best=n_best, limits=limits, weights=weights)

    def _as_pruned(
        self, constraint: Constraint | None, length: Length | None, limit: ControlDagError
    ) -> list[Hypothesis]:
        """Where a wider lattice passes its limits: a text of this one without habits, or what excludes every one."""
        lattice, limits = self.lattice, self.limits
        found = best_strings(lattice, constraint, length=length, n_best=self.n_best, limits=limits)
        if found:
            return found
        seconds = min(MINIMISATION_SECONDS, limits.max_seconds, limits.until - time.monotonic())
        why = explain_infeasible(lattice, conjuncts(constraint), length, limits.core(), seconds, limits.until)
        remedy = f"Drop or relax one of them. A wider graph was not searched to the end: {limit.message}"
        raise Infeasible(why.conflict, minimised=why.minimised, remedy=remedy, in_words=why.in_words) from limit

    def unconstrained(self) -> Hypothesis | None:
        """The best text of the same lattice and length as the graph alone sees it: no constraint, no n-gram model."""
        lattice = self.lattice
        with self.watch.stage("unconstrained"):
            return joint_viterbi(lattice, self.demands.length)


@lru_cache(maxsize=64)
def _at_most(limits: Limits, states: int) -> Limits:
    return replace(limits, max_states=min(limits.max_states, states))


Decoder = Callable[[DecodingTask], list[Hypothesis]]


@dataclass(frozen=True, slots=True)
class Named:
    """A decoder, what it does, and whether it searches under constraints (so that their cost can be told).

    It decodes a Dag, or has an autoregressive model say words: one of the two. phrases: it says the required phrases,
    so that the tokens must be able to spell them.
    """

    decode: Decoder | None
    summary: str
    constrained: bool = False
    words: WordByWord | None = None
    phrases: bool = False


def decoder(name: str) -> Named:
    """The decoder called `name`; an unknown name is an error that offers the nearest."""
    if name not in DECODERS:
        raise InvalidInput.of("decoder", f"be one of {', '.join(DECODERS)}", name, remedy=near(name, DECODERS))
    return DECODERS[name]


def decoders_of(*, autoregressive: bool) -> tuple[str, ...]:
    """The names of the decoders for one kind of model."""
    return tuple(name for name, each in DECODERS.items() if (each.words is not None) == autoregressive)


def _one(found: Hypothesis | None) -> list[Hypothesis]:
    return [] if found is None else [found]


def _greedy(task: DecodingTask) -> list[Hypothesis]:
    lattice = prune(task.dag, 1, 1, trusted=True)
    with task.watch.stage("search"):
        return _one(greedy(lattice))


def _lookahead(task: DecodingTask) -> list[Hypothesis]:
    lattice = prune(task.dag, 1, _WALK_SUCCESSORS, trusted=True)
    with task.watch.stage("search"):
        return _one(lookahead(lattice))


def _viterbi(task: DecodingTask) -> list[Hypothesis]:
    lattice = prune(task.dag, 1, _WALK_SUCCESSORS, trusted=True)
    with task.watch.stage("search"):
        return _one(viterbi(lattice, task.demands.length))


def _joint_viterbi(task: DecodingTask) -> list[Hypothesis]:
    lattice = prune(task.dag, task.settings.emissions, task.settings.transitions, trusted=True)
    with task.watch.stage("search"):
        return _one(joint_viterbi(lattice, task.demands.length))


def _beam(task: DecodingTask) -> list[Hypothesis]:
    lattice = prune(task.dag, task.settings.emissions, task.settings.transitions, trusted=True)
    with task.watch.stage("search"):
        return _one(beam(lattice, task.settings.beams, length=task.demands.length))


def _cbs_dag(task: DecodingTask) -> list[Hypothesis]:
    lattice = task.lattice
    phrases = [task.dag.surfaces.spell(phrase) for phrase in task.demands.phrases]
    with task.watch.stage("search"):
        return _one(cbs_dag(lattice, phrases, length=task.demands.length))


def _shortest_path(part: Callable[[Demands], tuple[Constraint | None, Length | None]]) -> Decoder:
    return lambda task: task.search(*part(task.demands))


def _control_dag(task: DecodingTask) -> list[Hypothesis]:
    demands = task.demands
    return task.search(demands.constraint, demands.length, habit=demands.once, weights=task.weights)


def _control_dag_paper(task: DecodingTask) -> list[Hypothesis]:
    """Algorithms 1 to 3 as released: token-level constraints, forced phrases as dynamic vocabulary, pruned search."""
    if task.paper.target is None:
        raise InvalidInput.of("length.json", "be there for control-dag-paper", None, remedy="Fit one: data length.")
    phrases = [tuple(task.dag.surfaces.spell(phrase)) for phrase in dict.fromkeys(task.demands.phrases)]
    members = [contains_tokens(tokens) for tokens in phrases]
    if task.paper.dictionary is not None:
        members.append(token_vocabulary(task.paper.dictionary, phrases))
    with task.watch.stage("prune"):
        try:
            lattice = prune_paper(task.dag, task.settings.emissions, task.settings.transitions, phrases)
        except InvalidInput:
            return []  # the last vertex cannot be reached: one of this search's failures
    with task.watch.stage("search"):
        constraint = all_of(*members) if members else None
        options = DfsOptions(share=task.settings.dfs_share)
        return _one(dfs_viterbi(lattice, constraint, target=task.paper.target, options=options))


DECODERS: Mapping[str, Named] = {
    "greedy": Named(_greedy, "the likeliest successor, then its likeliest token"),
    "lookahead": Named(_lookahead, "the successor and token that are likeliest together"),
    "viterbi": Named(_viterbi, "the likeliest vertex path"),
    "joint-viterbi": Named(_joint_viterbi, "the likeliest path and tokens together"),
    "beam": Named(_beam, "beam search"),
    "cbs-dag": Named(_cbs_dag, "constrained beam search with dynamic beam allocation", phrases=True),
    "wfsa-shortest-path": Named(_shortest_path(lambda d: (None, None)), "the likeliest string of the lattice"),
    "+hlc": Named(
        _shortest_path(lambda d: (d.lexical, None)), "shortest path with the required phrases", True, phrases=True
    ),
    "+vc": Named(_shortest_path(lambda d: (d.allowed, None)), "shortest path with allowed words only", True),
    "+lc": Named(_shortest_path(lambda d: (None, d.length)), "shortest path at a good length"),
    "control-dag": Named(_control_dag, "exact search under all constraints at a good length", True, phrases=True),
    "control-dag-paper": Named(
        _control_dag_paper, "the paper's pruned search, as released; it may fail", True, phrases=True
    ),
    "ar-greedy": Named(None, "the likeliest next token, again and again", words=WordByWord()),
    "ar-beam": Named(None, "beam search", words=WordByWord(several=True)),
    "ar-constrained-beam": Named(
        None,
        "beam search that must say the required phrases",
        True,
        WordByWord(several=True, forced=True),
        phrases=True,
    ),
}
"""By name. `templates` stands in the pipeline: it reads no Dag."""


def decode(name: str, task: DecodingTask) -> list[Hypothesis]:
    """At least one hypothesis of the decoder called `name`; NothingFound (or Infeasible) where there is none."""
    decode_dag = decoder(name).decode
    if decode_dag is None:
        raise InvalidInput.of("decoder", "be one that reads a graph", name, remedy="Name one without `ar-`.")
    found = decode_dag(task)
    if not found or not found[0].text:
        raise NothingFound(f"{name} found no text.", remedy="Use control-dag, which finds one if there is one.")
    return found
