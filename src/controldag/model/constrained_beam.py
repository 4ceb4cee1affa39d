"""Beam search with phrases that must be said: vectorised dynamic beam allocation (Post and Vilar 2018, Hu et al. 2019).

Each constraint is a set of alternatives, of which one has to occur (one alternative: a phrase; several: a disjunction).
It is an automaton over tokens that never forgets a finished constraint, so that a hypothesis's progress is a small
vector of states. Hypotheses are kept in banks by progress; a step fills the beam from the banks in turn.

Shapes: B examples, K hypotheses each, J candidates each, Q constraints, S states, A token classes, V tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from controldag.errors import InvalidInput
from controldag.model.steps import Hypothesis, Steps

Constraint = Sequence[Sequence[int]]  # alternatives, each a sequence of token ids
_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """`score` of a finished hypothesis of n tokens (`</s>` counted): log-probability / n^length_penalty.

    lengths: for each source, the number of tokens (`</s>` counted) that its hypotheses must have.
    """

    beams: int = 5
    length_penalty: float = 1.0
    max_length: int = 128
    patient: bool = (
        False  # go on until nothing can beat the best; else (as Hugging Face) until nothing does as it stands
    )
    lengths: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if self.beams < 1 or self.max_length < 2:
            raise InvalidInput.of("beams, max_length", "be at least 1 and 2", (self.beams, self.max_length))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The constraints of a batch as arrays."""

    classes: Tensor  # [B, V] class of each token; 0: in no constraint
    moves: Tensor  # [B, Q, S, A] next state
    points: Tensor  # [B, Q, S] the longest alternative's length in the final state, 0 in all others
    depth: Tensor  # [B, Q, S] tokens matched so far, 0 in the final state
    whole: Tensor  # [B] points of all constraints finished
    wanted: Tensor  # [B, Q, S, W] tokens that bring a state further, padded with −1


def automaton(alternatives: Constraint) -> tuple[list[dict[int, int]], list[int], int]:
    """Transitions (missing ones lead to state 0), depth of each state, and the final state, of one constraint.

    Aho–Corasick over the alternatives, its transitions filled in; the final state is never left.
    """
    children: list[dict[int, int]] = [{}]
    depth = [0]
    ends: set[int] = set()
    for phrase in alternatives:
        node = 0
        for token in phrase:
            if token not in children[node]:
                children[node][token] = len(children)
                children.append({})
                depth.append(depth[node] + 1)
            node = children[node][token]
        ends.add(node)
    final = len(children)
    moves: list[dict[int, int]] = [{} for _ in range(final + 1)]
    fallback = [0] * final
    for node in sorted(range(final), key=depth.__getitem__):
        moves[node] = dict(moves[fallback[node]]) if node else {}
        for token, child in children[node].items():
            fallback[child] = moves[node].get(token, 0)
            moves[node][token] = child
            if fallback[child] in ends:
                ends.add(child)
    for node in range(final):
        moves[node] = {token: final if goal in ends else goal for token, goal in moves[node].items()}
    return moves, [*depth, max(len(phrase) for phrase in alternatives)], final


def _tables(constraints: Sequence[Sequence[Constraint]], vocabulary: int, device: torch.device) -> _Tables:
    built = [[automaton(constraint) for constraint in row] for row in constraints]
    tokens = [sorted({t for moves, _, _ in row for move in moves for t in move}) for row in built]
    count = max(1, max(len(row) for row in built))
    states = max((len(moves) for row in built for moves, _, _ in row), default=1)
    width = max((len(move) for row in built for moves, _, _ in row for move in moves), default=0) or 1
    batch = len(constraints)
    # Filled entry by entry: NumPy's entries cost a fraction of a tensor's.
    classes = np.zeros((batch, vocabulary), np.int64)
    moves_all = np.zeros((batch, count, states, 1 + max(map(len, tokens))), np.int64)
    points = np.zeros((batch, count, states), np.int64)
    partial = np.zeros_like(points)
    wanted = np.full((batch, count, states, width), -1, np.int64)
    whole = np.zeros(batch, np.int64)
    for b, row in enumerate(built):
        place = {token: i + 1 for i, token in enumerate(tokens[b])}
        for token, i in place.items():
            classes[b, token] = i
        for q, (moves, depth, final) in enumerate(row):
            points[b, q, final] = depth[final]
            partial[b, q, :final] = depth[:final]
            whole[b] += depth[final]
            moves_all[b, q, final] = final
            for state, move in enumerate(moves[:final]):
                further = [token for token, goal in move.items() if depth[goal] > depth[state]]
                wanted[b, q, state, : len(further)] = further
                for token, goal in move.items():
                    moves_all[b, q, state, place[token]] = goal
    return _Tables(*(torch.from_numpy(t).to(device) for t in (classes, moves_all, points, partial, whole, wanted)))


