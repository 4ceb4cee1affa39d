"""The border between model and search: plain arrays, no torch needed to read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from controldag import _core
from controldag.drawing.graph import Sketch
from controldag.drawing.sketch import sketch_of_arrays
from controldag.drawing.small import small_drawing
from controldag.errors import InvalidInput, utf8

if TYPE_CHECKING:
    from controldag.text.tokenizer import Tokenizer

_MOST_SPELLED = 4096
Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


def unspelled(phrase: str) -> InvalidInput:
    """The error of a phrase for which a tokenizer has no pieces."""
    return InvalidInput.of("phrase", "be spelled by the tokens", phrase, remedy="Use a tokenizer with byte pieces.")


class Surfaces:
    """The bytes of every token (a leading blank included); None for control tokens, `<unk>` and padding."""

    def __init__(self, pieces: Iterable[bytes | None]) -> None:
        self._pieces: tuple[bytes | None, ...] = tuple(piece or None for piece in pieces)

    @property
    def pieces(self) -> tuple[bytes | None, ...]:
        """By token id: its bytes."""
        return self._pieces

    @classmethod
    def of(cls, tokenizer: Tokenizer, silent: Collection[int] = ()) -> Surfaces:
        """The surfaces of a tokenizer's pieces; None for those to be `silent` as well."""
        ids = range(tokenizer.size)
        return cls(tokenizer.piece_bytes(i) if tokenizer.is_surface(i) and i not in silent else None for i in ids)

    @property
    def changes(self) -> Mapping[int, bytes]:
        """The tokens that `changed` gave other bytes."""
        return {}

    def changed(self, changes: Mapping[int, bytes]) -> Surfaces:
        """These surfaces, with other bytes for some tokens that have none here: marks that stand for an input's values.

        Where such a token and another spell the same, `spell` takes the changed one.
        """
        return _ChangedSurfaces(self, changes) if changes else self

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def core(self) -> _core.SurfaceTable:
        """The engine's copy."""
        return _core.make_surface_table([piece or b"" for piece in self.pieces])

    @cached_property
    def speaking(self) -> NDArray[np.bool_]:
        """By token id: whether it has a surface."""
        return np.array([piece is not None for piece in self.pieces], dtype=bool)

    @cached_property
    def _by_bytes(self) -> dict[bytes, int]:
        known: dict[bytes, int] = {}
        for index, piece in enumerate(self.pieces):
            if piece is not None:
                known.setdefault(piece, index)
        return known

    @cached_property
    def _longest(self) -> int:
        return max((len(piece) for piece in self._by_bytes), default=0)

    def speaks(self, token: int) -> bool:
        """Whether there is such a token and it has a surface."""
        return 0 <= token < len(self.pieces) and self.pieces[token] is not None

    def spell(self, phrase: str) -> list[int]:
        """The fewest tokens that spell ` phrase` (with the blank that precedes a word); ties go to long first tokens.

        Raises InvalidInput where the tokens cannot spell it.
        """
        known = self._spelled.get(phrase)
        if known is None:
            known = self._spelled[phrase] = self._spell(phrase)
            if len(self._spelled) > _MOST_SPELLED:
                self._spelled.clear()
        return list(known)

    def can_spell(self, phrase: str) -> bool:
        """Whether `spell` finds tokens for it."""
        try:
            return bool(self.spell(phrase))
        except InvalidInput:
            return False

    @cached_property
    def _spelled(self) -> dict[str, list[int]]:
        """A request spells its phrases more than once, and requests have phrases in common."""
        return {}

    def _spell(self, phrase: str) -> list[int]:
        text = b" " + utf8("phrase", phrase)
        # best[i]: (number of tokens, first token's length) to spell text[i:], from the end.
        best: list[tuple[int, int] | None] = [None] * len(text) + [(0, 0)]
        for start in range(len(text) - 1, -1, -1):
            for size in self._sizes_at(text, start):
                rest = best[start + size]
                if rest is None:
                    continue
                candidate = (rest[0] + 1, size)
                known = best[start]
                if known is None or (candidate[0], -size) < (known[0], -known[1]):
                    best[start] = candidate
        if best[0] is None:
            raise unspelled(phrase)
        tokens, at = [], 0
        while at < len(text):
            step = best[at]
            assert step is not None
            tokens.append(self._token_of(text[at : at + step[1]]))
            at += step[1]
        return tokens

    def _sizes_at(self, text: bytes, start: int) -> list[int]:
        """The sizes of the tokens that spell what stands at `start`."""
        most = min(self._longest, len(text) - start)
        return [size for size in range(1, most + 1) if text[start : start + size] in self._by_bytes]

    def _token_of(self, piece: bytes) -> int:
        return self._by_bytes[piece]


