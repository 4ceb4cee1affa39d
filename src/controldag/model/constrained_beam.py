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
from controldag.model.config import T5Sizes
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
    """The constraints as arrays, whose sizes are powers of two: few shapes, which a graph can be kept for."""
    built = [[automaton(constraint) for constraint in row] for row in constraints]
    tokens = [sorted({t for moves, _, _ in row for move in moves for t in move}) for row in built]
    count = _power(max(len(row) for row in built))
    states = _power(max((len(moves) for row in built for moves, _, _ in row), default=1))
    width = _power(max((len(move) for row in built for moves, _, _ in row for move in moves), default=0))
    batch = len(constraints)
    # Filled entry by entry: NumPy's entries cost a fraction of a tensor's.
    classes = np.zeros((batch, vocabulary), np.int64)
    moves_all = np.zeros((batch, count, states, _power(1 + max(map(len, tokens)))), np.int64)
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


def _power(value: int) -> int:
    return 1 << max(0, value - 1).bit_length()


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
    tables = checked_tables(constraints, batch, model.config.vocab_size, input_ids.device)
    search = BeamState(model.config, options, tables)
    cache = model.start(input_ids, options.max_length, options.beams)
    for _ in range(options.max_length - 1):
        over = search.advance(model.step(search.last_tokens(), cache))
        cache.reorder(search.origins)
        if bool(over):
            break
    return search.results()


def checked_tables(
    constraints: Sequence[Sequence[Constraint]] | None, batch: int, vocabulary: int, device: torch.device
) -> _Tables:
    """The constraints of a batch as arrays; InvalidInput where there are too few or they make no sense."""
    wanted = constraints if constraints is not None else [[] for _ in range(batch)]
    _check(wanted, batch, vocabulary)
    return _tables(wanted, vocabulary, device)


def _check(constraints: Sequence[Sequence[Constraint]], batch: int, vocabulary: int) -> None:
    if len(constraints) != batch:
        raise InvalidInput.of("constraints", f"have one entry for each of the {batch} sources", len(constraints))
    for row in constraints:
        for constraint in row:
            if not constraint or not all(len(phrase) for phrase in constraint):
                raise InvalidInput.of("constraints", "hold alternatives of at least one token", constraint)
            if any(not 0 <= token < vocabulary for phrase in constraint for token in phrase):
                raise InvalidInput.of("constraints", f"hold token ids below {vocabulary}", constraint)


