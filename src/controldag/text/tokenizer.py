"""One interface over SentencePiece models, T5's and our own: ids from text, and the exact text of ids.

The surface of a token sequence is the bytes of its pieces one after another, `▁` read as a blank and byte pieces
(`<0xE9>`) as their byte, minus exactly one blank at the very front where there is one. Nothing else is stripped.

T5's model normalises what it reads (NFKC, runs of blanks become one, blanks at the ends go) and has no piece for
some characters, so that `surface(encode(text))` is not always `text`; `can_spell` tells. Models from
`controldag data tokenizer` change nothing and fall back to bytes: they spell every string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import sentencepiece

from controldag.errors import InvalidInput

# SentencePiece writes a blank as this character, in its pieces and inside its encoder.
BLANK_MARK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
_BYTE_PIECE = re.compile(r"<0x([0-9A-F]{2})>")


class Tokenizer:
    """A loaded SentencePiece model. Ids of control pieces (`<s>`, `</s>`, `<pad>`) and `<unk>` have no surface."""

    def __init__(self, model: bytes, *, name: str = "model") -> None:
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
            size = len(self._processor)
        except RuntimeError:
            size = 0
        if not model or not size:
            raise InvalidInput.of(
                "tokenizer",
                "be a SentencePiece model",
                name,
                remedy="Train one with `controldag data tokenizer`, or give the path of T5's spiece.model.",
            )
        self._surfaces = [_surface_of(self._processor, i) for i in range(size)]
        self._is_surface = [not _is_silent(self._processor, i) for i in range(size)]
        self._byte_ids = _byte_ids(self._processor)
        self.size: Final = size
        self.pad_id: Final = _present(self._processor.pad_id())
        self.bos_id: Final = _present(self._processor.bos_id())
        self.eos_id: Final = _present(self._processor.eos_id())
        self.unk_id: Final = _present(self._processor.unk_id())

    @classmethod
    def load(cls, path: str | Path) -> Tokenizer:
        """The tokenizer in the model file `path`."""
        path = Path(path)
        if not path.is_file():
            raise InvalidInput.of(
                "tokenizer",
                "be the path of a SentencePiece model file",
                str(path),
                remedy="Train one with `controldag data tokenizer`, or give the path of T5's spiece.model.",
            )
        return cls(path.read_bytes(), name=str(path))

    @property
    def has_byte_fallback(self) -> bool:
        """Whether there is a piece for each of the 256 bytes."""
        return self._byte_ids is not None

    def encode(self, text: str) -> list[int]:
        """The ids of `text`, without `<s>` or `</s>`."""
        if self._byte_ids is not None and BLANK_MARK in text:
            return self._encode_with_marks(text, self._byte_ids)
        # Not a batch of one: SentencePiece starts a thread for each batch, which takes milliseconds on a busy machine.
        try:
            ids: list[int] = self._processor.encode(text)
        except (RuntimeError, TypeError):
            _refuse_surrogates(text)
            raise
        return ids

    def encode_batch(self, texts: Iterable[str]) -> list[list[int]]:
        """The ids of each text, as `encode`; one call for many texts is much faster than many calls."""
        texts = list(texts)
        try:
            ids: list[list[int]] = self._processor.encode(texts, num_threads=1)
        except (RuntimeError, TypeError):
            # Only the failing case pays for finding out which text it was.
            for text in texts:
                _refuse_surrogates(text)
            raise
        if self._byte_ids is not None:
            for index, text in enumerate(texts):
                if BLANK_MARK in text:
                    ids[index] = self._encode_with_marks(text, self._byte_ids)
        return ids

    def count_batch(self, texts: Iterable[str]) -> list[int]:
        """The number of tokens of each text, without `<s>` or `</s>`."""
        return [len(ids) for ids in self.encode_batch(texts)]

    def surface_bytes(self, ids: Sequence[int]) -> bytes:
        """The exact bytes that `ids` spell."""
        return self._joined(ids).removeprefix(b" ")

    def surface(self, ids: Sequence[int]) -> str:
        """The text that `ids` spell; bytes that are no UTF-8 (half a character) show as U+FFFD."""
        return self.surface_bytes(ids).decode("utf-8", errors="replace")

    def piece_bytes(self, token: int) -> bytes:
        """What one token adds to the text: empty for `<s>`, `</s>`, `<pad>` and `<unk>`."""
        self._check(token)
        return self._surfaces[token]

    def piece(self, token: int) -> str:
        """The piece as the model names it, for people to read."""
        self._check(token)
        return str(self._processor.id_to_piece(int(token)))

    def is_surface(self, token: int) -> bool:
        """Whether a text can hold this token: False for control pieces, `<unk>` and `<pad>`."""
        self._check(token)
        return self._is_surface[token]

    def id_of(self, piece: str) -> int | None:
        """The id of a piece by its name (`<h>`, `▁the`), or None when the model has no such piece."""
        found = int(self._processor.piece_to_id(piece))
        return found if self._processor.id_to_piece(found) == piece else None

    def has_unknown(self, ids: Sequence[int]) -> bool:
        """Whether `<unk>` stands among `ids`."""
        return self.unk_id is not None and self.unk_id in ids

    def can_spell(self, text: str) -> bool:
        """Whether `text` comes back from its own tokens unchanged."""
        return self.surface_bytes(self.encode(text)) == text.encode("utf-8")

    def _joined(self, ids: Sequence[int]) -> bytes:
        for token in ids:
            self._check(token)
        return b"".join([self._surfaces[token] for token in ids])

    def _check(self, token: int) -> None:
        if not 0 <= token < self.size:
            raise InvalidInput.of("token id", f"be from 0 to {self.size - 1}", token)

    def _encode_with_marks(self, text: str, byte_ids: list[int]) -> list[int]:
        """The ids of a text that holds `▁` itself, which SentencePiece would take for a blank.

        Each `▁` is spelled by its bytes. What follows one has no blank before it, so the first piece of its
        encoding, which begins with the blank that SentencePiece puts in front, is spelled by bytes as well.
        """
        first, *rest = self._processor.encode(text.split(BLANK_MARK), num_threads=1)
        ids: list[int] = list(first)
        for segment in rest:
            ids += (byte_ids[byte] for byte in BLANK_MARK.encode())
            if segment:
                ids += (byte_ids[byte] for byte in self._surfaces[segment[0]].removeprefix(b" "))
                ids += segment[1:]
        return ids


def _surface_of(processor: sentencepiece.SentencePieceProcessor, token: int) -> bytes:
    if _is_silent(processor, token):
        return b""
    piece: str = processor.id_to_piece(token)
    if processor.is_byte(token) and (match := _BYTE_PIECE.fullmatch(piece)):
        return bytes([int(match[1], 16)])
    return piece.replace(BLANK_MARK, " ").encode("utf-8")


def _is_silent(processor: sentencepiece.SentencePieceProcessor, token: int) -> bool:
    return bool(processor.is_control(token) or processor.is_unknown(token))


def _byte_ids(processor: sentencepiece.SentencePieceProcessor) -> list[int] | None:
    ids = [int(processor.piece_to_id(f"<0x{byte:02X}>")) for byte in range(256)]
    return ids if all(processor.is_byte(token) for token in ids) else None


def _present(token: int) -> int | None:
    return token if token >= 0 else None


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput.of(
            "text",
            "be Unicode without lone surrogates",
            text,
            remedy="Read the file as UTF-8, without surrogateescape.",
        ) from error