@torch.no_grad()
def beam_search(
    model: Steps,
    input_ids: Tensor,
    options: BeamOptions,
    constraints: Sequence[Sequence[Constraint]] | None = None,
) -> list[Hypothesis]:
    """The best hypothesis of each source [B, N]; `constraints[b]` all hold in it, where `satisfied`.

    One occurrence may serve two equal or overlapping constraints. Where no hypothesis satisfies all constraints within
    the maximal length, the one that got furthest is returned, marked as not satisfied.
    """
    batch = len(input_ids)
    wanted = constraints if constraints is not None else [[] for _ in range(batch)]
    _check(wanted, batch, model.config.vocab_size)
    search = _Search(model, input_ids, options, _tables(wanted, model.config.vocab_size, input_ids.device))
    for _ in range(options.max_length - 1):
        if search.step():
            break
    return search.results()


def _check(constraints: Sequence[Sequence[Constraint]], batch: int, vocabulary: int) -> None:
    if len(constraints) != batch:
        raise InvalidInput.of("constraints", f"have one entry for each of the {batch} sources", len(constraints))
    for row in constraints:
        for constraint in row:
            if not constraint or not all(len(phrase) for phrase in constraint):
                raise InvalidInput.of("constraints", "hold alternatives of at least one token", constraint)
            if any(not 0 <= token < vocabulary for phrase in constraint for token in phrase):
                raise InvalidInput.of("constraints", f"hold token ids below {vocabulary}", constraint)


