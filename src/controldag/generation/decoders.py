"""Every decoder by name: from a Dag and what its text must satisfy to hypotheses, best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import Constraint, Length, TokenDictionary, all_of, contains_tokens, token_vocabulary
from controldag.dag import Dag
from controldag.data.schema import near
from controldag.errors import InvalidInput
from controldag.generation.demands import Demands
from controldag.generation.result import NothingFound, Stopwatch
from controldag.generation.word_by_word import WordByWord
from controldag.lattice import prune
from controldag.search.beam import beam
from controldag.search.cbs_dag import cbs_dag
from controldag.search.exact import DEFAULT_LIMITS, Limits, Pruning
from controldag.search.greedy import greedy
from controldag.search.lookahead import lookahead
from controldag.search.paper import DfsOptions, dfs_viterbi, prune_paper
from controldag.search.patient import Effort, PatientSearch
from controldag.search.result import Hypothesis
from controldag.search.viterbi import joint_viterbi, viterbi
from controldag.search.weights import NgramWeights

# Walks that choose one successor at a time should see more of them than an exact search needs.
_WALK_SUCCESSORS = 16


@dataclass(frozen=True, slots=True)
class PaperWords:
    """The paper's vocabulary constraint in a checkpoint's tokens, and its target length for this input."""

    dictionary: TokenDictionary | None
    target: int | None


@dataclass(frozen=True, slots=True)
class Aids:
    """What some decoders take from the checkpoint, made when asked for: n-gram weights and the paper's words."""

    weights: Callable[[], NgramWeights | None] = lambda: None
    paper: Callable[[], PaperWords] = lambda: PaperWords(None, None)


class DecodingTask:
    """One Dag to decode: what its text must satisfy, how it is searched, and the clock."""

    def __init__(
        self,
        dag: Dag,
        demands: Demands,
        settings: GenerationSettings,
        *,
        n_best: int = 1,
        limits: Limits = DEFAULT_LIMITS,
        aids: Aids | None = None,
        watch: Stopwatch | None = None,
    ) -> None:
        self.dag = dag
        self.demands = demands
        self.settings = settings
        self.aids = aids or Aids()
        self.watch = watch or Stopwatch()
        self._effort = Effort(n_best, limits, settings.patience, demands.bound_is_ours)

    @cached_property
    def search(self) -> PatientSearch:
        """The exact search of the Dag, pruned as the checkpoint says, with the phrases' tokens at every vertex."""
        settings = self.settings
        pruning = Pruning(settings.emissions, settings.transitions, self.demands.kept_tokens, settings.widest)
        return PatientSearch(self.dag, pruning, self._effort, self.watch.stage)

    def extra_cost(self, best: Hypothesis) -> float | None:
        """How much more it costs than the best text of the same lattice and length as the graph alone sees it."""
        lattice = self.search.lattice
        with self.watch.stage("unconstrained"):
            free = joint_viterbi(lattice, self.demands.length)
        return None if free is None else max(0.0, best.own_objective - free.objective)


Decoder = Callable[[DecodingTask], list[Hypothesis]]


@dataclass(frozen=True, slots=True)
class Named:
    """A decoder and what it does: it decodes a Dag, or has an autoregressive model say words, one of the two.

    phrases: it says the required phrases, so that the tokens must be able to spell them. priced: what its constraints
    cost is told.
    """

    decode: Decoder | None
    summary: str
    words: WordByWord | None = None
    phrases: bool = False
    priced: bool = False


def decoder(name: str) -> Named:
    """The decoder called `name`; an unknown name is an error that offers the nearest."""
    if name not in DECODERS:
        remedy = near(name, DECODERS) if isinstance(name, str) else ""
        raise InvalidInput.of("decoder", f"be one of {', '.join(DECODERS)}", name, remedy=remedy)
    return DECODERS[name]


