"""A checkpoint's n-gram model: a file of arrays, and the weights that the search adds to a path's cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from controldag.data.value_marks import MarkedValues
from controldag.errors import DataError
from controldag.files import atomic_write
from controldag.runtime.tensors import SPOILT, Array, read_arrays
from controldag.search.weights import NgramWeights, Table
from controldag.text.mark_tokens import MarkTokens
from controldag.text.ngram_model import NgramModel

FILE = "ngrams.npz"
_LONGEST = 8
"""Tokens of an n-gram, as `text.ngram_model.estimate` has it."""
_REMEDY = "Make it again with `controldag package`."


def save_ngrams(model: NgramModel, path: str | Path) -> None:
    """Writes the model: by order, token ids and costs of n-grams (`n1`, `c1`, …) and of contexts (`m1`, `b1`, …)."""
    arrays: dict[str, np.ndarray] = {"order": np.array(model.order), "unknown": np.array(model.unknown)}
    if model.kinds:
        arrays["kinds"] = np.array(True)
    if model.aliases:
        arrays["aliases"] = np.array(sorted(model.aliases.items()), np.uint16)
    for ids, costs, table in (("n", "c", model.costs), ("m", "b", model.backoffs)):
        for order in range(1, model.order + 1):
            rows = sorted(ngram for ngram in table if len(ngram) == order)
            arrays[f"{ids}{order}"] = np.array(rows, np.uint16).reshape(len(rows), order)
            # Three digits are enough for a cost, and half of the file.
            arrays[f"{costs}{order}"] = np.array([table[ngram] for ngram in rows], np.float16)
    with atomic_write(path) as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def load_ngrams(path: str | Path) -> NgramModel:
    """The model in a file that `save_ngrams` wrote."""
    stored = _read(path)
    costs, backoffs = (
        {tuple(row): cost for rows, added in tables for row, cost in zip(rows.tolist(), added.tolist(), strict=True)}
        for tables in (stored.costs, stored.backoffs)
    )
    return NgramModel(stored.order, costs, backoffs, stored.unknown, stored.aliases, stored.kinds)


def load_weights(path: str | Path, scale: float) -> LanguageWeights:
    """What the search adds by the model in that file, times `scale`."""
    stored = _read(path)
    weights = NgramWeights.of_tables(
        stored.costs, stored.backoffs, unknown=stored.unknown, scale=scale, aliases=stored.aliases
    )
    return LanguageWeights(weights, stored.kinds)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What a file holds: an `NgramModel` as arrays."""

    order: int
    costs: list[Table]
    backoffs: list[Table]
    unknown: float
    aliases: dict[int, int]
    kinds: bool


def _read(path: str | Path) -> _Stored:
    arrays = read_arrays(path, remedy=_REMEDY)
    try:
        order = _order(arrays)
        costs, backoffs = (_tables(arrays, order, ids, values) for ids, values in (("n", "c"), ("m", "b")))
        aliases = arrays["aliases"].reshape(-1, 2).tolist() if "aliases" in arrays else []
        unknown, known_as = float(arrays["unknown"]), {int(token): int(other) for token, other in aliases}
        if not np.isfinite([unknown, *(each.sum() for _, each in (*costs, *backoffs))]).all():
            raise ValueError("a cost is infinite, or no number")
        return _Stored(order, costs, backoffs, unknown, known_as, "kinds" in arrays)
    except SPOILT as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy=_REMEDY) from error


def _order(arrays: Mapping[str, Array]) -> int:
    order = int(arrays["order"])
    if not 1 <= order <= _LONGEST:
        raise ValueError(f"n-grams of up to {order} tokens, not of 1 to {_LONGEST}")
    return order


@dataclass(frozen=True, slots=True)
class LanguageWeights:
    """What a checkpoint's n-gram model adds, for any request. kinds: as the model has it."""

    weights: NgramWeights
    kinds: bool

    def of(self, marks: MarkTokens, values: MarkedValues) -> NgramWeights:
        """The weights of one request, whose marks stand for these values."""
        return self.weights.seen_as(marks.kinds(values)) if self.kinds else self.weights


def _tables(arrays: Mapping[str, Array], order: int, ids: str, values: str) -> list[Table]:
    tables = []
    for n in range(1, order + 1):
        rows, costs = arrays[f"{ids}{n}"], arrays[f"{values}{n}"].astype(np.float32).reshape(-1)
        if len(rows) != len(costs):
            raise ValueError(f"{len(rows)} n-grams of {n} tokens, but {len(costs)} costs")
        tables.append((rows.astype(np.int64).reshape(len(rows), n), costs))
    return tables
