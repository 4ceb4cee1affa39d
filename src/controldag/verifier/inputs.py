"""What the verifier's graph takes: arrays for one input and texts beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controldag.verifier.agreement import matches, relations
from controldag.verifier.arrays import Size, claim_array, claim_side, text_array, text_side
from controldag.verifier.graph import WITH_ABSENT, WITH_NOTHING
from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.lexicon import Lexicon, WordTable
from controldag.verifier.options import FARTHEST, NetworkOptions

Arrays = dict[str, NDArray[Any]]


def graph_inputs(claims: ClaimLayout, texts: Sequence[TextLayout], lexicon: Lexicon, options: NetworkOptions) -> Arrays:
    """By name, the inputs of `VerifierGraph`."""
    size = Size(max(1, *(len(text.words) for text in texts)), max(1, len(claims.words)), len(claims.starts))
    table = WordTable(lexicon)
    claimed, starts = claim_array([claims], size, table)
    read = text_array(texts, size, table)
    rows = table.array().astype(np.int64)
    asked, said = claim_side(claimed, starts, rows), text_side(read, rows)
    there, pieces = said.there, rows[:, 3:]
    spread = np.zeros(there.shape, np.int64)
    spread[there] = np.arange(1, there.sum() + 1)
    match = np.where(asked.there[:, None, :], matches(asked, said, np), WITH_ABSENT)[there]
    place = np.broadcast_to(np.minimum(np.arange(size.text), options.longest - 1), there.shape)
    found: Arrays = {
        "word": rows[:, 0],
        "pieces": pieces,
        "claim_word": asked.words.numbers[0],
        "field": asked.field[0],
        "head": asked.head[0],
        "claim_pair": 2 * _apart(size.claims) + (asked.claim[0, :, None] == asked.claim[0]),
        "spread": spread,
        "back": _behind_none(np.flatnonzero(there)),
        "text_word": _behind_none(said.words.numbers[there]),
        "in_value": _behind_none(said.value[there] > 0),
        "place": _behind_none(place[there]),
        "text_pair": _apart(size.text),
        "match": np.pad(match, ((1, 0), (1, 0)), constant_values=WITH_NOTHING),
        "start": starts[0] + 1,
        "relation": np.pad(relations(asked, said, np.arange(size.count), np), ((0, 0), (0, 0), (1, 0))),
    }
    share = 1 / np.maximum((pieces > 0).sum(1, keepdims=True), 1)
    found = {name: array.astype(np.int64) for name, array in found.items()}
    return found | {"share_of_piece": share.astype(np.float32)}


def _behind_none(numbers: NDArray[Any]) -> NDArray[Any]:
    """The numbers of all words behind 0, for the word that is none."""
    return np.concatenate([[0], numbers])


def _apart(length: int) -> NDArray[Any]:
    """The row of a table of distances for each pair of places."""
    places = np.arange(length)
    return np.clip(places[None] - places[:, None], -FARTHEST, FARTHEST) + FARTHEST
