"""Slow, obvious twins of the searches of the literature, and of the paper's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from controldag.constraints import Length
from controldag.lattice import Lattice, make_lattice
from tests.reference.enumeration import length_weight

SURFACES = (b" a", b"b", b" c", b"d", b" e", b" ")


@dataclass(frozen=True, slots=True)
class Answer:
    tokens: tuple[int, ...]
    vertices: tuple[int, ...]
    objective: float


def token_lattice(rng: Random, vertices: int = 7, *, sparse: bool = True) -> Lattice:
    """A lattice over a handful of tokens, so that phrases have a chance; some vertices may be mute or dead ends."""
    last = vertices - 1
    emissions: list[list[tuple[int, float]]] = [[]]
    for _ in range(vertices - 2):
        chosen = rng.sample(range(len(SURFACES)), rng.randint(0 if sparse and rng.random() < 0.2 else 1, 4))
        emissions.append([(token, 3 * rng.random()) for token in chosen])
    emissions.append([])
    transitions: list[list[tuple[int, float]]] = []
    for v in range(last):
        onward = rng.sample(range(v + 1, vertices), min(rng.randint(1, 3), last - v))
        transitions.append([(to, 3 * rng.random()) for to in sorted(onward)])
    transitions.append([])
    # A sure way through.
    for v in range(last):
        if not emissions[v] and v:
            continue
        if v + 1 not in dict(transitions[v]) and (v + 1 == last or emissions[v + 1]):
            transitions[v].append((v + 1, 4.0 + rng.random()))
    try:
        return make_lattice(emissions, transitions, SURFACES)
    except ValueError:
        return token_lattice(rng, vertices, sparse=False)


def text_of(tokens: Iterable[int]) -> bytes:
    return b"".join(SURFACES[token] for token in tokens).removeprefix(b" ")


def walk(lattice: Lattice, *, ahead: bool) -> tuple[int, ...] | None:
    """The tokens of the greedy walk or, with `ahead`, of the lookahead walk."""
    emissions, transitions, last = lattice.emissions(), lattice.transitions(), lattice.vertices - 1
    here, tokens = 0, []
    while here != last:
        choices = []
        for to, arc_cost in transitions[here]:
            if to == last:
                choices.append((arc_cost, arc_cost, to, -1))
            for token, cost in emissions[to]:
                choices.append((arc_cost + cost if ahead else arc_cost, cost, to, token))
        if not choices:
            return None
        _, _, here, token = min(choices)
        if here != last:
            tokens.append(token)
    return tuple(tokens) if text_of(tokens) else None


def best_path_by_transitions(lattice: Lattice, length: Length | None) -> Answer | None:
    """Every vertex path, judged by its transitions; each vertex says its likeliest token."""
    emissions, transitions, last = lattice.emissions(), lattice.transitions(), lattice.vertices - 1
    found = []

    def onward(vertex: int, vertices: tuple[int, ...], cost: float) -> None:
        for to, arc_cost in transitions[vertex]:
            if to == last:
                tokens = tuple(min(emissions[v], key=lambda e: e[1])[0] for v in vertices)
                weight = length_weight(length, len(tokens) + 1)
                if text_of(tokens) and weight < math.inf:
                    found.append(Answer(tokens, vertices, weight * (cost + arc_cost)))
            elif emissions[to]:
                onward(to, (*vertices, to), cost + arc_cost)

    onward(0, (), 0.0)
    return min(found, key=lambda answer: answer.objective, default=None)


def progress(phrase: Sequence[int], tokens: Sequence[int]) -> int:
    """How far the phrase has got: all of it once it was said, else the longest beginning that ends the tokens."""
    size = len(phrase)
    if any(tuple(tokens[i : i + size]) == tuple(phrase) for i in range(len(tokens) - size + 1)):
        return size
    return max(n for n in range(size) if n == 0 or tuple(tokens[-n:]) == tuple(phrase[:n]))


def beam(lattice: Lattice, phrases: Sequence[Sequence[int]], size: int, length: Length | None) -> Answer | None:
    """Beam search with banks, whole token sequences carried along."""
    emissions, transitions, last = lattice.emissions(), lattice.transitions(), lattice.vertices - 1

    def unmet(tokens: Sequence[int]) -> int:
        return sum(len(phrase) - progress(phrase, tokens) for phrase in phrases)

    live: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = [(0.0, (), (0,))]
    finished: list[Answer] = []
    while live:
        candidates = []
        for cost, tokens, vertices in live:
            steps = [
                (cost + arc_cost + emission_cost, (*tokens, token), (*vertices, to))
                for to, arc_cost in transitions[vertices[-1]]
                for token, emission_cost in emissions[to]
            ]
            steps.sort()
            wanted = {p[progress(p, tokens)] for p in phrases if progress(p, tokens) < len(p)}
            candidates += steps[:size] + [step for step in steps[size:] if step[1][-1] in wanted]
            weight = length_weight(length, len(tokens) + 1)
            if text_of(tokens) and not unmet(tokens) and weight < math.inf:
                for to, arc_cost in transitions[vertices[-1]]:
                    if to == last:
                        finished.append(Answer(tokens, vertices[1:], weight * (cost + arc_cost)))
        candidates.sort()
        banks = {unmet(tokens) for _, tokens, _ in candidates}
        best = [next(c for c in candidates if unmet(c[1]) == bank) for bank in banks]
        room = max(size, len(best) + 1) if phrases else size
        live = sorted(best + [c for c in candidates if c not in best][: max(0, room - len(best))])
    return min(finished, key=lambda answer: answer.objective, default=None)


Words = frozenset[tuple[int, ...]]


def parses(words: Words, tokens: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """What may stand unfinished at the end of the tokens when all before it is words; () when nothing does."""
    if not tokens:
        return frozenset({()})
    open_before = parses(words, tokens[:-1])
    grown = {(*begun, tokens[-1]) for begun in open_before}
    kept = {g for g in grown if any(word[: len(g)] == g for word in words)}
    return frozenset(kept | ({()} if kept & words else set()))


def dfs_viterbi(
    lattice: Lattice, phrases: Sequence[Sequence[int]], words: Words | None, target: int, *, share: float = 0.7
) -> Answer | None:
    """The released search, by recursion over states (vertex, how far each phrase has got, unfinished words).

    Where a lone blank is a token, the rule that no text be empty is one more automaton: its state is the text so far,
    as long as that is nothing or a blank.
    """
    emissions, transitions, last = lattice.emissions(), lattice.transitions(), lattice.vertices - 1
    State = tuple[int, tuple[int, ...], frozenset[tuple[int, ...]] | None, str]  # noqa: N806 - a type
    blank = b" " in lattice.surfaces().values()
    example: dict[State, tuple[int, ...]] = {}  # any tokens that lead to the state: they tell all that matters

    def state(vertex: int, tokens: tuple[int, ...]) -> State:
        said = "text" if not blank or text_of(tokens) else "blank" if tokens else "nothing"
        begun = None if words is None else parses(words, tokens)
        made = (vertex, tuple(progress(p, tokens) for p in phrases), begun, said)
        example.setdefault(made, tokens)
        return made

    def is_final(at: State) -> bool:
        whole = at[2] is None or () in at[2]
        return at[0] == last and at[1] == tuple(map(len, phrases)) and whole and at[3] == "text"

    def all_arcs(at: State) -> list[tuple[float, int, State]]:
        vertex, tokens = at[0], example[at]
        spoken = emissions[vertex] if vertex else [(-1, 0.0)]
        return [
            (cost + arc_cost, token, state(to, tokens if token < 0 else (*tokens, token)))
            for token, cost in spoken
            for to, arc_cost in transitions[vertex]
            if not (vertex == 0 and to == last)
        ]

    @cache
    def useful(at: State) -> bool:
        return is_final(at) or any(useful(to) for _, _, to in all_arcs(at))

    def kept_arcs(at: State) -> list[tuple[float, int, State]]:
        cheapest: dict[State, tuple[float, int, State]] = {}
        for arc in all_arcs(at):
            if useful(arc[2]) and (arc[2] not in cheapest or arc[0] < cheapest[arc[2]][0]):
                cheapest[arc[2]] = arc
        order = sorted(cheapest.values(), key=lambda arc: arc[0])
        total = sum(math.exp(-arc[0]) for arc in order)
        below = sum(1 for i in range(len(order)) if sum(math.exp(-a[0]) for a in order[: i + 1]) / total < share)
        return order[: min(below + 1, 3)]

    Suffixes = dict[int, tuple[float, tuple[int, ...], tuple[int, ...]]]  # noqa: N806 - a type
    memo: dict[State, Suffixes] = {}
    seen_end = False
    longest = min(target + 5, int(1.5 * target))

    def explore(at: State, depth: int) -> Suffixes:
        nonlocal seen_end
        if seen_end and depth > longest:
            return {}
        if is_final(at):
            seen_end = True
            return {0: (0.0, (), ())}
        if at not in memo:
            best: Suffixes = {}
            for cost, token, to in kept_arcs(at):
                for size, (rest, tokens, vertices) in explore(to, depth + 1).items():
                    if size + 1 not in best or cost + rest < best[size + 1][0]:
                        said = token >= 0
                        best[size + 1] = (
                            cost + rest,
                            (token, *tokens) if said else tokens,
                            (at[0], *vertices) if said else vertices,
                        )
            memo[at] = best
        return memo[at]

    start = state(0, ())
    if not useful(start):
        return None
    wanted = Length(target=target)
    ways = explore(start, 0)
    found = [Answer(t, v, length_weight(wanted, size) * cost) for size, (cost, t, v) in ways.items() if text_of(t)]
    return min(found, key=lambda answer: answer.objective, default=None)


def force_emit(
    top: Sequence[Sequence[int]], onward: Callable[[int], Sequence[int]], phrases: Sequence[Sequence[int]]
) -> list[set[int]]:
    """Algorithms 1 and 2 as printed: by vertex, the top tokens and what predecessors force."""
    emitted: list[set[int]] = []
    for u in range(len(top)):
        forced = {
            phrase[j + 1]
            for phrase in phrases
            for j in range(len(phrase) - 1)
            for v in range(1, u)
            if u in onward(v) and phrase[j] in emitted[v]
        }
        emitted.append(set(top[u]) | forced)
    return emitted
