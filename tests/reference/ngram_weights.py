"""Random n-gram weights, added up token by token, against the engine's automaton of contexts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random

from controldag.search.exact import DEFAULT_LIMITS, Limits, best_strings
from controldag.search.weights import Ngram, NgramWeights

from .cases import Case, random_walk
from .compare import bounds_of, close
from .enumeration import accepted

PathWeight = Callable[[tuple[int, ...]], float]


def gain_weight(gains: dict[Ngram, float], tokens: tuple[int, ...]) -> float:
    """Minus the gains of all occurrences."""
    return -sum(
        gain * sum(tokens[i : i + len(ngram)] == ngram for i in range(len(tokens) - len(ngram) + 1))
        for ngram, gain in gains.items()
    )


def model_cost(
    costs: dict[Ngram, float], backoffs: dict[Ngram, float], unknown: float, context: Ngram, token: int
) -> float:
    """-log p of a token after a context, the usual way: the n-gram's own, or back off and forget the oldest token."""
    if (*context, token) in costs:
        return costs[(*context, token)]
    if not context:
        return unknown
    return backoffs.get(context, 0.0) + model_cost(costs, backoffs, unknown, context[1:], token)


def random_weights(rng: Random, case: Case) -> tuple[NgramWeights, PathWeight]:
    """Gains or a back-off model over n-grams of the lattice, sometimes with tokens that count as others."""
    weights, weigh = _plain_weights(rng, case)
    if rng.random() < 0.6:
        return weights, weigh
    tokens = sorted({token for _ in range(4) for token in random_walk(rng, case.lattice) or (0,)})
    aliases = {token: rng.choice(tokens) for token in tokens if rng.random() < 0.4}
    return weights.seen_as(aliases), lambda said: weigh(tuple(aliases.get(token, token) for token in said))


def _plain_weights(rng: Random, case: Case) -> tuple[NgramWeights, PathWeight]:
    """Of the engine, and by a slow look-up."""
    ngrams: set[Ngram] = set()
    for _ in range(rng.randint(1, 6)):
        walk = random_walk(rng, case.lattice) or (0,)
        begin = rng.randrange(len(walk))
        ngrams.add(walk[begin : begin + rng.randint(1, 5)])
    ordered = sorted(ngrams)
    if rng.random() < 0.5:
        gains = {ngram: rng.uniform(-1, 3) for ngram in ordered}
        return NgramWeights.gains(gains), lambda tokens: gain_weight(gains, tokens)
    # A back-off model lists every beginning of its n-grams, as ARPA files do.
    listed = sorted({ngram[:n] for ngram in ordered for n in range(1, len(ngram) + 1)})
    costs = {ngram: rng.uniform(0, 4) for ngram in listed}
    backoffs = {ngram: rng.uniform(0, 1) for ngram in listed if rng.random() < 0.7}
    unknown, scale = rng.uniform(2, 6), rng.choice((0.3, 1.0))

    def weigh(tokens: tuple[int, ...]) -> float:
        # Contexts longer than any listed one change nothing: back-off weights of unlisted contexts are 0.
        return scale * sum(model_cost(costs, backoffs, unknown, tokens[:i], token) for i, token in enumerate(tokens))

    return NgramWeights.language_model(costs, backoffs, unknown=unknown, scale=scale), weigh


def weights_faults(case: Case, n: int = 4) -> list[str]:
    """What is wrong with searches that add n-gram weights; lengths are bounds only, since costs may be negative."""
    case = replace(case, length=bounds_of(case.length))
    weights, weigh = random_weights(Random(case.seed), case)
    least: dict[bytes, float] = {}
    for reading, extra in accepted(case.lattice, case.constraint, case.length):
        cost = reading.cost + extra + weigh(reading.tokens)
        least[reading.text] = min(cost, least.get(reading.text, cost))
    expected = sorted(least.values())[:n]
    faults = []
    for wanted, limits in product((1, n), (DEFAULT_LIMITS, Limits(sharpen_after=0, closure_states=8))):
        found = best_strings(
            case.lattice, case.constraint, length=case.length, n_best=wanted, weights=weights, limits=limits
        )
        objectives = [each.objective for each in found]
        if len(objectives) != len(expected[:wanted]) or not all(map(close, objectives, expected[:wanted])):
            how = f"n_best={wanted}, sharpen_after={limits.sharpen_after}"
            faults.append(f"n-gram weights, {how}: objectives {objectives}, should be {expected[:wanted]}")
    return faults