class _ChangedSurfaces(Surfaces):
    """Made for every request: what is costly to make is taken from the surfaces that were changed."""

    def __init__(self, base: Surfaces, changes: Mapping[int, bytes]) -> None:
        for token, piece in changes.items():
            if not 0 <= token < len(base) or base.speaks(token) or not piece:
                raise InvalidInput.of("changes", "give bytes to tokens that have none", (token, piece))
        self._base, self._changes = base, dict(changes)
        self._tokens = {piece: token for token, piece in changes.items()}

    @property
    def pieces(self) -> tuple[bytes | None, ...]:
        return self._changed_pieces

    @cached_property
    def _changed_pieces(self) -> tuple[bytes | None, ...]:
        pieces = list(self._base.pieces)
        for token, piece in self._changes.items():
            pieces[token] = piece
        return tuple(pieces)

    @property
    def changes(self) -> Mapping[int, bytes]:
        return self._changes

    @cached_property
    def core(self) -> _core.SurfaceTable:
        return _core.change_surface_table(self._base.core, list(self._changes.items()))

    @cached_property
    def speaking(self) -> NDArray[np.bool_]:
        speaking = self._base.speaking.copy()
        speaking[list(self._changes)] = True
        return speaking

    def __len__(self) -> int:
        return len(self._base)

    def speaks(self, token: int) -> bool:
        return token in self._changes or self._base.speaks(token)

    def _spell(self, phrase: str) -> list[int]:
        text = b" " + utf8("phrase", phrase)
        whole = self._tokens.get(text)
        if whole is not None:
            return [whole]
        # Where no changed token stands in the phrase it is spelled as ever, which is remembered.
        if not any(piece in text for piece in self._tokens):
            return self._base.spell(phrase)
        return super()._spell(phrase)

    def _sizes_at(self, text: bytes, start: int) -> list[int]:
        # A value may be long: its bytes are compared, not looked up size by size.
        more = (len(piece) for piece in self._tokens if text.startswith(piece, start))
        return sorted({*self._base._sizes_at(text, start), *more})

    def _token_of(self, piece: bytes) -> int:
        token = self._tokens.get(piece)
        return self._base._token_of(piece) if token is None else token


@dataclass(frozen=True, eq=False, slots=True)
class Dag:
    """A directed acyclic model's prediction for one input, as log-probabilities.

    Vertex 0 stands for `<s>` and the last one for `</s>`; what they emit does not matter.
    `emissions` is [vertices, vocabulary], or, with `token_ids` of the same shape, the best few tokens per vertex.
    `transitions` is [vertices, vertices], -inf on and below the diagonal.
    `score(ids)` gives the log-probabilities of any tokens at every vertex, [vertices, len(ids)] (needed only with
    `token_ids`); `widen(k)` asks the model for the same Dag with at least k tokens per vertex.
    """

    emissions: Floats
    transitions: Floats
    surfaces: Surfaces
    token_ids: Ids | None = None
    score: Callable[[Sequence[int]], Floats] | None = None
    widen: Callable[[int], Dag] | None = None

    @property
    def vertices(self) -> int:
        return int(self.emissions.shape[0])

    def log_probabilities(self, ids: Sequence[int]) -> Floats:
        """The true log-probabilities of the tokens at every vertex: [vertices, len(ids)]."""
        if self.token_ids is None:
            return np.ascontiguousarray(self.emissions[:, list(ids)], dtype=np.float32)
        if self.score is None:
            raise InvalidInput(
                "This Dag holds only the best tokens of each vertex, and required phrases need others.",
                remedy="Give it `score`, which looks tokens up in the model's output.",
            )
        found = np.asarray(self.score(ids), dtype=np.float32)
        if found.shape != (self.vertices, len(ids)):
            raise InvalidInput.of("score(ids)", f"have the shape {(self.vertices, len(ids))}", found.shape)
        return found

    def check(self) -> None:
        """Raises InvalidInput naming argument, rule and value unless this is a proper Dag."""
        if self.emissions.ndim != 2 or self.vertices < 2:
            raise InvalidInput.of("emissions", "be [vertices >= 2, tokens]", self.emissions.shape)
        if self.transitions.shape != (self.vertices, self.vertices):
            raise InvalidInput.of("transitions", f"be {(self.vertices, self.vertices)}", self.transitions.shape)
        if self.token_ids is None:
            if self.emissions.shape[1] != len(self.surfaces):
                raise InvalidInput.of(
                    "emissions", f"have one column per token ({len(self.surfaces)})", self.emissions.shape
                )
        else:
            self._check_token_ids(self.token_ids)
        last = self.vertices - 1
        onward = np.ascontiguousarray(self.transitions, np.float32)
        emitted = np.ascontiguousarray(self.emissions, np.float32)
        _core.check_rows("emissions", emitted, 1, last, self.token_ids is None, False)
        _core.check_rows("transitions", onward, 0, last, True, True)
        if bool(np.isfinite(onward[last]).any()):
            raise InvalidInput.of("transitions", "not leave the last vertex", f"{last} -> {np.argmax(onward[last])}")

    def _check_token_ids(self, token_ids: Ids) -> None:
        if token_ids.shape != self.emissions.shape:
            raise InvalidInput.of("token_ids", f"have the shape of emissions {self.emissions.shape}", token_ids.shape)
        if token_ids.size and (token_ids.min() < 0 or token_ids.max() >= len(self.surfaces)):
            worst = int(token_ids.min()) if token_ids.min() < 0 else int(token_ids.max())
            raise InvalidInput.of("token_ids", f"be between 0 and {len(self.surfaces) - 1}", worst)

    def sketch(self) -> Sketch:
        """The likeliest tokens and successors of every vertex as plain lists, to draw."""
        return sketch_of_arrays(self.emissions, self.token_ids, self.transitions, self.surfaces.pieces)

    def _repr_html_(self) -> str:
        """A small drawing, for notebooks."""
        return small_drawing(self.sketch(), "Dag")
