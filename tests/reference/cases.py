"""Random small lattices, constraints and lengths from one seed, so that a failure can be made again from its number."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

from controldag.constraints import (
    Constraint,
    Length,
    TokenDictionary,
    WordList,
    all_of,
    any_of,
    contains,
    contains_tokens,
    in_order,
    pattern,
    token_vocabulary,
    vocabulary,
)
from controldag.constraints.required import with_required_entities
from controldag.errors import InvalidInput
from controldag.lattice import Lattice, make_lattice

PIECES: tuple[bytes, ...] = (
    *(b" a", b"a", b"ab", b"b", b" ", b"A", b" B", b"aa", b" ab", b" ba", b"b a"),
    *(b"\xc3", b"\xa9", b"\xc3\xa9", b"\xc3\x89", b" \xe2\x84\xaa", b"k", b"\xe2\x84", b"\xaa"),  # é, É, Kelvin sign
    *(b"'s", b"'", b".", b",", b"-", b"1", b" 12", b"2", b"th", b" pm", b"_", b"\xce\xa3", b"\xcf\x82"),  # Σ, ς
)

PENALTIES = (0.0, 0.5, 2.0, 9.0, 70.0, 1e5, 1e9)
"""Some so large that single precision has no room for the cost of a path beside them."""


@dataclass(frozen=True, slots=True)
class Case:
    """One lattice with what is asked of it."""

    seed: int
    lattice: Lattice
    constraint: Constraint | None
    length: Length | None

    def __str__(self) -> str:
        return "\n".join(
            [
                f"random_case({self.seed})",
                f"constraint: {self.constraint}",
                f"length: {self.length}",
                f"surfaces: {self.lattice.surfaces()}",
                *(
                    f"{v}: {emitted} -> {onward}"
                    for v, (emitted, onward) in enumerate(
                        zip(self.lattice.emissions(), self.lattice.transitions(), strict=True)
                    )
                ),
            ]
        )


def random_case(seed: int) -> Case:
    """The case of this number, what it requires among its vocabulary's entities: enumeration reads it as it stands."""
    case = raw_case(seed)
    return replace(case, constraint=with_required_entities(case.constraint))


def raw_case(seed: int) -> Case:
    """The case of this number, as a caller would give it: searches add what it requires to its vocabulary."""
    rng = Random(seed)
    lattice = random_lattice(rng)
    texts = [random_text(rng, lattice) for _ in range(3)]
    constraint = None if rng.random() < 0.03 else random_conjunction(rng, lattice, texts)
    return Case(seed, lattice, constraint, random_length(rng, lattice.vertices))


def random_lattice(rng: Random) -> Lattice:
    """At most 7 vertices, 3 tokens each, 3 arcs each; the last vertex can be reached."""
    while True:
        vertices = rng.choice((3, 4, 5, 6, 6, 7, 7))
        surfaces = rng.sample(PIECES, rng.randint(2, 9))
        if rng.random() < 0.2:
            surfaces.append(rng.choice(surfaces))  # two tokens of one surface
        last = vertices - 1
        emissions: list[list[tuple[int, float]]] = [[] for _ in range(vertices)]
        transitions: list[list[tuple[int, float]]] = [[] for _ in range(vertices)]
        for v in range(last):
            if v > 0 and rng.random() > 0.03:
                tokens = rng.sample(range(len(surfaces)), rng.randint(1, min(3, len(surfaces))))
                emissions[v] = [(token, random_cost(rng)) for token in tokens]
            onward = set(rng.sample(range(v + 1, vertices), rng.randint(1, min(3, last - v))))
            onward |= {v + 1} if rng.random() < 0.6 else set()
            transitions[v] = [(to, random_cost(rng)) for to in sorted(onward)[:3]]
        try:
            return make_lattice(emissions, transitions, surfaces)
        except InvalidInput:  # the end cannot be reached
            continue


def random_cost(rng: Random) -> float:
    """Zero and ties now and then."""
    return rng.choice((0.0, 0.5, 1.0, *(round(rng.uniform(0, 6), 4) for _ in range(6))))


def random_walk(rng: Random, lattice: Lattice) -> tuple[int, ...]:
    """The tokens of a path from the first vertex to the last; a few may end before."""
    emissions, transitions = lattice.emissions(), lattice.transitions()
    tokens: list[int] = []
    for _ in range(8):
        vertex, tokens = 0, []
        while transitions[vertex]:
            vertex = rng.choice(transitions[vertex])[0]
            if not emissions[vertex]:
                break
            tokens.append(rng.choice(emissions[vertex])[0])
        if vertex == lattice.vertices - 1 and tokens:
            break
    return tuple(tokens)


def random_text(rng: Random, lattice: Lattice) -> str:
    """The text of a random walk; never empty."""
    surfaces = lattice.surfaces()
    text = b"".join(surfaces[token] for token in random_walk(rng, lattice)).removeprefix(b" ").decode(errors="ignore")
    return text or "a"


def random_phrase(rng: Random, texts: list[str]) -> str:
    """Part of a text that the lattice holds, or something else; cases changed now and then."""
    text = rng.choice(texts)
    if rng.random() < 0.12:
        text = "".join(rng.choice("ab AB é1.'") for _ in range(3))
    begin = rng.randrange(len(text))
    phrase = text[begin : begin + rng.randint(1, 4)]
    return phrase.swapcase() if rng.random() < 0.15 else phrase


