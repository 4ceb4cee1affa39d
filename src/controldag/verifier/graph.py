"""The verifier's network as a graph for the runtime: what `network.py` computes, for one input and any texts.

Texts differ in length. Their words stand in one row of N, behind one that is none; only where words of a text look at
each other, and claims at a text, each text has a row of its own, of the longest one's length.

Shapes: W different words, S words and A claims of the input, B texts of at most T words, H heads, C = width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from controldag.runtime.graph import Floats, Graph, Precision
from controldag.runtime.tensors import Tensors
from controldag.verifier.agreement import MATCHES, RELATIONS
from controldag.verifier.claims import FIELDS
from controldag.verifier.options import FARTHEST, NetworkOptions
from controldag.verifier.words import PIECES_PER_WORD

# Beside the ways in which words agree: a word and the claims' state for *nothing*, and one that is not there.
WITH_NOTHING, WITH_ABSENT = MATCHES, MATCHES + 1
# Added to the score of a word that is not there, and what it says of a text, as in `network.py`.
_ABSENT, _ABSENT_ODD = -30000.0, -30.0
# Of the layer norms, as in torch.
_EPSILON = 1e-5


class VerifierGraph:
    """Puts the graph together; the inputs are those that `inputs.py` gives."""

    def __init__(self, options: NetworkOptions, tensors: Tensors, precision: Precision) -> None:
        self.options, self.tensors, self.graph = options, tensors, Graph(precision)
        self.width, self.heads = options.width, options.heads
        self.blocks = [f"blocks.{number}." for number in range(options.layers)]
        self.judges = [f"judges.{number}." for number in range(options.judges)]
        self.nothing = tensors.take("nothing", 2, self.width)
        # Where in the row of all words each text's words stand (0: there is none), and the way back.
        self.spread = self.graph.input("spread", "int64", ["B", "T"])
        self.back = self.graph.input("back", "int64", ["1 + N"])
        self.there = self.graph("Greater", self.spread, self.graph.constant(0))

    def model(self) -> bytes:
        """The graph as a file: logits of claims [B, A, 3] and of *extra* and *broken* [B, 2], places [B, A, T]."""
        words = self._words()
        states = self._claims(words)
        claims, overall, places = self._verdicts(states, self._texts(words, states))
        return self.graph.model({"claims": claims, "overall": overall, "places": places})

    def _words(self) -> str:
        """States [W, C] of the different words, each spelled once."""
        graph, size = self.graph, self.options.embedding
        pieces = graph.input("pieces", "int64", ["W", PIECES_PER_WORD])
        spelled = self._look_up("piece.weight", (self.options.buckets + 1, size), pieces)
        spelled = graph("ReduceSum", spelled, graph.constant([1]), keepdims=0)
        spelled = graph("Mul", spelled, graph.input("share_of_piece", "float32", ["W", 1]))
        known = self._look_up("word.weight", (self.options.vocabulary, size), graph.input("word", "int64", ["W"]))
        return self._linear(graph("Add", known, spelled), "widen", (self.width, size))

    def _claims(self, words: str) -> str:
        """States [1 + S, C]: one for *nothing*, then those of the claims' words."""
        graph = self.graph
        x = graph("Gather", words, graph.input("claim_word", "int64", ["S"]))
        for name, count in (("field", FIELDS), ("head", self.options.act_names)):
            index = graph.input(name, "int64", ["S"])
            x = graph("Add", x, self._look_up(f"{name}.weight", (count, self.width), index))
        # By distance and by whether both words are of one claim: a row for each pair of the two.
        tables = [
            (self._distances(block)[:, None] + self.tensors.take(block + "same_claim", 2, self.heads)).reshape(
                -1, self.heads
            )
            for block in self.blocks
        ]
        biases = self._biases(tables, graph.input("claim_pair", "int64", ["S", "S"]))
        for block, bias in zip(self.blocks, biases, strict=True):
            found = self._attention(map(self._one, self._queries_keys_values(x, block)), bias)
            x = self._feed(self._added(x, self._flat(found), block), block, self.options.inner)
        return graph("Concat", graph.constant(self.nothing[:1]), self._norm(x, "claims_norm"), axis=0)

    def _texts(self, words: str, states: str) -> str:
        """States [1 + N, C]: one for *nothing*, then those of the texts' words."""
        graph, width = self.graph, self.width
        x = graph("Gather", words, graph.input("text_word", "int64", ["1 + N"]))
        for name, count in (("in_value", 2), ("place", self.options.longest)):
            index = graph.input(name, "int64", ["1 + N"])
            x = graph("Add", x, self._look_up(f"{name}.weight", (count, width), index))
        near = self._biases(list(map(self._distances, self.blocks)), graph.input("text_pair", "int64", ["T", "T"]))
        seen = self._biases(list(map(self._matches, self.blocks)), graph.input("match", "int64", ["1 + N", "1 + S"]))
        absent = self._absent()
        sources = self._keys_values(states, self.blocks)
        for block, near_bias, seen_bias, source in zip(self.blocks, near, seen, sources, strict=True):
            own = (graph("Gather", each, self.spread) for each in self._queries_keys_values(x, block))
            found = self._flat(self._attention(own, graph("Add", near_bias, absent)))
            x = self._added(x, graph("Gather", found, self.back), block)
            found = self._attention(map(self._one, (self._query(x, block), *source)), seen_bias)
            x = graph("Add", x, self._linear(self._flat(found), block + "look.out", (width, width)))
            x = self._feed(x, block, self.options.inner)
        text = self._cut(self._norm(x, "text_norm"), 0, 1)[1]
        return graph("Concat", graph.constant(self.nothing[1:]), text, axis=0)

    def _verdicts(self, states: str, text: str) -> tuple[str, str, str]:
        graph, width = self.graph, self.width
        asked = graph("Gather", states, graph.input("start", "int64", ["A"]))
        asked = graph("Concat", asked, graph.constant(self.tensors.take("whole", 1, 1, width)[0]), axis=0)
        texts = graph("Gather", graph("Shape", self.spread), graph.constant([0]))
        # The questions of all texts stand in one row, too.
        apart = graph("Concat", texts, graph("Shape", asked), axis=0)
        x = self._flat(graph("Expand", self._one(asked), apart))
        relation = graph.input("relation", "int64", ["B", "A + 1", "1 + T"])
        # *Nothing* stands before the words of every text.
        looked_at = graph("Pad", self.spread, graph.constant([0, 1, 0, 0]))
        absent = graph("Pad", self._absent(), graph.constant([0, 0, 0, 1, 0, 0, 0, 0]))
        weights = ""
        for judge, source in zip(self.judges, self._keys_values(text, self.judges), strict=True):
            keys, values = (graph("Gather", each, looked_at) for each in source)
            x, weights = self._judged(x, judge, apart, (keys, values), relation, absent)
        x = self._norm(x, "last_norm")
        claims = self._cut(self._apart(self._linear(x, "verdict", (3, width)), texts, 3), 1, -1)[0]
        overall = self._cut(self._apart(self._linear(x, "overall", (2, width)), texts, 2), 1, -1)[1]
        overall = graph("Squeeze", overall, graph.constant([1]))
        odd = graph("Gather", self._linear(text, "odd", (2, width)), self.spread)
        odd = graph("Where", self._unsqueezed(self.there, 2), odd, graph.constant(np.float32(_ABSENT_ODD)))
        odd = graph("ReduceMax", odd, graph.constant([1]), keepdims=0)
        places = graph("ReduceMean", weights, graph.constant([1]), keepdims=0)
        places = self._cut(self._cut(places, 1, -1)[0], 2, 1)[1]
        return claims, graph("Add", overall, odd), places

    def _judged(
        self, x: str, judge: str, apart: str, source: tuple[str, str], relation: str, absent: str
    ) -> tuple[str, str]:
        """The claims' questions after one layer, and where they looked [B, H, A + 1, 1 + T]."""
        graph, width, heads = self.graph, self.width, self.heads
        own = (graph("Reshape", each, apart) for each in self._queries_keys_values(x, judge))
        x = self._added(x, self._flat(self._attention(own)), judge)
        by_head = graph.constant([0, 0, heads, width // heads])
        query = graph("Reshape", self._query(x, judge), apart)
        query, key, value = (graph("Reshape", each, by_head) for each in (query, *source))
        scores = graph("MatMul", self._order(query, 0, 2, 1, 3), self._order(key, 0, 2, 3, 1))
        scores = graph("Mul", scores, graph.constant(np.float32((width // heads) ** -0.5)))
        bias = self._look_up(judge + "relations", (RELATIONS, heads), relation)
        scores = graph("Add", graph("Add", scores, self._order(bias, 0, 3, 1, 2)), absent)
        weights = graph("Softmax", scores, axis=-1)
        found = graph("MatMul", weights, self._order(value, 0, 2, 1, 3))
        found = self._flat(self._order(found, 0, 2, 1, 3))
        kinds = graph("OneHot", relation, graph.constant(RELATIONS), graph.constant(np.array([0, 1], np.float32)))
        mass = graph("MatMul", self._order(weights, 0, 2, 1, 3), kinds)
        mass = graph("Reshape", mass, graph.constant([-1, heads * RELATIONS]))
        x = graph("Add", x, self._linear(found, judge + "look.out", (width, width)))
        x = graph("Add", x, self._linear(mass, judge + "mass", (width, heads * RELATIONS)))
        return self._feed(x, judge, width), weights

    def _queries_keys_values(self, x: str, part: str) -> list[str]:
        """Of the words' attention to each other: one product for the three."""
        weight, offset = self._weight(part + "attend.query", (self.width, self.width))
        weights, offsets = self._key_value(part + "attend.")
        joint = np.concatenate([weight, *weights]), np.concatenate([offset, *offsets])
        return self.graph.split(self.graph.linear(self._norm(x, part + "norms.0"), *joint), [self.width] * 3)

    def _added(self, x: str, found: str, part: str) -> str:
        """x and what the words found by attention to each other."""
        return self.graph("Add", x, self._linear(found, part + "attend.out", (self.width, self.width)))

    def _attention(self, parts: Iterable[str], bias: str = "") -> str:
        """Of queries, keys and values."""
        return self.graph.attention(tuple(parts), self.heads, (self.width // self.heads) ** -0.5, bias)

    def _feed(self, x: str, part: str, inner: int) -> str:
        """x and what its feed-forward layer adds."""
        up = self._linear(self._norm(x, part + "norms.2"), part + "feed.up", (inner, self.width))
        return self.graph("Add", x, self._linear(self.graph("Gelu", up), part + "feed.down", (self.width, inner)))

    def _query(self, x: str, part: str) -> str:
        return self._linear(self._norm(x, part + "norms.1"), part + "look.query", (self.width, self.width))

    def _keys_values(self, x: str, parts: Sequence[str]) -> list[tuple[str, str]]:
        """The keys and values by which each part looks at x: one product for all."""
        weights, offsets = zip(*(self._key_value(part + "look.") for part in parts), strict=True)
        joint = self.graph.linear(x, np.concatenate(sum(weights, ())), np.concatenate(sum(offsets, ())))
        found = self.graph.split(joint, [self.width] * 2 * len(parts))
        return list(zip(found[::2], found[1::2], strict=True))

    def _key_value(self, part: str) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Weights and offsets of keys and of values, which are stored head by head, key beside value."""
        weight, offset = self._weight(part + "key_value", (2 * self.width, self.width))
        by_head = weight.reshape(self.heads, 2, -1, self.width)
        offsets = offset.reshape(self.heads, 2, -1)
        key, value = (by_head[:, place].reshape(self.width, self.width) for place in (0, 1))
        return (key, value), (offsets[:, 0].reshape(-1), offsets[:, 1].reshape(-1))

    def _distances(self, block: str) -> Floats:
        return self.tensors.take(block + "distances", 2 * FARTHEST + 1, self.heads)

    def _matches(self, block: str) -> Floats:
        table = self.tensors.take(block + "matches", MATCHES, self.heads)
        more = np.zeros((2, self.heads), np.float32)
        more[WITH_ABSENT - MATCHES] = _ABSENT
        return np.concatenate([table, more])

    def _biases(self, tables: Sequence[Floats], index: str) -> list[str]:
        """For each layer a bias [1, H, X, Y] from its table [kinds, H] and `index` [X, Y]."""
        graph = self.graph
        # Whole rows are looked up, then turned round: numbers one by one would take ten times as long.
        rows = graph("Gather", graph.constant(np.concatenate(tables, 1)), graph("Reshape", index, graph.constant([-1])))
        shape = graph("Concat", graph.constant([len(tables), self.heads]), graph("Shape", index), axis=0)
        stacked = graph("Reshape", graph("Transpose", rows, perm=(1, 0)), shape)
        return graph.split(stacked, [1] * len(tables), axis=0)

    def _absent(self) -> str:
        """[B, 1, 1, T]"""
        values = (self.graph.constant(np.float32(each)) for each in (0.0, _ABSENT))
        return self._unsqueezed(self.graph("Where", self.there, *values), 1, 2)

    def _norm(self, x: str, name: str) -> str:
        weight, offset = (self.tensors.take(f"{name}.{part}", self.width) for part in ("weight", "bias"))
        parts = (self.graph.constant(weight), self.graph.constant(offset))
        return self.graph("LayerNormalization", x, *parts, epsilon=_EPSILON)

    def _linear(self, x: str, name: str, shape: tuple[int, int]) -> str:
        return self.graph.linear(x, *self._weight(name, shape))

    def _weight(self, name: str, shape: tuple[int, int]) -> tuple[Floats, Floats]:
        return self.tensors.take(f"{name}.weight", *shape), self.tensors.take(f"{name}.bias", shape[0])

    def _look_up(self, name: str, shape: tuple[int, int], index: str) -> str:
        return self.graph("Gather", self.graph.constant(self.tensors.take(name, *shape)), index)

    def _cut(self, x: str, axis: int, place: int) -> tuple[str, str]:
        """What stands before a place of an axis, and what stands from there on."""
        first, middle, last = (self.graph.constant([each]) for each in (0, place, np.iinfo(np.int64).max))
        where = self.graph.constant([axis])
        return self.graph("Slice", x, first, middle, where), self.graph("Slice", x, middle, last, where)

    def _order(self, x: str, *axes: int) -> str:
        return self.graph("Transpose", x, perm=axes)

    def _one(self, x: str) -> str:
        """[N, C] as a batch of one."""
        return self._unsqueezed(x, 0)

    def _flat(self, x: str) -> str:
        """A batch's words in one row."""
        return self.graph("Reshape", x, self.graph.constant([-1, self.width]))

    def _apart(self, x: str, texts: str, size: int) -> str:
        """[B · N, size] as [B, N, size]."""
        return self.graph("Reshape", x, self.graph("Concat", texts, self.graph.constant([-1, size]), axis=0))

    def _unsqueezed(self, x: str, *axes: int) -> str:
        return self.graph("Unsqueeze", x, self.graph.constant(list(axes)))
