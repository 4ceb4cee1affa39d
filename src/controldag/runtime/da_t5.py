"""DA-T5 as a graph for the runtime, for one input at a time: what `model.definition` computes, arranged to be fast.

Queries, keys and values are one product; features and links, linear in the same input, are one as well. What depends
on positions alone stands in tables, from which each run is given the part that it needs.

Shapes: N source tokens, L vertices, P positions that there are, H heads, C = d_model, V tokens, K tokens a vertex.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag.runtime.graph import Graph, Precision
from controldag.runtime.sizes import DagOptions
from controldag.runtime.tensors import Floats, Tensors

# Stands for minus infinity inside a softmax over links. As in `model/definition/links.py`.
_FAR = -1e5


@dataclass(frozen=True, slots=True)
class DagTables:
    """What the inputs of a run come from."""

    vertices: Floats  # [P, C] what the decoder reads at each vertex, but for copies of the source
    last_vertex: Floats  # [C] what the last one has beside
    source_bias: Floats  # [H, 2P − 1] of a key that stands so far behind its query, from −(P − 1) on
    vertex_bias: Floats  # [H, 2P − 1]
    offsets: Floats  # [P, 3C + link heads] added to features, queries, keys and gates of the links


def dag_model(options: DagOptions, tensors: Tensors, precision: Precision) -> tuple[bytes, DagTables]:
    """The graph of these sizes and weights as a file, and its tables; InvalidInput where they do not fit each other."""
    made = _Builder(options, tensors, precision).model()
    tensors.check_all_taken()
    return made


class _Builder:
    def __init__(self, options: DagOptions, tensors: Tensors, precision: Precision) -> None:
        self.options, self.tensors, self.graph = options, tensors, Graph(precision)
        self.width, self.inner = options.d_model, options.num_heads * options.d_kv
        self.embedding = tensors.take("embedding.weight", options.vocab_size, self.width)
        self.decoder = [f"decoder_blocks.{number}." for number in range(options.num_decoder_layers)]

    def model(self) -> tuple[bytes, DagTables]:
        graph, options = self.graph, self.options
        embedded = graph("Gather", graph.constant(self.embedding), graph.input("ids", "int64", ["N"]))
        y = self._vertices(embedded)
        bias = graph.input("vertex_bias", "float32", [1, options.num_heads, "L", "L"])
        for block, source in zip(self.decoder, self._encoded(embedded), strict=True):
            y = self._attend(y, block + "self_", bias)
            y = self._attend(y, block + "cross_", source=source)
            y = self._feed(y, block)
        weight, offsets = self._last()
        last = graph.linear(self._norm(y, "decoder_norm"), weight)
        last = graph("Add", last, graph.input("offsets", "float32", ["L", len(weight)]))
        features, *of_links = graph.split(last, [self.width] * 3 + [options.link_heads])
        scores = graph("LogSoftmax", graph.linear(features, self._head()), axis=-1)
        speaking = graph("Add", scores, graph.input("silent", "float32", [1, options.vocab_size]))
        best, tokens = graph.largest(speaking, graph.input("best", "int64", [1]))
        outputs = {"links": self._links(of_links), "scores": scores, "best_scores": best}
        file = graph.model(outputs, {"tokens": tokens})
        return file, DagTables(*self._vertex_tables(), *self._biases(), offsets)

    def _encoded(self, x: str) -> list[tuple[str, str]]:
        """Keys and values of the encoded source for each layer of the decoder: one product."""
        bias = self.graph.input("source_bias", "float32", [1, self.options.num_heads, "N", "N"])
        for block in (f"encoder.blocks.{number}." for number in range(self.options.num_layers)):
            x = self._feed(self._attend(x, block + "self_", bias), block)
        names = [f"{block}cross_attention.{part}.weight" for block in self.decoder for part in "kv"]
        weight = np.concatenate([self.tensors.take(name, self.inner, self.width) for name in names])
        found = self.graph.split(self.graph.linear(self._norm(x, "encoder.norm"), weight), [self.inner] * len(names))
        return list(zip(found[::2], found[1::2], strict=True))

    def _vertices(self, embedded: str) -> str:
        """What the decoder reads: [L, C]."""
        y = self.graph.input("vertices", "float32", ["L", self.width])
        if self.options.copy_source:
            y = self.graph("Add", y, self.graph("Gather", embedded, self.graph.input("copied", "int64", ["L"])))
        return self._norm(y, "vertex_norm")

    def _attend(self, x: str, part: str, bias: str = "", source: tuple[str, str] | None = None) -> str:
        """x and what attention adds to it: to itself, or to the keys and values of a source."""
        names = [f"{part}attention.{each}.weight" for each in ("qkv" if source is None else "q")]
        weight = np.concatenate([self.tensors.take(name, self.inner, self.width) for name in names])
        asked = self.graph.linear(self._norm(x, part + "norm"), weight)
        parts = self.graph.split(asked, [self.inner] * 3) if source is None else [asked, *source]
        parts = [self.graph("Unsqueeze", each, self.graph.constant([0])) for each in parts]
        found = self.graph.attention(parts, self.options.num_heads, 1.0, bias)
        found = self.graph("Squeeze", found, self.graph.constant([0]))
        out = self.tensors.take(f"{part}attention.o.weight", self.width, self.inner)
        return self.graph("Add", x, self.graph.linear(found, out))

    def _feed(self, x: str, block: str) -> str:
        """x and what its feed-forward layer adds to it."""
        graph, size = self.graph, self.options.d_ff
        names = ("wi", "gate") if self.options.gated_ffn else ("wi",)
        weights = [self.tensors.take(f"{block}ffn.{name}.weight", size, self.width) for name in names]
        inner = graph.linear(self._norm(x, block + "ffn_norm"), np.concatenate(weights))
        if self.options.gated_ffn:
            through, gate = graph.split(inner, [size, size])
            inner = graph("Mul", graph("FastGelu", through, domain="com.microsoft"), gate)
        else:
            inner = graph("Relu", inner)
        return graph("Add", x, graph.linear(inner, self.tensors.take(f"{block}ffn.wo.weight", self.width, size)))

    def _links(self, parts: Sequence[str]) -> str:
        """log Σ_h gate_h · softmax_h [L, L], all along in the log domain: far transitions keep their true cost."""
        graph, heads = self.graph, self.options.link_heads
        by_head = graph.constant([0, heads, self.width // heads])
        query = graph("Transpose", graph("Reshape", parts[0], by_head), perm=(1, 0, 2))
        key = graph("Transpose", graph("Reshape", parts[1], by_head), perm=(1, 2, 0))
        never = graph.input("never", "float32", ["L", "L"])
        # A row that may go nowhere would give NaN.
        hidden = graph("Max", never, graph.constant(np.float32(_FAR)))
        scores = graph("LogSoftmax", graph("Add", graph("MatMul", query, key), hidden), axis=-1)
        gates = graph("Transpose", graph("LogSoftmax", parts[2], axis=-1), perm=(1, 0))
        scores = graph("Add", scores, graph("Unsqueeze", gates, graph.constant([2])))
        top = graph("ReduceMax", scores, graph.constant([0]), keepdims=0)
        mixed = graph("ReduceSum", graph("Exp", graph("Sub", scores, top)), graph.constant([0]), keepdims=0)
        return graph("Add", graph("Add", graph("Log", mixed), top), never)

    def _last(self) -> tuple[Floats, Floats]:
        """The weight [3C + link heads, C] of features and links, and what is added at each position."""
        width, heads, positions = self.width, self.options.link_heads, self.options.max_positions
        sizes = {"query": width, "key": width, "gate": heads}
        weight = np.concatenate([self.tensors.take(f"links.{n}.weight", k, 2 * width) for n, k in sizes.items()])
        bias = np.concatenate([self.tensors.take(f"links.{n}.bias", k) for n, k in sizes.items()])
        output, output_bias = self.tensors.take("output.weight", width, width), self.tensors.take("output.bias", width)
        table = self.tensors.take("links.positions.weight", positions, width)
        of_features, of_positions = weight[:, :width], weight[:, width:]
        joint = of_features @ output
        offsets = table @ of_positions.T + bias + of_features @ output_bias
        scale = np.float32((width // heads) ** -0.5)
        joint[:width] *= scale
        offsets[:, :width] *= scale
        features = np.broadcast_to(output_bias, (positions, width))
        return np.concatenate([output, joint]), np.concatenate([features, offsets], 1)

    def _head(self) -> Floats:
        options = self.options
        if not options.tied_head:
            return self.tensors.take("head.weight", options.vocab_size, self.width)
        return self.embedding * np.float32(self.width**-0.5 if options.scaled_head else 1.0)

    def _vertex_tables(self) -> tuple[Floats, Floats]:
        options, table = self.options, self.embedding
        if options.decoder_vocab_size:
            table = self.tensors.take("vertex_embedding.weight", options.decoder_vocab_size, self.width)
        middle = table[options.unk_token_id]
        rows = middle + self.tensors.take("vertex_positions.weight", options.max_positions, self.width)
        rows[0] += table[options.bos_token_id] - middle
        return rows, table[options.eos_token_id] - middle

    def _biases(self) -> tuple[Floats, Floats]:
        options = self.options
        offsets = np.arange(-(options.max_positions - 1), options.max_positions)
        buckets = relative_buckets(offsets, options)
        shape = (options.relative_attention_num_buckets, options.num_heads)
        first, second = (
            self.tensors.take(f"{n}.weight", *shape) for n in ("encoder.positions.table", "decoder_positions.table")
        )
        return first[buckets].T.copy(), second[buckets].T.copy()

    def _norm(self, x: str, name: str) -> str:
        weight = self.graph.constant(self.tensors.take(f"{name}.weight", self.width))
        return self.graph(
            "SimplifiedLayerNormalization", x, weight, axis=-1, epsilon=float(self.options.layer_norm_epsilon)
        )


def relative_buckets(offsets: NDArray[np.int64], options: DagOptions) -> NDArray[np.int64]:
    """T5's bucket of a key that stands so far behind its query, as `model/definition/layers.py` has it."""
    buckets = options.relative_attention_num_buckets // 2
    near, distance = buckets // 2, np.abs(offsets)
    ratio = np.log(np.maximum(distance, 1).astype(np.float32) / near)
    ratio /= np.float32(math.log(options.relative_attention_max_distance / near))
    far = np.minimum(near + (ratio * (buckets - near)).astype(np.int64), buckets - 1)
    return (offsets > 0) * buckets + np.where(distance < near, distance, far)
