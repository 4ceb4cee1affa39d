"""The verifier's network in the engine: what `network.py` computes, for one input and any texts, each as if alone.

Its weights are stored in eight bits and multiplied as such; what they are multiplied with is rounded to fifteen.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from controldag import _core
from controldag.runtime.tensors import Tensors
from controldag.verifier.agreement import MATCHES, RELATIONS
from controldag.verifier.claims import FIELDS
from controldag.verifier.judged import Judged
from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.lexicon import Lexicon, WordTable
from controldag.verifier.options import FARTHEST, NetworkOptions

_SIZES = ("embedding", "width", "heads", "layers", "judges", "longest")


class EngineNetwork:
    """Weights laid out once; several threads may ask at once."""

    def __init__(self, options: NetworkOptions, tensors: Tensors, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        sizes = {
            name: getattr(options, name) for name in ("embedding", "width", "heads", "layers", "judges", "longest")
        }
        weights = {name: tensors.take(name, *shape).reshape(-1) for name, shape in _shapes(options).items()}
        self._network = _core.VerifierNetwork(sizes, weights)

    def judge(self, claims: ClaimLayout, texts: Sequence[TextLayout]) -> Judged:
        """What it says of texts beside one input."""
        table = WordTable(self._lexicon)
        numbers = [table.number(word) for word in claims.words]
        claimed = (numbers, claims.fields, claims.claims, claims.values, claims.heads)
        said = [table.number(word) for text in texts for word in text.words]
        values = list(chain.from_iterable(text.values for text in texts))
        return Judged(
            *self._network.judge(
                table.array(),
                np.array(claimed, np.int32),
                np.array(claims.starts, np.int32),
                np.array((said, values), np.int32),
                np.array([len(text.words) for text in texts], np.int32),
            )
        )


def _shapes(options: NetworkOptions) -> dict[str, tuple[int, ...]]:
    """By name, the shape of every tensor that judging needs."""
    width, heads, size = options.width, options.heads, options.embedding
    shapes: dict[str, tuple[int, ...]] = {
        "word.weight": (options.vocabulary, size),
        "piece.weight": (options.buckets + 1, size),
        "field.weight": (FIELDS, width),
        "head.weight": (options.act_names, width),
        "in_value.weight": (2, width),
        "place.weight": (options.longest, width),
        "nothing": (2, width),
        "whole": (1, 1, width),
    }
    linear = {"widen": (width, size), "verdict": (3, width), "overall": (2, width), "odd": (2, width)}
    norms = ["claims_norm", "text_norm", "last_norm"]
    layers = [(f"blocks.{number}.", options.inner) for number in range(options.layers)]
    judges = [(f"judges.{number}.", width) for number in range(options.judges)]
    for part, inner in layers + judges:
        norms += [f"{part}norms.{number}" for number in range(3)]
        for kind in ("attend", "look"):
            linear[f"{part}{kind}.key_value"] = (2 * width, width)
            linear |= {f"{part}{kind}.{name}": (width, width) for name in ("query", "out")}
        linear |= {f"{part}feed.up": (inner, width), f"{part}feed.down": (width, inner)}
    for part, _ in layers:
        tables = {"distances": 2 * FARTHEST + 1, "same_claim": 2, "matches": MATCHES}
        shapes |= {part + name: (kinds, heads) for name, kinds in tables.items()}
    for part, _ in judges:
        shapes[part + "relations"] = (RELATIONS, heads)
        linear[part + "mass"] = (width, heads * RELATIONS)
    for name, shape in linear.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    for name in norms:
        shapes |= {f"{name}.weight": (width,), f"{name}.bias": (width,)}
    return shapes
