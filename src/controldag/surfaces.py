"""What tokens spell: the bytes of each, and the fewest tokens that spell a phrase."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from controldag import _core
from controldag.errors import InvalidInput, utf8

if TYPE_CHECKING:
    from controldag.text.tokenizer import Tokenizer

_MOST_SPELLED = 4096


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
