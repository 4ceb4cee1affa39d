"""DART records: official JSON entries, official XML and compact lines, all to `Example`."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

from controldag.data.fields import Place, objects, required, text, texts
from controldag.data.lines import MAX_RECORD_BYTES, compression_errors
from controldag.data.records import Example, Triple
from controldag.errors import DataError

_CHUNK_BYTES = 2**16
_SPLIT = re.compile(r"(?<![a-z])(train|dev|test)(?![a-z])")


def compact_entry(record: dict[str, Any], place: Place) -> list[Example]:
    """The example of a compact record: `tripleset`, and where there are any, `references` with their `source`."""
    references = texts(record.get("references", []), "references", place)
    sources = texts(record.get("source", []), "source", place)
    if sources and len(sources) != len(references):
        raise place.error(
            f"must name one origin for each of the {len(references)} references, but names {len(sources)}.",
            field="source",
            remedy="Make the two lists equally long, or leave `source` out.",
        )
    name = text(record, "id", place) or f"{place.stem}-{place.line}"
    return [Example(id=name, triples=_triples(record, place), references=references, sources=sources)]


def official_entry(record: dict[str, Any], place: Place) -> list[Example]:
    """The example of an official entry; `dart-dev-7` is the seventh of a file whose name says `dev`.

    Texts are stripped at their ends and empty references dropped: DART's test set has one.
    """
    references, sources = [], []
    for field, annotation in objects(required(record, "annotations", list, place), "annotations", place):
        reference = required(annotation, "text", str, place, inside=field).strip()
        if reference:
            references.append(reference)
            sources.append(text(annotation, "source", place, inside=field))
    split = _SPLIT.search(place.path.name.lower())
    name = f"dart-{split.group()}-{place.line}" if split else f"{place.stem}-{place.line}"
    return [
        Example(id=name, triples=_triples(record, place), references=tuple(references), sources=tuple(sources)),
    ]


def read_xml(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, Any]]:
    """Numbered entries (from 1) of official XML, in the form that official JSON has.

    Memory is bounded by the largest entry. Document types and entities are refused: DART has none, and they are how
    a small file becomes a large one or reads another. Malformed XML ends the file with a `DataError`.
    """
    collector = _EntryCollector(path)
    read = since_entry = 0
    with compression_errors(path, collector.entry):
        while chunk := stream.read(_CHUNK_BYTES):
            read += len(chunk)
            since_entry += len(chunk)
            collector.feed(chunk, final=False)
            for entry in collector.finished():
                since_entry = 0
                yield entry
            if since_entry > MAX_RECORD_BYTES:
                raise collector.error(f"an entry is longer than {MAX_RECORD_BYTES:,} bytes.")
        collector.feed(b"", final=True)
    yield from collector.finished()


class _EntryCollector:
    """Turns expat's events into entries."""

    def __init__(self, path: Path) -> None:
        self.entry = [1]
        self._path = path
        self._done: list[tuple[int, Any]] = []
        self._current: dict[str, list[Any]] | None = None
        self._source = ""
        self._text: list[str] | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse

    def feed(self, data: bytes, *, final: bool) -> None:
        """Parses more of the file."""
        try:
            self._parser.Parse(data, final)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise self.error(f"malformed XML: {problem} (line {error.lineno}, column {error.offset + 1}).") from None

    def finished(self) -> Iterator[tuple[int, Any]]:
        """The entries completed since the last call."""
        done, self._done = self._done, []
        yield from done

    def error(self, message: str) -> DataError:
        """The error for the entry being read."""
        remedy = "Use the official DART XML; the number is that of the entry."
        return DataError(message, path=self._path, line=self.entry[0], remedy=remedy)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "entry":
            self._current = {"tripleset": [], "annotations": []}
        elif tag in ("mtriple", "lex") and self._current is not None:
            self._source = attributes.get("comment", "")
            self._text = []

    def _characters(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _end(self, tag: str) -> None:
        if self._current is None:
            return
        if tag == "entry":
            self._done.append((self.entry[0], self._current))
            self._current = None
            self.entry[0] += 1
        elif tag in ("mtriple", "lex") and self._text is not None:
            content = "".join(self._text)
            self._text = None
            if tag == "lex":
                self._current["annotations"].append({"source": self._source, "text": content})
            else:
                # Only the object is free text that may hold the separator itself.
                self._current["tripleset"].append([part.strip() for part in content.split(" | ", 2)])

    def _refuse(self, *_: object) -> None:
        raise self.error("the file declares a document type or an entity, which is refused.")


def _triples(record: dict[str, Any], place: Place) -> tuple[Triple, ...]:
    entries = required(record, "tripleset", list, place)
    if not entries:
        raise place.error("must hold at least one triple, but is empty.", field="tripleset", remedy="Add a triple.")
    return tuple([_triple(entry, f"tripleset[{number}]", place) for number, entry in enumerate(entries)])


def _triple(entry: Any, field: str, place: Place) -> Triple:
    parts = texts(entry, field, place)
    if len(parts) != 3:
        raise place.error(
            f"must have subject, relation and object, but has {len(parts)} parts.",
            field=field,
            remedy='Write ["subject", "relation", "object"].',
        )
    return Triple(*parts)