def random_leaf(rng: Random, lattice: Lattice, texts: list[str]) -> Constraint:
    """One constraint without `&`, `|`, `~`, except what `at_most` makes of it."""
    ignore_case, whole_word = rng.random() < 0.3, rng.random() < 0.3
    kind = rng.random()
    if kind < 0.5:
        at_least = rng.choice((0, 1, 1, 1, 1, 2, 3))
        at_most = rng.choice((None, None, at_least, at_least + 1)) if at_least else rng.randint(0, 2)
        return contains(
            random_phrase(rng, texts),
            ignore_case=ignore_case,
            whole_word=whole_word,
            own=rng.random() < 0.4,
            at_least=at_least,
            at_most=at_most,
        )
    phrases = [random_phrase(rng, texts) for _ in range(rng.randint(1, 3))]
    if kind < 0.6:
        return any_of(*phrases, ignore_case=ignore_case, whole_word=whole_word)
    if kind < 0.65:
        return in_order(*phrases, ignore_case=ignore_case, whole_word=whole_word)
    if kind < 0.76:
        return pattern(random_regex(rng, texts), full=rng.random() < 0.3, ignore_case=ignore_case)
    if kind < 0.9:
        return random_vocabulary(rng, texts)
    walk = random_walk(rng, lattice) or (0,)
    if kind < 0.95:
        begin = rng.randrange(len(walk))
        return contains_tokens(walk[begin : begin + rng.randint(1, 3)])
    words = [walk[i : i + rng.randint(1, 3)] for i in range(0, len(walk), rng.randint(1, 2))]
    names = [walk[: rng.randint(1, 3)]] if rng.random() < 0.5 else []
    return token_vocabulary(TokenDictionary(words), names)


def random_regex(rng: Random, texts: list[str], depth: int = 2) -> str:
    """Literal parts of the texts, classes, boundaries, alternatives and repetitions."""
    parts = []
    for _ in range(rng.randint(1, 3)):
        roll = rng.random()
        if depth and roll < 0.25:
            inner = [random_regex(rng, texts, depth - 1) for _ in range(rng.randint(1, 2))]
            part = f"({'|'.join(inner)})"
        elif roll < 0.6:
            part = re.escape(random_phrase(rng, texts)[:2])
        else:
            part = rng.choice((".", "[ab]", "[^a ]", r"\w", r"\d", r"\s", r"\W", "[a-cé]", "."))
        repeatable = len(part) == 1 or part[0] in "([" or part in (r"\w", r"\d", r"\s", r"\W")
        parts.append(part + (rng.choice(("", "", "*", "+", "?", "{2}", "{1,2}", "{0,}")) if repeatable else ""))
        parts.append(rng.choice(("", "", "", "", r"\b", "^", "$")))
    return "".join(parts)


def random_vocabulary(rng: Random, texts: list[str]) -> Constraint:
    """A vocabulary of words, entities and numbers that stand in the texts, some left out."""
    chunks = [chunk for text in texts for chunk in text.split(" ") if chunk and rng.random() < 0.8]
    words = [chunk.strip(".,'") if rng.random() < 0.7 else chunk for chunk in chunks] + ["a", "ab", "k"]
    entities = [" ".join(random_phrase(rng, texts).split()) for _ in range(rng.randint(0, 3))]
    licensed = rng.sample(("1", "12", "2", "1.2", "-1", "12th", "21"), rng.randint(0, 3))
    numbers = "any" if rng.random() < 0.5 else licensed
    punctuation = rng.choice((None, "", ".", "'.,", "-_é", "'s."))
    listed = WordList(words) if punctuation is None else WordList(words, punctuation)
    names = [e for e in entities if e]
    return vocabulary(listed, entities=names, numbers=numbers, genitives=rng.random() < 0.5)


def random_formula(rng: Random, lattice: Lattice, texts: list[str], depth: int) -> Constraint:
    """A leaf, or `&`, `|`, `~` of formulas."""
    kind = rng.random()
    if depth == 0 or kind < 0.55:
        return random_leaf(rng, lattice, texts)
    one = random_formula(rng, lattice, texts, depth - 1)
    if kind < 0.7:
        return ~one
    two = random_formula(rng, lattice, texts, depth - 1)
    return one | two if kind < 0.88 else one & two


def random_conjunction(rng: Random, lattice: Lattice, texts: list[str]) -> Constraint:
    """One to four formulas, some of them preferences; now and then several that need occurrences of their own."""
    members: list[Constraint] = []
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        member = random_formula(rng, lattice, texts, rng.choice((0, 0, 1, 2)))
        members.append(member.soft(rng.choice(PENALTIES)) if rng.random() < 0.2 else member)
    if rng.random() < 0.2:
        shared = rng.choice(texts)
        begins = [rng.randrange(len(shared)) for _ in range(rng.randint(2, 3))]
        options = {"ignore_case": rng.random() < 0.3, "whole_word": rng.random() < 0.3}
        members += [contains(shared[b : b + rng.randint(1, 3)], own=True, **options) for b in begins]
    rng.shuffle(members)
    if rng.random() < 0.5:
        return all_of(*members)
    together = members[0]
    for member in members[1:]:
        together = together & member
    return together


def random_length(rng: Random, vertices: int) -> Length | None:
    """None, bounds, a target with its strictness, a normalisation, or several of them."""
    if rng.random() < 0.4:
        return None
    hard, minimum, maximum, exact = rng.random(), None, None, None
    if hard < 0.2:
        exact = rng.randint(1, vertices)
    elif hard < 0.5:
        minimum = rng.choice((None, rng.randint(1, vertices)))
        maximum = rng.choice((None, rng.randint(minimum or 1, vertices)))
    target = rng.choice((None, rng.randint(1, vertices + 2), rng.uniform(1, vertices + 2)))
    strictness = rng.choice((0.0, 0.3, 1.0, 4.0))
    normalisation = rng.choice((0.0, 0.0, 0.5, 1.0, 2.0))
    return Length(target, strictness, minimum, maximum, exact, normalisation)
