"""Word lists and their files: sorted text with a header that says how the list was made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from controldag.errors import DataError, InvalidInput
from controldag.files import atomic_write_text

MAGIC = "# controldag word list 1"
END_OF_HEADER = "# ---"


@dataclass(frozen=True, slots=True)
class WordFile:
    """A set of words with where it comes from.

    `ignore_case`: all words are lower-cased, and a word is looked up lower-cased; else case counts. `settings` and
    `figures` (how many words each step gave or took) go into the file's header.
    """

    kind: str
    words: frozenset[str]
    ignore_case: bool = False
    source: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for word in self.words:
            if not word or word.split() != [word]:
                raise InvalidInput.of("words", "hold single words, without blanks", word)
            if self.ignore_case and word != word.lower():
                raise InvalidInput.of("words", "be lower-cased in a list that ignores case", word)

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        return (word.lower() if self.ignore_case else word) in self.words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.words))

    def save(self, path: str | Path) -> None:
        """Writes header and words, one a line, sorted by code point, UTF-8."""
        header = {
            "kind": self.kind,
            "case": "ignored" if self.ignore_case else "as written",
            "words": len(self.words),
            "source": self.source,
            "settings": dict(self.settings),
            "figures": dict(self.figures),
        }
        with atomic_write_text(path) as file:
            file.write(f"{MAGIC}\n")
            for name, value in header.items():
                file.write(f"# {name}: {json.dumps(value, ensure_ascii=False, sort_keys=True)}\n")
            file.write(f"{END_OF_HEADER}\n")
            file.writelines(f"{word}\n" for word in self)

    @classmethod
    def load(cls, path: str | Path) -> WordFile:
        """The list in a file that `save` wrote; the header must be whole and agree with the words."""
        lines = _lines(path)
        if not lines or lines[0] != MAGIC or END_OF_HEADER not in lines:
            raise _bad(path, 1, f"must begin with {MAGIC!r} and a header that ends with {END_OF_HEADER!r}")
        end = lines.index(END_OF_HEADER)
        header = _header(path, lines[1:end])
        words = lines[end + 1 :]
        _check_words(path, words, first_line=end + 2, count=header["words"])
        try:
            return cls(
                kind=header["kind"],
                words=frozenset(words),
                ignore_case=header["case"] == "ignored",
                source=header["source"],
                settings=header["settings"],
                figures=header["figures"],
            )
        except InvalidInput as error:
            raise _bad(path, end + 2, error.message.rstrip(".")) from error


_HEADER_TYPES: dict[str, type] = {
    "kind": str,
    "case": str,
    "words": int,
    "source": str,
    "settings": dict,
    "figures": dict,
}


def _lines(path: str | Path) -> list[str]:
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise _bad(path, None, "there is no such file") from None
    except UnicodeDecodeError as error:
        raise _bad(path, None, f"is not UTF-8 ({error})") from error
    # Only a newline ends a line: `splitlines` would also cut words at characters such as U+0085.
    return text.removesuffix("\n").split("\n")


def _header(path: str | Path, lines: list[str]) -> dict[str, Any]:
    header: dict[str, Any] = {}
    for number, line in enumerate(lines, start=2):
        name, colon, value = line.removeprefix("# ").partition(": ")
        try:
            header[name] = json.loads(value) if colon else None
        except json.JSONDecodeError as error:
            raise _bad(path, number, f"has a header line that cannot be read: {line!r}") from error
    for name, kind in _HEADER_TYPES.items():
        if not isinstance(header.get(name), kind):
            raise _bad(path, 1, f"has no `{name}` in its header, or one of a wrong kind")
    if header["case"] not in {"ignored", "as written"}:
        raise _bad(path, 1, f"has an unknown `case` in its header: {header['case']!r}")
    return header


def _check_words(path: str | Path, words: list[str], *, first_line: int, count: int) -> None:
    for number, (before, word) in enumerate(pairwise(words), start=first_line + 1):
        if word <= before:
            raise _bad(path, number, f"is not sorted, or holds a word twice: {word!r} after {before!r}")
    if len(words) != count:
        raise _bad(path, first_line, f"promises {count} words in its header and holds {len(words)}")


def _bad(path: str | Path, line: int | None, reason: str) -> DataError:
    return DataError(f"{reason}.", path=path, line=line, remedy="Make it again with `controldag data words`.")
