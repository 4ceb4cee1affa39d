"""Input that nobody should give: whatever comes, a result that passes the checks or a typed error, never a crash."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import numpy as np

from controldag import _core
from controldag.constraints import (
    Constraint,
    Length,
    TokenDictionary,
    WordList,
    any_of,
    contains,
    contains_tokens,
    in_order,
    token_vocabulary,
    vocabulary,
)
from controldag.errors import ControlDagError, InvalidInput
from controldag.lattice import Lattice
from controldag.search.batch import SearchItem, search_batch
from controldag.search.exact import Limits, best_strings
from controldag.search.language import ConstrainedLanguage

TIGHT = Limits(max_states=20_000, max_bytes=1 << 24)
ODD_NUMBERS = (-(1 << 31), -2, -1, 0, 1, 2, 3, 5, 8, 255, 256, 65_535, (1 << 31) - 1)
ODD_COSTS = (0.0, -0.0, 1e-45, 1.0, 3.0, 80.0, 1e30, 3e38, -1.0, float("inf"), float("-inf"), float("nan"))
ODD_TEXT = "a A\x00\x7f\x80éÉİıſKσςΣßẞ’…日本🙂\u200d\ufffd\n\t.'1-_\\()[]{}|*+?^$"


def random_bytes(rng: Random) -> bytes:
    """Bytes of any kind, seldom none; often pieces of UTF-8."""
    if rng.random() < 0.6:
        whole = random_string(rng).encode(errors="surrogatepass")
        return whole[rng.randint(0, len(whole)) :] or b"x"
    return rng.randbytes(rng.randint(0 if rng.random() < 0.02 else 1, 4))


def random_string(rng: Random) -> str:
    """Letters that fold oddly, marks, controls; seldom nothing, a lone surrogate, or very long."""
    roll = rng.random()
    if roll < 0.01:
        return ""
    if roll < 0.02:
        return "\ud800"
    if roll < 0.03:
        return rng.choice(ODD_TEXT) * rng.choice((300, 20_000))
    return "".join(rng.choice(ODD_TEXT) for _ in range(rng.randint(1, 5)))


def random_arrays_lattice(rng: Random) -> Lattice:
    """A lattice from arrays of which one is spoilt now and then."""
    vertices = rng.randint(3, 9)
    emit_begin, arc_begin = [0, 0], [0]
    emit_token: list[int] = []
    arc_to: list[int] = []
    tokens = rng.randint(1, 8)
    for v in range(vertices):
        if 0 < v < vertices - 1:
            emit_token += rng.sample(range(tokens), rng.randint(0, min(4, tokens)))
            emit_begin.append(len(emit_token))
        arc_to += sorted(rng.sample(range(v + 1, vertices), min(vertices - 1 - v, rng.randint(1, 4))))
        arc_begin.append(len(arc_to))
    emit_begin.append(len(emit_token))
    costs = [[rng.choice(ODD_COSTS[:6]) for _ in part] for part in (emit_token, arc_to)]
    arrays: list[list[Any]] = [emit_begin, emit_token, costs[0], arc_begin, arc_to, costs[1], list(range(tokens))]
    if rng.random() < 0.3:
        which = rng.randrange(len(arrays))
        spoilt = arrays[which]
        odd = ODD_COSTS if which in (2, 5) else ODD_NUMBERS
        match rng.random():
            case roll if roll < 0.7 and spoilt:
                spoilt[rng.randrange(len(spoilt))] = rng.choice(odd)
            case roll if roll < 0.85:
                spoilt.append(rng.choice(odd))
            case _:
                spoilt.clear()
    kinds = (np.int32, np.int32, np.float32, np.int32, np.int32, np.float32, np.int64)
    made = [np.array(values, kind) for values, kind in zip(arrays, kinds, strict=True)]
    return Lattice(_core.make_lattice(*made, [random_bytes(rng) for _ in range(tokens)]))


def pool_of(rng: Random, lattice: Lattice) -> list[str]:
    """Parts of texts the lattice may hold, so that some constraints can be satisfied."""
    surfaces = list(lattice.surfaces().values())
    texts = [b"".join(rng.choices(surfaces, k=3)).decode(errors="ignore").strip() or "a" for _ in range(4)]
    return [text[begin : begin + rng.randint(1, 4)] for text in texts for begin in (0, len(text) // 2)]


def random_constraint(rng: Random, pool: list[str], depth: int = 3) -> Constraint:
    """Any constraint, some of them impossible or not allowed."""

    if rng.random() < 0.01:
        return Constraint(rng.choice((None, 1, "a")))  # type: ignore[arg-type]
    if depth and rng.random() < 0.01:
        return chained(rng, pool)

    def draw() -> str:
        return rng.choice(pool) if rng.random() < 0.8 else random_string(rng)

    roll = rng.random()
    if depth and roll < 0.4:
        one = random_constraint(rng, pool, depth - 1)
        if roll < 0.05:
            return one.soft(rng.choice((0.0, 0.0, 2.5, 2.5, 1e300, 1e9, -1.0)))
        if roll < 0.12:
            return ~one
        two = random_constraint(rng, pool, depth - 1)
        return one & two if roll < 0.22 else one | two
    options = {"ignore_case": rng.random() < 0.5, "whole_word": rng.random() < 0.5}
    strings = [draw() for _ in range(rng.choice((0, 1, 2, 3, 3, 300)) if rng.random() < 0.1 else 2)]
    if roll < 0.5:
        times = {"at_least": rng.choice((-1, 0, 1, 1, 2, 400)), "at_most": rng.choice((None, None, 0, 3, 400))}
        return contains(draw(), own=rng.random() < 0.5, **options, **times)
    if roll < 0.7:
        return any_of(*strings, **options)
    if roll < 0.78:
        return in_order(*strings, **options)
    if roll < 0.9:
        words = WordList(strings, rng.choice((".,'", "", "é’", "s", " ", "1")))
        return vocabulary(words, entities=[draw()], numbers=rng.choice(("any", ["1", "-1"], strings)))
    ids = [tuple(rng.choice(ODD_NUMBERS) for _ in range(rng.randint(0, 3))) for _ in range(2)]
    return contains_tokens(ids[0]) if roll < 0.95 else token_vocabulary(TokenDictionary(ids))


def chained(rng: Random, pool: list[str]) -> Constraint:
    """A long chain, a deep nest, or one constraint doubled again and again."""
    made = contains(rng.choice(pool))
    kind = rng.randrange(3)
    for _ in range(rng.choice((5, 40, 300))):
        if kind == 0:
            made = ~made
        else:
            other = made if kind == 1 else contains(rng.choice(pool))
            made = made & other if rng.random() < 0.5 else made | other
    return made


def random_hard_length(rng: Random) -> Length | None:
    """A length, some of them senseless."""
    odd = (None, None, 0, 1, 2, 3, 5, 1e9, -3, float("nan"), float("inf"))
    if rng.random() < 0.5:
        return None
    bounds = {name: rng.choice(odd) for name in rng.sample(("minimum", "maximum", "exact", "target"), 2)}
    return Length(**{**bounds, "strictness": rng.choice((0.0, 1.0, 1e9, -1.0))})


def random_nfa(rng: Random) -> Constraint:
    """An automaton with any edges and guards, through the engine's own door."""
    states = rng.choice((1, 2, 4, 7))
    if rng.random() < 0.01:
        return Constraint(_core.nfa(rng.choice((0, 1 << 20, (1 << 32) - 1)), 0, 0, False, [], [], "nfa"))

    def state() -> int:
        return rng.randrange(states) if rng.random() < 0.98 else states

    edges = [
        (state(), *sorted((rng.randrange(256), rng.randrange(256))), state()) for _ in range(rng.randint(0, 3 * states))
    ]
    epsilons = [(state(), state(), rng.randrange(7)) for _ in range(rng.randint(0, 2 * states))]
    return Constraint(_core.nfa(states, state(), state(), rng.random() < 0.5, edges, epsilons, "nfa"))


