"""Two n-gram models as one: what a language says in general, and what it says here."""

from __future__ import annotations

import math
from collections import defaultdict

from controldag.errors import InvalidInput
from controldag.text.ngram_model import Ngram, NgramModel

_LEAST = 1e-6  # probability that a context always leaves to tokens that are not listed after it


def mixed(first: NgramModel, second: NgramModel, share: float) -> NgramModel:
    """The model with p = share · p(first) + (1 - share) · p(second) for every n-gram that either lists.

    Others back off as in any such model, with weights under which a context's probabilities sum to one at most. Both
    must be over the same token ids.
    """
    if first.aliases != second.aliases:
        raise InvalidInput.of("first, second", "count the same tokens as one", (first.aliases, second.aliases))
    if first.kinds != second.kinds:
        raise InvalidInput.of("first, second", "take marks for the same", (first.kinds, second.kinds))
    if not 0 <= share <= 1:
        raise InvalidInput.of("share", "be between 0 and 1", share)

    def mix(context: Ngram, token: int) -> float:
        one, other = math.exp(-first.cost(context, token)), math.exp(-second.cost(context, token))
        return share * one + (1 - share) * other

    listed = first.costs.keys() | second.costs.keys()
    probabilities = {ngram: mix(ngram[:-1], ngram[-1]) for ngram in listed}
    after: defaultdict[Ngram, list[Ngram]] = defaultdict(list)
    for ngram in probabilities:
        after[ngram[:-1]].append(ngram)
    unknown = share * math.exp(-first.unknown) + (1 - share) * math.exp(-second.unknown)
    made = NgramModel(
        max(first.order, second.order),
        {ngram: -math.log(value) for ngram, value in probabilities.items()},
        {},
        unknown=-math.log(unknown),
        aliases=first.aliases,
        kinds=first.kinds,
    )
    # Shorter contexts first: what a context leaves is spread as the next shorter one spreads it.
    for context in sorted(after.keys() - {()}, key=len):
        said = sum(probabilities[ngram] for ngram in after[context])
        said_by_shorter = sum(math.exp(-made.cost(context[1:], ngram[-1])) for ngram in after[context])
        left, left_by_shorter = max(_LEAST, 1 - said), max(_LEAST, 1 - said_by_shorter)
        # The search takes no negative costs; where one is due, a context's sum stays a little below one.
        made.backoffs[context] = max(0.0, math.log(left_by_shorter / left))
    return made
