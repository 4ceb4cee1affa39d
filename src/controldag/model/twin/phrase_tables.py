"""Phrases that must be said, as automata over tokens that never forget what is done, and these as arrays.

A constraint is a set of alternatives, of which one has to occur (one alternative: a phrase; several: a disjunction), or
several such sets, one behind another. Shapes: B examples, Q constraints, S states, A token classes, V tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from controldag.errors import InvalidInput

Alternatives = Sequence[Sequence[int]]  # each a sequence of token ids


@dataclass(frozen=True, slots=True)
class InOrder:
    """Sets of alternatives that must be said one behind another, without overlap."""

    stages: Sequence[Alternatives]


Constraint = Alternatives | InOrder


@dataclass(frozen=True, slots=True)
class Automaton:
    """Of one constraint; the last state is final and never left. Transitions that `moves` lacks lead to `back`."""

    moves: list[dict[int, int]]
    back: list[int]
    points: list[int]  # what is done for good: the longest alternatives' lengths of finished stages
    depth: list[int]  # tokens matched of the stage under way

    @property
    def final(self) -> int:
        return len(self.moves) - 1

    def further(self, state: int) -> list[int]:
        """The tokens that bring `state` further."""
        here = self.points[state] + self.depth[state]
        return [token for token, goal in self.moves[state].items() if self.points[goal] + self.depth[goal] > here]


def automaton(constraint: Constraint) -> Automaton:
    """Aho–Corasick over the alternatives, its transitions filled in; the end of a stage is the start of the next."""
    moves: list[dict[int, int]] = []
    back: list[int] = []
    points: list[int] = []
    depth: list[int] = []
    done = 0
    for alternatives in constraint.stages if isinstance(constraint, InOrder) else (constraint,):
        start = len(moves)
        stage, depths = _stage(alternatives)
        moves += [{token: start + goal for token, goal in move.items()} for move in stage]
        back += [start] * len(stage)
        points += [done] * len(stage)
        depth += depths
        done += max(map(len, alternatives))
    return Automaton([*moves, {}], [*back, len(moves)], [*points, done], [*depth, 0])


def _stage(alternatives: Alternatives) -> tuple[list[dict[int, int]], list[int]]:
    """Transitions from each state, the one past the last being the end, and its depth."""
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
    end = len(children)
    moves: list[dict[int, int]] = [{} for _ in children]
    fallback = [0] * end
    for node in sorted(range(end), key=depth.__getitem__):
        moves[node] = dict(moves[fallback[node]]) if node else {}
        for token, child in children[node].items():
            fallback[child] = moves[node].get(token, 0)
            moves[node][token] = child
            if fallback[child] in ends:
                ends.add(child)
    return [{token: end if goal in ends else goal for token, goal in move.items()} for move in moves], depth


@dataclass(frozen=True, slots=True)
class Tables:
    """The constraints of a batch as arrays; sizes are powers of two: few shapes, which a graph can be kept for."""

    classes: Tensor  # [B, V] class of each token; 0: in no constraint
    moves: Tensor  # [B, Q, S, A] next state
    points: Tensor  # [B, Q, S] what is done for good
    depth: Tensor  # [B, Q, S] tokens matched of the stage under way
    whole: Tensor  # [B] points of all constraints finished
    wanted: Tensor  # [B, Q, S, W] tokens that bring a state further, padded with −1

    def parts(self) -> tuple[Tensor, ...]:
        return (self.classes, self.moves, self.points, self.depth, self.whole, self.wanted)


def checked_tables(
    constraints: Sequence[Sequence[Constraint]] | None, batch: int, vocabulary: int, device: torch.device
) -> Tables:
    """The constraints of a batch as arrays; InvalidInput where there are too few or they make no sense."""
    wanted = constraints if constraints is not None else [[] for _ in range(batch)]
    _check(wanted, batch, vocabulary)
    return _tables(wanted, vocabulary, device)


def _check(constraints: Sequence[Sequence[Constraint]], batch: int, vocabulary: int) -> None:
    if len(constraints) != batch:
        raise InvalidInput.of("constraints", f"have one entry for each of the {batch} sources", len(constraints))
    for constraint in (each for row in constraints for each in row):
        stages = constraint.stages if isinstance(constraint, InOrder) else (constraint,)
        if not stages or not all(stages) or not all(len(phrase) for stage in stages for phrase in stage):
            raise InvalidInput.of("constraints", "hold alternatives of at least one token", constraint)
        if any(not 0 <= token < vocabulary for stage in stages for phrase in stage for token in phrase):
            raise InvalidInput.of("constraints", f"hold token ids below {vocabulary}", constraint)


def _tables(constraints: Sequence[Sequence[Constraint]], vocabulary: int, device: torch.device) -> Tables:
    built = [[automaton(constraint) for constraint in row] for row in constraints]
    tokens = [sorted({token for each in row for move in each.moves for token in move}) for row in built]
    every = [each for row in built for each in row]
    count = _power(max(len(row) for row in built))
    states = _power(max((len(each.moves) for each in every), default=1))
    width = _power(max((len(move) for each in every for move in each.moves), default=0))
    batch = len(constraints)
    # Filled entry by entry: NumPy's entries cost a fraction of a tensor's.
    classes = np.zeros((batch, vocabulary), np.int64)
    moves = np.zeros((batch, count, states, _power(1 + max(map(len, tokens)))), np.int64)
    points = np.zeros((batch, count, states), np.int64)
    depth = np.zeros_like(points)
    wanted = np.full((batch, count, states, width), -1, np.int64)
    whole = np.zeros(batch, np.int64)
    for b, row in enumerate(built):
        place = {token: i + 1 for i, token in enumerate(tokens[b])}
        for token, i in place.items():
            classes[b, token] = i
        for q, each in enumerate(row):
            size = len(each.moves)
            points[b, q, :size], depth[b, q, :size] = each.points, each.depth
            whole[b] += each.points[each.final]
            for state, move in enumerate(each.moves):
                moves[b, q, state] = each.back[state]
                further = each.further(state)
                wanted[b, q, state, : len(further)] = further
                for token, goal in move.items():
                    moves[b, q, state, place[token]] = goal
    return Tables(*(torch.from_numpy(part).to(device) for part in (classes, moves, points, depth, whole, wanted)))


def _power(value: int) -> int:
    return 1 << max(0, value - 1).bit_length()