def batch_with_nothing(lattice: Lattice, constraint: Constraint, length: Length | None) -> None:
    """Items that cannot be satisfied, one that may, and in the engine's own list one that is none."""
    never = SearchItem(lattice, contains("zz") & ~contains("zz"), length)
    first, _, last = search_batch([never, SearchItem(lattice, constraint, length, n_best=2), never], limits=TIGHT)
    assert isinstance(first, ControlDagError), first
    assert str(first) == str(last)
    null = _core.BatchItem(lattice.core, [cast(_core.Constraint, None)], np.empty(0), 1)
    item = _core.BatchItem(lattice.core, [constraint.core], np.empty(0), 1)
    refused, _ = _core.search_batch([null, item], TIGHT.core(), 2)
    assert isinstance(refused, InvalidInput), refused


def hostile_faults(seed: int) -> list[str]:
    """What went wrong beyond typed errors; best_strings itself checks every text by independent code."""
    rng = Random(seed)
    try:
        lattice = random_arrays_lattice(rng)
    except ControlDagError:
        return []
    for _ in range(3):
        try:
            bare = rng.random() < 0.2
            constraint = random_nfa(rng) if bare else random_constraint(rng, pool_of(rng, lattice))
            length = random_hard_length(rng)
            if bare:
                weights = np.empty(0) if length is None else length.weights(lattice.vertices - 1)
                _core.search_exact(lattice.core, [constraint.core], weights, TIGHT.core(), None)
                continue
            if rng.random() < 0.2:
                batch_with_nothing(lattice, constraint, length)
            best_strings(lattice, constraint, length=length, n_best=rng.choice((1, 1, 3, 50)), limits=TIGHT)
            language = ConstrainedLanguage(lattice, constraint, length=length, limits=TIGHT)
            language.sample(3, seed=seed)
            language.expected_ngrams(rng.choice((1, 4)))
            language.length_distribution()
        except ControlDagError as error:
            if type(error).__name__ == "EngineFault":
                return [f"hostile_faults({seed}): {error}"]
    return []