class _Search:
    """Hypotheses of a batch and the best finished ones."""

    def __init__(self, model: Steps, input_ids: Tensor, options: BeamOptions, tables: _Tables) -> None:
        self.model, self.options, self.tables = model, options, tables
        self.batch, self.beams = len(input_ids), options.beams
        device = input_ids.device
        self.cache = model.start(input_ids, options.max_length, self.beams)
        shape = (self.batch, self.beams)
        self.scores = torch.full(shape, _NEVER, device=device)
        self.scores[:, 0] = 0.0
        self.states = torch.zeros(*shape, tables.points.shape[1], dtype=torch.int64, device=device)
        self.tokens = torch.full((*shape, 1), model.config.bos_token_id, device=device)
        self.best_score = torch.full((self.batch,), _NEVER, device=device)
        self.best_logp = torch.full((self.batch,), _NEVER, device=device)
        self.best_tokens: Tensor = self.tokens[:, 0]
        self.best_length = torch.zeros(self.batch, dtype=torch.int64, device=device)
        self.exact = None if options.lengths is None else torch.tensor(list(options.lengths), device=device)

    def step(self) -> bool:
        """One more token for every hypothesis; true when nothing better can come."""
        steps = self.model.step(self.tokens[:, :, -1].flatten(), self.cache).view(self.batch, self.beams, -1)
        totals = self.scores[..., None] + steps  # [B, K, V]
        points = self._points(self.states)  # [B, K]
        done = points == self.tables.whole[:, None]
        if self.exact is not None:
            done = done & (self.exact == self.tokens.shape[2])[:, None]
        self._finish(totals[..., self.model.config.eos_token_id].masked_fill(~done, _NEVER))
        totals[..., self.model.config.eos_token_id] = _NEVER
        totals[..., self.model.config.pad_token_id] = _NEVER
        totals[..., self.model.config.bos_token_id] = _NEVER
        beams, tokens, scores = self._candidates(totals)
        states = self._moved(beams, tokens)
        self._keep(beams, tokens, scores, states)
        return self._over()

    def _finish(self, totals: Tensor) -> None:
        """Takes in hypotheses that end here: `totals` [B, K] with `</s>` counted, −inf where one may not end."""
        length = self.tokens.shape[2]  # tokens but `<s>`, with `</s>`
        top, beam = totals.max(1)
        score = top / length**self.options.length_penalty
        better = score > self.best_score
        rows = torch.arange(self.batch, device=beam.device)
        ended = self.tokens[rows, beam]  # [B, length]
        kept = torch.nn.functional.pad(self.best_tokens, (0, length - self.best_tokens.shape[1]))
        self.best_tokens = torch.where(better[:, None], ended, kept)
        self.best_length = torch.where(better, length, self.best_length)
        self.best_logp = torch.where(better, top, self.best_logp)
        self.best_score = torch.where(better, score, self.best_score)

    def _candidates(self, totals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Beam, token and score [B, J] of the best continuations, of each beam's best, and of wanted tokens."""
        batch, beams, vocabulary = totals.shape
        flat = totals.flatten(1)
        count = min(2 * beams, flat.shape[1])
        codes = [flat.topk(count, 1).indices]
        if int(self.tables.whole.max()) > 0:
            offset = torch.arange(beams, device=totals.device)[None] * vocabulary
            codes.append(totals.argmax(-1) + offset)
            rows = torch.arange(batch, device=totals.device)[:, None, None]
            places = torch.arange(self.states.shape[2], device=totals.device)[None, None]
            wanted = self.tables.wanted[rows, places, self.states]  # [B, K, Q, W]
            code = torch.where(wanted >= 0, wanted + offset[:, :, None, None], codes[1][:, :, None, None])
            codes.append(code.flatten(1))
        code = torch.cat(codes, 1).sort(1).values
        scores = flat.gather(1, code)
        repeated = torch.zeros_like(code, dtype=torch.bool)
        repeated[:, 1:] = code[:, 1:] == code[:, :-1]
        return code // vocabulary, code % vocabulary, scores.masked_fill(repeated, _NEVER)

    def _moved(self, beams: Tensor, tokens: Tensor) -> Tensor:
        """States [B, J, Q] of the candidates."""
        rows = torch.arange(self.batch, device=beams.device)
        before = self.states[rows[:, None], beams]  # [B, J, Q]
        classes = self.tables.classes[rows[:, None], tokens]  # [B, J]
        places = torch.arange(before.shape[2], device=beams.device)
        return self.tables.moves[rows[:, None, None], places[None, None], before, classes[..., None]]

    def _points(self, states: Tensor) -> Tensor:
        """How far hypotheses with `states` [B, ·, Q] are: some next token always brings an unfinished one further."""
        rows = torch.arange(self.batch, device=states.device)[:, None, None]
        places = torch.arange(states.shape[2], device=states.device)[None, None]
        finished = self.tables.points[rows, places, states].sum(-1)
        # Of the constraints under way only the furthest counts: two that begin alike would else hold each other up.
        return finished + self.tables.depth[rows, places, states].amax(-1)

    def _keep(self, beams: Tensor, tokens: Tensor, scores: Tensor, states: Tensor) -> None:
        """Fills the beam: the best of every bank, the most advanced bank first, then the second best of every bank…"""
        points = self._points(states)
        # By score, then (stably) by bank: a candidate's rank in its bank is its distance from the bank's start.
        order = scores.argsort(dim=1, descending=True, stable=True)
        order = order.gather(1, points.gather(1, order).argsort(dim=1, descending=True, stable=True))
        bank, score = points.gather(1, order), scores.gather(1, order)
        place = torch.arange(bank.shape[1], device=bank.device).expand_as(bank)
        starts = torch.ones_like(bank, dtype=torch.bool)
        starts[:, 1:] = bank[:, 1:] != bank[:, :-1]
        rank = place - torch.where(starts, place, 0).cummax(1).values
        rank = torch.where(score == _NEVER, rank + bank.shape[1], rank)
        chosen = order.gather(1, rank.argsort(dim=1, stable=True)[:, : self.beams])
        beam = beams.gather(1, chosen)
        rows = torch.arange(self.batch, device=beam.device)[:, None]
        self.tokens = torch.cat([self.tokens[rows, beam], tokens.gather(1, chosen)[..., None]], 2)
        self.scores = scores.gather(1, chosen)
        self.states = states[rows, chosen]
        self.cache.reorder((rows * self.beams + beam).flatten())

    def _over(self) -> bool:
        """Whether no live hypothesis can beat the finished ones (log-probabilities only fall as it grows)."""
        if self.exact is not None:
            return self.tokens.shape[2] > int(self.exact.max())
        penalty = self.options.length_penalty
        # The most a live hypothesis can still reach: its log-probability over the longest (penalty > 0) length.
        patient = penalty > 0 and self.options.patient
        longest = self.options.max_length if patient else self.tokens.shape[2]
        reachable = self.scores.max(1).values / longest**penalty
        return bool((self.best_score >= reachable).all())

    def results(self) -> list[Hypothesis]:
        """The best finished hypothesis of each example, or its most advanced live one."""
        points = self._points(self.states)
        advanced = points.double() * 1e6 + self.scores.double().clamp_min(-1e5)
        fallback = advanced.argmax(1)
        results = []
        for b in range(self.batch):
            if float(self.best_score[b]) > _NEVER:
                tokens = self.best_tokens[b, 1 : int(self.best_length[b])].tolist()
                results.append(Hypothesis(tokens, float(self.best_logp[b]), True))
            else:
                beam = int(fallback[b])
                satisfied = bool(points[b, beam] == self.tables.whole[b])
                tokens = self.tokens[b, beam, 1:].tolist()
                results.append(Hypothesis(tokens, float(self.scores[b, beam]), satisfied))
        return results