def decoder_for(name: str, *, autoregressive: bool) -> Named:
    """The decoder called `name`, if it is one for this kind of model."""
    found, known = decoder(name), decoders_of(autoregressive=autoregressive)
    if name not in known:
        raise InvalidInput.of("decoder", f"be one for this kind of model: {', '.join(known)}", name)
    return found


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
    lattice = task.search.lattice
    phrases = [task.demands.tokens_of(phrase) for phrase in task.demands.phrases]
    with task.watch.stage("search"):
        return _one(cbs_dag(lattice, phrases, length=task.demands.length))


def _shortest_path(part: Callable[[Demands], tuple[Constraint | None, Length | None]]) -> Decoder:
    return lambda task: task.search.best(*part(task.demands))


def _control_dag(task: DecodingTask) -> list[Hypothesis]:
    demands = task.demands
    return task.search.best(demands.constraint, demands.length, habit=demands.once, weights=task.aids.weights())


def _control_dag_paper(task: DecodingTask) -> list[Hypothesis]:
    """Algorithms 1 to 3 as released: token-level constraints, forced phrases as dynamic vocabulary, pruned search."""
    paper = task.aids.paper()
    if paper.target is None:
        raise InvalidInput.of("length.json", "be there for control-dag-paper", None, remedy="Fit one: data length.")
    phrases = [task.demands.tokens_of(phrase) for phrase in dict.fromkeys(task.demands.phrases)]
    members = [contains_tokens(tokens) for tokens in phrases]
    if paper.dictionary is not None:
        members.append(token_vocabulary(paper.dictionary, phrases))
    with task.watch.stage("prune"):
        try:
            lattice = prune_paper(task.dag, task.settings.emissions, task.settings.transitions, phrases)
        except InvalidInput:
            return []  # the last vertex cannot be reached: one of this search's failures
    with task.watch.stage("search"):
        constraint = all_of(*members) if members else None
        options = DfsOptions(share=task.settings.dfs_share)
        return _one(dfs_viterbi(lattice, constraint, target=paper.target, options=options))


DECODERS: Mapping[str, Named] = {
    "greedy": Named(_greedy, "the likeliest successor, then its likeliest token"),
    "lookahead": Named(_lookahead, "the successor and token that are likeliest together"),
    "viterbi": Named(_viterbi, "the likeliest vertex path"),
    "joint-viterbi": Named(_joint_viterbi, "the likeliest path and tokens together"),
    "beam": Named(_beam, "beam search"),
    "cbs-dag": Named(_cbs_dag, "constrained beam search with dynamic beam allocation", phrases=True),
    "wfsa-shortest-path": Named(_shortest_path(lambda d: (None, None)), "the likeliest string of the lattice"),
    "+hlc": Named(_shortest_path(lambda d: (d.lexical, None)), "shortest path with the required phrases", phrases=True),
    "+vc": Named(_shortest_path(lambda d: (d.allowed, None)), "shortest path with allowed words only"),
    "+lc": Named(_shortest_path(lambda d: (None, d.length)), "shortest path at a good length"),
    "control-dag": Named(
        _control_dag, "exact search under all constraints at a good length", phrases=True, priced=True
    ),
    "control-dag-paper": Named(_control_dag_paper, "the paper's pruned search, as released; it may fail", phrases=True),
    "ar-greedy": Named(None, "the likeliest next token, again and again", WordByWord()),
    "ar-beam": Named(None, "beam search", WordByWord(several=True)),
    "ar-constrained-beam": Named(
        None, "beam search that must say the required phrases", WordByWord(several=True, forced=True), phrases=True
    ),
}
"""By name. `templates` is none of them: it reads no Dag, and says no words by itself."""


def decode(name: str, task: DecodingTask) -> list[Hypothesis]:
    """At least one hypothesis of the decoder called `name`; NothingFound (or Infeasible) where there is none."""
    decode_dag = decoder(name).decode
    if decode_dag is None:
        raise InvalidInput.of("decoder", "be one that reads a graph", name, remedy="Name one without `ar-`.")
    found = decode_dag(task)
    if not found or not found[0].text:
        raise NothingFound(f"{name} found no text.", remedy="Use control-dag, which finds one if there is one.")
    return found
