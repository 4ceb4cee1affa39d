"""An n-gram language model over token ids, estimated from text: interpolated Kneser–Ney, written as a back-off model.

Interpolation is folded in: p(w | c) of a seen n-gram already holds its share of the shorter contexts, and an unseen one
is gamma(c) * p(w | shorter c). That is what a search needs: a cost for every seen n-gram and one for backing off.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from controldag.errors import InvalidInput

Ngram = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Costs (-log p) of n-grams, back-off costs (-log gamma) of contexts, and the cost of an unknown token.

    aliases: tokens that count as another one, in contexts too: tables and costs know the other alone.
    kinds: value marks stand for kinds of values (`MarkTokens.kinds`); each request tells which of its marks is what.
    """

    order: int
    costs: dict[Ngram, float]
    backoffs: dict[Ngram, float]
    unknown: float
    aliases: Mapping[int, int] = field(default_factory=dict)
    kinds: bool = False

    def cost(self, context: Sequence[int], token: int) -> float:
        """-log p(token | context): the slow, obvious reading that the engine's automaton must agree with."""
        last = tuple(context)[max(0, len(context) - self.order + 1) :]
        known, token = tuple(self.aliases.get(each, each) for each in last), self.aliases.get(token, token)
        spent = 0.0
        while True:
            found = self.costs.get((*known, token))
            if found is not None:
                return spent + found
            if not known:
                return spent + self.unknown
            spent += self.backoffs.get(known, 0.0)
            known = known[1:]


def estimate(
    sentences: Iterable[Sequence[int]],
    *,
    order: int = 3,
    vocabulary: int,
    least: int = 1,
    aliases: Mapping[int, int] | None = None,
) -> NgramModel:
    """The model of the given token sequences; `vocabulary` is the number of token ids that can occur.

    Of three tokens and more, n-grams that were counted fewer than `least` times are not listed: what they cost is
    then found by backing off, a little too much, in a model several times smaller.

    One absolute discount per order (n1 / (n1 + 2 n2)); lower orders count in how many contexts a token was seen
    (Kneser–Ney); what unigrams leave goes to all tokens evenly.
    """
    if not 1 <= order <= 8:
        raise InvalidInput.of("order", "be between 1 and 8", order)
    if vocabulary < 1:
        raise InvalidInput.of("vocabulary", "be at least 1", vocabulary)
    known_as = dict(aliases or {})
    highest: Counter[Ngram] = Counter()
    shorter: Counter[Ngram] = Counter()  # n-grams at the beginning of a sentence, which nothing precedes
    for sentence in sentences:
        tokens = tuple(known_as.get(token, token) for token in sentence)
        for end in range(1, len(tokens) + 1):
            ngram = tokens[max(0, end - order) : end]
            (highest if len(ngram) == order else shorter)[ngram] += 1
    counts = _continuation_counts(highest, shorter, order)
    costs: dict[Ngram, float] = {}
    backoffs: dict[Ngram, float] = {}
    probabilities: dict[Ngram, float] = {(): 1.0 / vocabulary}
    for n in range(1, order + 1):
        _add_order(n, counts[n], probabilities, costs, backoffs)
    rare = [ngram for n in range(3, order + 1) for ngram, count in counts[n].items() if count < least]
    for ngram in rare:
        del costs[ngram]
    # A context is of use while an n-gram that begins with it is listed.
    contexts = {ngram[:-1] for ngram in costs}
    backoffs = {context: cost for context, cost in backoffs.items() if context in contexts}
    left = backoffs.pop((), 0.0)
    return NgramModel(order, costs, backoffs, unknown=left + math.log(vocabulary), aliases=known_as)


def _continuation_counts(highest: Counter[Ngram], starts: Counter[Ngram], order: int) -> dict[int, Counter[Ngram]]:
    """By order: real counts at the top and at sentence starts, below it the number of distinct preceding tokens."""
    counts: dict[int, Counter[Ngram]] = {n: Counter() for n in range(1, order + 1)}
    counts[order] = highest
    for ngram, count in starts.items():
        counts[len(ngram)][ngram] += count
    for n in range(order, 1, -1):
        for ngram in counts[n]:
            counts[n - 1][ngram[1:]] += 1
    return counts


def _add_order(
    n: int,
    counts: Counter[Ngram],
    probabilities: dict[Ngram, float],
    costs: dict[Ngram, float],
    backoffs: dict[Ngram, float],
) -> None:
    """Adds the n-grams of one order: p = (count - discount) / total + gamma * p(shorter)."""
    once = sum(1 for count in counts.values() if count == 1)
    twice = sum(1 for count in counts.values() if count == 2)
    discount = once / (once + 2 * twice) if once and twice else 0.5
    totals: defaultdict[Ngram, int] = defaultdict(int)
    kinds: defaultdict[Ngram, int] = defaultdict(int)
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
        kinds[ngram[:-1]] += 1
    gammas = {context: discount * kinds[context] / totals[context] for context in totals}
    for ngram, count in counts.items():
        context = ngram[:-1]
        lower = _shorter_probability(ngram[1:], probabilities, backoffs) if n > 1 else probabilities[()]
        probability = (count - discount) / totals[context] + gammas[context] * lower
        probabilities[ngram] = probability
        costs[ngram] = -math.log(probability)
    for context, gamma in gammas.items():
        backoffs[context] = -math.log(gamma)


def _shorter_probability(ngram: Ngram, probabilities: dict[Ngram, float], backoffs: dict[Ngram, float]) -> float:
    """p of an n-gram of a lower order, which every suffix of a seen n-gram is."""
    spent = 0.0
    while ngram not in probabilities:
        spent += backoffs.get(ngram[:-1], 0.0)
        ngram = ngram[1:]
    return probabilities[ngram] * math.exp(-spent)