class BeamState:
    """Hypotheses of a batch and the best finished ones, in tensors that stay the same ones from step to step."""

    def __init__(self, config: T5Sizes, options: BeamOptions, tables: _Tables) -> None:
        self.config, self.options, self.tables = config, options, tables
        self.batch, self.beams = len(tables.whole), options.beams
        device, shape = tables.whole.device, (self.batch, options.beams)
        self.scores = torch.empty(shape, device=device)
        self.states = torch.empty(*shape, tables.points.shape[1], dtype=torch.int64, device=device)
        self.tokens = torch.empty(*shape, options.max_length, dtype=torch.int64, device=device)
        self.place = torch.zeros(1, dtype=torch.int64, device=device)  # of the last token
        self.origins = torch.arange(self.batch * self.beams, device=device)  # where each hypothesis was a step ago
        self.best_score = torch.empty(self.batch, device=device)
        self.best_logp = torch.empty(self.batch, device=device)
        self.best_tokens = torch.empty(self.batch, options.max_length, dtype=torch.int64, device=device)
        self.best_length = torch.empty(self.batch, dtype=torch.int64, device=device)
        self.exact = torch.zeros(self.batch, dtype=torch.int64, device=device)
        self.constrained = tables.wanted.shape[1:] != (1, 1, 1)
        self.begin(tables, options.lengths)

    def begin(self, tables: _Tables, lengths: Sequence[int] | None) -> None:
        """Starts anew, with constraints of the same shape."""
        for mine, given in zip(self._table_parts(self.tables), self._table_parts(tables), strict=True):
            mine.copy_(given)
        if lengths is not None:
            self.exact.copy_(torch.tensor(list(lengths)))
        self.scores.fill_(_NEVER)
        self.scores[:, 0] = 0.0
        self.tokens.fill_(self.config.pad_token_id)
        self.tokens[:, :, 0] = self.config.bos_token_id
        for part in (self.states, self.place, self.best_tokens, self.best_length):
            part.zero_()
        for part in (self.best_score, self.best_logp):
            part.fill_(_NEVER)

    def tensors(self) -> list[Tensor]:
        """All that a step changes."""
        return [
            *(self.scores, self.states, self.tokens, self.place, self.origins),
            *(self.best_score, self.best_logp, self.best_tokens, self.best_length),
        ]

    @staticmethod
    def _table_parts(tables: _Tables) -> tuple[Tensor, ...]:
        return (tables.classes, tables.moves, tables.points, tables.depth, tables.whole, tables.wanted)

    def last_tokens(self) -> Tensor:
        """[B·K]"""
        return self.tokens.index_select(2, self.place).flatten()

    def advance(self, scores: Tensor) -> Tensor:
        """One more token for every hypothesis, from log-probabilities [B·K, V]; true when nothing better can come."""
        totals = self.scores[..., None] + scores.view(self.batch, self.beams, -1)  # [B, K, V]
        points = self._points(self.states)  # [B, K]
        done = points == self.tables.whole[:, None]
        if self.options.lengths is not None:
            done = done & (self.exact == self.place + 1)[:, None]
        self._finish(totals[..., self.config.eos_token_id].masked_fill(~done, _NEVER))
        for token in (self.config.eos_token_id, self.config.pad_token_id, self.config.bos_token_id):
            totals.select(-1, token).fill_(_NEVER)
        beams, tokens, candidates = self._candidates(totals)
        self._keep(beams, tokens, candidates, self._moved(beams, tokens))
        return self._over()

    def _finish(self, totals: Tensor) -> None:
        """Takes in hypotheses that end here: `totals` [B, K] with `</s>` counted, −inf where one may not end."""
        length = self.place + 1  # tokens but `<s>`, with `</s>`
        top, beam = totals.max(1)
        score = top / length**self.options.length_penalty
        better = score > self.best_score
        rows = torch.arange(self.batch, device=beam.device)
        self.best_tokens.copy_(torch.where(better[:, None], self.tokens[rows, beam], self.best_tokens))
        self.best_length.copy_(torch.where(better, length, self.best_length))
        self.best_logp.copy_(torch.where(better, top, self.best_logp))
        self.best_score.copy_(torch.where(better, score, self.best_score))

    def _candidates(self, totals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Beam, token and score [B, J] of the best continuations, of each beam's best, and of wanted tokens."""
        batch, beams, vocabulary = totals.shape
        flat = totals.flatten(1)
        count = min(2 * beams, flat.shape[1])
        codes = [flat.topk(count, 1).indices]
        if self.constrained:
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
        rank = place - (place * starts).cummax(1).values
        rank = torch.where(score == _NEVER, rank + bank.shape[1], rank)
        chosen = order.gather(1, rank.argsort(dim=1, stable=True)[:, : self.beams])
        beam = beams.gather(1, chosen)
        rows = torch.arange(self.batch, device=beam.device)[:, None]
        self.place += 1
        self.tokens.copy_(self.tokens[rows, beam])
        self.tokens.index_copy_(2, self.place, tokens.gather(1, chosen)[..., None])
        self.scores.copy_(scores.gather(1, chosen))
        self.states.copy_(states[rows, chosen])
        self.origins.copy_((rows * self.beams + beam).flatten())

    def _over(self) -> Tensor:
        """Whether no live hypothesis can beat the finished ones (log-probabilities only fall as it grows)."""
        if self.options.lengths is not None:
            return (self.place + 1 > self.exact.max()).all()
        penalty = self.options.length_penalty
        # The most a live hypothesis can still reach: its log-probability over the longest (penalty > 0) length.
        patient = penalty > 0 and self.options.patient
        longest = self.options.max_length if patient else self.place + 1
        reachable = self.scores.max(1).values / longest**penalty
        return (self.best_score >= reachable).all()

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
                tokens = self.tokens[b, beam, 1 : int(self.place) + 1].tolist()
                results.append(Hypothesis(tokens, float(self.scores[b, beam]), satisfied))
        return results
