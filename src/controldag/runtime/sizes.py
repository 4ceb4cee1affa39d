"""Sizes and options of the models, as a config.json holds them; `model.definition` makes them Hugging Face configs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from controldag.data.value_marks import NAMES
from controldag.errors import InvalidInput

DAG, TWIN = "da_t5", "ar_t5"
"""What a config calls the two kinds of models."""
_LARGEST = {
    "vocab_size": 1 << 22,
    "d_model": 1 << 16,
    "d_kv": 1 << 12,
    "d_ff": 1 << 18,
    "num_layers": 256,
    "num_decoder_layers": 256,
    "num_heads": 1 << 10,
}
"""Ten times what any T5 has: what is larger is no model, but would be built for minutes before that is found out."""
_MOST_BUCKETS = 1 << 16


@dataclass(kw_only=True)
class T5Options:
    """What DA-T5 and its autoregressive twin share: the shape of the T5 blocks and the special tokens."""

    vocab_size: int = 32128
    d_model: int = 512
    d_kv: int = 64
    d_ff: int = 2048
    num_layers: int = 6
    num_decoder_layers: int = 6
    num_heads: int = 8
    relative_attention_num_buckets: int = 32
    relative_attention_max_distance: int = 128
    dropout_rate: float = 0.1
    layer_norm_epsilon: float = 1e-6
    gated_ffn: bool = False  # gated GELU (T5 1.1) instead of ReLU
    tied_head: bool = True  # the head's weights are the source embedding's
    scaled_head: bool = True  # features are divided by √d_model before a tied head, as in T5
    pad_token_id: int = 0
    eos_token_id: int = 1
    unk_token_id: int = 2
    bos_token_id: int = 32100
    tokenizer_sha256: str = ""  # of the SentencePiece file it was trained with; empty: not recorded
    lineariser: str = ""  # how inputs were written out in training; empty: not recorded
    value_separator: str = " "  # between the values of one slot
    marked: str = NAMES  # what has value marks, where the tokenizer has marks (data/value_marks.py)
    word_marks: int = 0  # the last so many marks are for words of the schema (data/schema_words.py)

    def check(self) -> None:
        """Raises `InvalidInput` where a size breaks a rule."""
        self._check_kinds()
        for name, most in _LARGEST.items():
            value = getattr(self, name)
            if not 1 <= value <= most:
                raise InvalidInput.of(name, f"be an integer of at least 1 and at most {most:,}", value)
        buckets, farthest = self.relative_attention_num_buckets, self.relative_attention_max_distance
        if not 4 <= buckets <= _MOST_BUCKETS:
            raise InvalidInput.of("relative_attention_num_buckets", f"be from 4 to {_MOST_BUCKETS:,}", buckets)
        if farthest <= buckets // 2:
            rule = f"be more than half the buckets ({buckets})"
            raise InvalidInput.of("relative_attention_max_distance", rule, farthest)
        if not 0.0 <= self.dropout_rate < 1.0:
            raise InvalidInput.of("dropout_rate", "be in [0, 1)", self.dropout_rate)
        for name in ("pad_token_id", "eos_token_id", "unk_token_id", "bos_token_id"):
            value = getattr(self, name)
            if not 0 <= value < self.vocab_size:
                raise InvalidInput.of(name, f"be a token id below `vocab_size` ({self.vocab_size})", value)

    def _check_kinds(self) -> None:
        """Raises `InvalidInput` where an option that a class here declares is of another kind than its default."""
        declared = {name for kind in type(self).__mro__ if issubclass(kind, T5Options) for name in kind.__annotations__}
        for name in sorted(declared):
            value, default = getattr(self, name), getattr(type(self), name)
            if default is None:
                _check_numbers(name, value)
                continue
            kinds = (int, float) if isinstance(default, float) else (type(default),)
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                raise InvalidInput.of(name, f"be of the kind {type(default).__name__}", value)
            if isinstance(value, float) and not math.isfinite(value):
                raise InvalidInput.of(name, "be finite", value)


@dataclass(kw_only=True)
class DagOptions(T5Options):
    """The directed acyclic T5. The defaults are the paper's DA-T5-small: 79,326,728 parameters."""

    decoder_vocab_size: int = 32130  # rows of the vertices' own embedding; 0: they share the source's
    link_heads: int = 8
    max_vertices: int = 1000  # cap on the graph size
    min_vertices: int = 2  # floor on the graph size
    max_positions: int = 1024  # rows of each learned position table
    vertices_per_token: float = 5.0  # λ: graph size = λ · input length
    vertices_per_length: float = 0.0  # instead of λ: graph size = this · expected length of the text; 0: λ counts
    length_weights: dict[str, list[float]] | None = None  # of the expected length, see text/expected_length.py
    copy_source: bool = False  # vertex v also gets the embedding of source token floor(v·N/L)

    def check(self) -> None:
        """Raises `InvalidInput` where a size breaks a rule."""
        super().check()
        if not 2 <= self.min_vertices <= self.max_vertices <= self.max_positions:
            raise InvalidInput.of(
                "min_vertices, max_vertices, max_positions",
                "be at least 2 and in ascending order",
                (self.min_vertices, self.max_vertices, self.max_positions),
            )
        if self.vertices_per_token <= 0:
            raise InvalidInput.of("vertices_per_token", "be positive", self.vertices_per_token)
        if self.vertices_per_length < 0 or (self.vertices_per_length and not self.length_weights):
            rule = "be 0, or positive with `length_weights`"
            raise InvalidInput.of("vertices_per_length", rule, self.vertices_per_length)
        if self.decoder_vocab_size and self.decoder_vocab_size < self.vocab_size:
            raise InvalidInput.of(
                "decoder_vocab_size", f"be 0 or at least `vocab_size` ({self.vocab_size})", self.decoder_vocab_size
            )
        if self.link_heads < 1 or self.d_model % self.link_heads:
            raise InvalidInput.of("link_heads", f"divide `d_model` ({self.d_model})", self.link_heads)

    def graph_size(self, input_length: int, target_length: int = 0) -> int:
        """Number of vertices L for an input of N tokens (`</s>` counted): λ·N between floor and cap.

        In training `target_length` (with `<s>` and `</s>`) lifts it, so that every target fits its graph.
        """
        size = math.ceil(self.vertices_per_token * input_length - 1e-9)
        size = min(max(size, self.min_vertices), self.max_vertices)
        return max(size, target_length)

    def sized_for(self, expected_length: float) -> int:
        """Number of vertices L for a text that is expected to have so many tokens, between floor and cap."""
        size = math.ceil(self.vertices_per_length * expected_length - 1e-9)
        return min(max(size, self.min_vertices), self.max_vertices)


def _check_numbers(name: str, value: object) -> None:
    """Raises `InvalidInput` where an option that may be left out is there, but no lists of numbers by name."""
    rows = value.values() if isinstance(value, dict) else () if value is None else ("",)
    for row in rows:
        numbers = row if isinstance(row, list) else ("",)
        if not all(isinstance(each, int | float) and math.isfinite(each) for each in numbers):
            raise InvalidInput.of(name, "hold lists of finite numbers by name", value)
