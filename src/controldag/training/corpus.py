"""Tokenised data as compact arrays: what a training run reads, and what travels to the GPU machine.

A prepared folder holds `train.npz` (int16 tokens and offsets), `dev.npz`, `dev.json.gz` (references, services,
phrases), `tokenizer.model` and `prepared.json` (how it was made, and checksums). Nothing is pickled.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controldag.data.schema_words import FILE as WORDS
from controldag.data.schema_words import SchemaWords
from controldag.data.value_marks import NAMES
from controldag.errors import DataError, InvalidInput
from controldag.files import atomic_write, atomic_write_text, write_json

Tokens = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Token sequences of different lengths, one after another."""

    tokens: Tokens  # all tokens
    offsets: NDArray[np.int64]  # [n + 1] where each sequence starts

    @classmethod
    def of(cls, sequences: list[list[int]]) -> Ragged:
        """The given sequences; ids must fit 16 bits."""
        lengths = np.fromiter((len(s) for s in sequences), np.int64, len(sequences))
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        flat = np.fromiter((t for s in sequences for t in s), np.int64, int(offsets[-1]))
        if flat.size and (flat.min() < 0 or flat.max() > np.iinfo(np.int16).max):
            raise InvalidInput.of("token ids", "be from 0 to 32767", (int(flat.min()), int(flat.max())))
        return cls(flat.astype(np.int16), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> list[int]:
        values: list[int] = self.tokens[self.offsets[index] : self.offsets[index + 1]].tolist()
        return values

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each sequence."""
        return np.diff(self.offsets)

    def padded(self, pad: int) -> Tokens:
        """All sequences as one array [n, longest], padded on the right."""
        lengths = self.lengths
        result = np.full((len(self), int(lengths.max(initial=1))), pad, np.int16)
        result[np.arange(result.shape[1])[None, :] < lengths[:, None]] = self.tokens
        return result


@dataclass(frozen=True, slots=True)
class Pairs:
    """Sources (ending in `</s>`) and targets (`<s>` … `</s>`)."""

    sources: Ragged
    targets: Ragged
    expected: NDArray[np.float32] | None = None  # [n] tokens each target is expected to have; None: not known

    def __len__(self) -> int:
        return len(self.sources)


@dataclass(frozen=True, slots=True)
class Reference:
    """What an output of the development set is compared with."""

    id: str
    service: str
    seen: bool  # the service (for DART: every relation) occurs in the training data
    references: list[str]
    phrases: list[str]  # what the slot error rate looks for
    values: list[str] = field(default_factory=list)  # those of its marks


@dataclass(frozen=True, slots=True)
class PreparedFolder:
    """How a prepared folder was made."""

    name: str
    vocab_size: int
    pad_id: int
    eos_id: int
    unk_id: int
    bos_id: int
    tokenizer_sha256: str
    lineariser: str
    value_separator: str
    variants: int  # the training pairs are this many variants of the data, one after another
    marked: str = NAMES  # what has value marks, see data/value_marks.py
    word_marks: int = 0  # the last so many marks are for words of the schema, see data/schema_words.py
    length_weights: dict[str, list[float]] | None = None  # of expected lengths, see text/expected_length.py
    untold: int = 0  # the last training pairs without a target yet, see recipes/distil/retell.py
    distilled_from: str = ""  # the twin whose words the targets are; empty: people's


@dataclass(frozen=True, slots=True)
class Corpus:
    """A prepared folder, read."""

    prepared: PreparedFolder
    train: Pairs
    dev: Pairs
    references: list[Reference]
    tokenizer_model: bytes
    schema_words: SchemaWords | None = None


def save_corpus(folder: str | Path, corpus: Corpus, *, plain: bool = False) -> None:
    """Writes a prepared folder; `prepared.json`, which makes it valid, comes last.

    `plain`: not compressed, for a large corpus that need not travel.
    """
    folder = Path(folder)
    for name, pairs in (("train.npz", corpus.train), ("dev.npz", corpus.dev)):
        with atomic_write(folder / name) as file:
            arrays: dict[str, Any] = {
                "source_tokens": pairs.sources.tokens,
                "source_offsets": pairs.sources.offsets,
                "target_tokens": pairs.targets.tokens,
                "target_offsets": pairs.targets.offsets,
            }
            if pairs.expected is not None:
                arrays["expected"] = pairs.expected
            (np.savez if plain else np.savez_compressed)(file, **arrays)
    with atomic_write_text(folder / "dev.json.gz") as text:
        json.dump([asdict(reference) for reference in corpus.references], text, ensure_ascii=False)
    with atomic_write(folder / "tokenizer.model") as file:
        file.write(corpus.tokenizer_model)
    names = ["train.npz", "dev.npz", "dev.json.gz", "tokenizer.model"]
    if corpus.schema_words is not None:
        corpus.schema_words.save(folder / WORDS)
        names.append(WORDS)
    checksums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    write_json(folder / "prepared.json", asdict(corpus.prepared) | {"sha256": checksums})


def load_corpus(folder: str | Path) -> Corpus:
    """The corpus of a prepared folder, its checksums verified."""
    folder = Path(folder)
    remedy = "Make it with `controldag train prepare`."
    try:
        values: dict[str, Any] = json.loads((folder / "prepared.json").read_text("utf-8"))
        for name, wanted in values.pop("sha256").items():
            if hashlib.sha256((folder / name).read_bytes()).hexdigest() != wanted:
                raise DataError("has changed since it was prepared.", path=folder / name, remedy=remedy)
        prepared = PreparedFolder(**values)
        references = [Reference(**r) for r in json.loads(gzip.decompress((folder / "dev.json.gz").read_bytes()))]
        return Corpus(
            prepared,
            _read_pairs(folder / "train.npz"),
            _read_pairs(folder / "dev.npz"),
            references,
            (folder / "tokenizer.model").read_bytes(),
            SchemaWords.load(folder / WORDS) if (folder / WORDS).is_file() else None,
        )
    except (FileNotFoundError, json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"is no prepared folder ({error}).", path=folder, remedy=remedy) from error


def _read_pairs(path: Path) -> Pairs:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            sources = Ragged(arrays["source_tokens"], arrays["source_offsets"])
            targets = Ragged(arrays["target_tokens"], arrays["target_offsets"])
            expected = arrays.get("expected", None)
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise DataError(f"cannot be read ({error}).", path=path, remedy="Prepare it again.") from error
    return Pairs(sources, targets, expected)
