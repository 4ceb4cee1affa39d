"""Any supported data set, as a stream of examples: memory does not grow with the file."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controldag.data import dart, sgd
from controldag.data.fields import Place, wrong_type
from controldag.data.json_stream import parse_line, read_array
from controldag.data.lines import open_bytes, read_lines
from controldag.data.records import Example
from controldag.data.schema import PSEUDO_SLOTS, Schema, near
from controldag.errors import DataError, InvalidInput

Converter = Callable[[dict[str, Any], Place], list[Example]]

FORMATS: dict[str, Converter] = {
    "sgd": sgd.dialogue,
    "sgd-jsonl": sgd.compact_turn,
    "gem": sgd.gem_turn,
    "dart-json": dart.official_entry,
    "dart-xml": dart.official_entry,
    "dart-jsonl": dart.compact_entry,
}
"""What a record is, by name; whether a file is lines, an array or XML shows in the file itself."""

_SPLITS = ("train", "dev", "test")
_MOST_REASONS = 50
_COUNTS = re.compile(r"\b(?<!-)\d+\b")  # not the 8 of UTF-8


@dataclass(slots=True)
class SkipLog:
    """What was skipped, and why: give one to `read_examples` to go on past bad records."""

    total: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, error: DataError) -> None:
        """Counts one bad record under its reason, numbers left out so that like reasons fall together."""
        reason = _COUNTS.sub("#", f"`{error.field}` {error.reason}" if error.field else error.reason)
        if reason not in self.reasons and len(self.reasons) >= _MOST_REASONS:
            reason = "other reasons"
        self.total += 1
        self.reasons[reason] += 1

    def summary(self) -> str:
        """One line: how many records were skipped, and the reasons, most frequent first."""
        if not self.total:
            return "no record skipped"
        parts = [f"{count} x {reason.rstrip('.')}" for reason, count in self.reasons.most_common()]
        return f"{self.total} bad record{'s' if self.total > 1 else ''} skipped: {'; '.join(parts)}"


@dataclass(frozen=True, slots=True)
class _Options:
    convert: Converter | None
    schema: Schema | None
    for_training: bool
    skipped: SkipLog | None


def read_examples(
    path: str | Path,
    *,
    format: str = "auto",
    schema: Schema | None = None,
    for_training: bool = False,
    skipped: SkipLog | None = None,
) -> Iterator[Example]:
    """The examples of a file, or of a folder in the official SGD layout, in their order.

    `format` is a name of `FORMATS`, or `auto` to tell it from the first record. With a `schema`, services and slots
    have to be in it; `for_training`, a target must not be empty. The first bad record raises a `DataError`; with
    `skipped` it is counted there and reading goes on (a bad dialogue is left out as a whole, and damage after which
    nothing can be told apart ends the file).
    """
    if format != "auto" and format not in FORMATS:
        names = ", ".join(("auto", *FORMATS))
        raise InvalidInput.of("format", f"be one of {names}", format, remedy=near(format, FORMATS))
    files = data_files(Path(path))
    options = _Options(FORMATS.get(format), schema, for_training, skipped)
    return (example for file in files for example in _read_file(file, options))


def data_files(path: Path) -> list[Path]:
    """The files that hold the records of `path`: itself, or the dialogues of a folder, all its splits in order."""
    if not path.is_dir():
        if not path.exists():
            raise DataError("the file does not exist.", path=path, remedy="Check the path.")
        return [path]
    folders = [path, *(path / split for split in _SPLITS)]
    files = [file for folder in folders for file in sorted(folder.glob("dialogues_*.json"))]
    if not files:
        others = sorted(file.name for file in path.iterdir() if ".json" in file.name or file.suffix == ".xml")
        remedy = f"Name a file: {', '.join(others[:5])}." if others else "Name a data file or an SGD folder."
        raise DataError("the folder holds no dialogues_*.json.", path=path, remedy=remedy)
    return files


def _read_file(path: Path, options: _Options) -> Iterator[Example]:
    convert = options.convert
    with open_bytes(path) as stream:
        records = _records(stream, path)
        empty = True
        while True:
            try:
                item = next(records, None)
                if item is None:
                    break
                empty = False
                number, raw = item
                place = Place(path, number)
                record = _object(parse_line(raw, path, number) if type(raw) is bytes else raw, place)
                convert = convert or _converter_for(record, place)
                examples = convert(record, place)
            except DataError as error:
                empty = False
                _skip_or_raise(error, options.skipped)
                continue
            if options.schema is None and not options.for_training:
                yield from examples
            else:
                yield from _checked(examples, place, options)
    if empty:
        _skip_or_raise(
            DataError("the file holds no records.", path=path, remedy="Check that it is the right file."),
            options.skipped,
        )


def _records(stream: io.BufferedReader, path: Path) -> Iterator[tuple[int, Any]]:
    """Numbered records: parsed ones of an array or of XML, lines as bytes (a bad line leaves the others readable)."""
    if ".jsonl" in path.suffixes:
        return read_lines(stream, path)
    try:
        start = stream.peek(64)[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    except (EOFError, OSError):
        start = b""  # damaged compression: reading the first line says so, with its place
    if start == b"[":
        return read_array(stream, path)
    return dart.read_xml(stream, path) if start == b"<" else read_lines(stream, path)


def _object(value: Any, place: Place) -> dict[str, Any]:
    if type(value) is not dict:
        raise wrong_type(value, dict, "record", place)
    return value


def _converter_for(record: dict[str, Any], place: Place) -> Converter:
    if "turns" in record:
        return FORMATS["sgd"]
    if "tripleset" in record:
        return FORMATS["dart-json" if "annotations" in record else "dart-jsonl"]
    if "dialog_acts" in record or "service" in record:
        return FORMATS["gem" if "gem_id" in record else "sgd-jsonl"]
    raise place.error(
        "the record has none of the fields `dialog_acts`, `tripleset`, `turns`.",
        field="record",
        remedy=f"Name the format: {', '.join(FORMATS)}.",
    )


def _checked(examples: list[Example], place: Place, options: _Options) -> Iterator[Example]:
    for example in examples:
        try:
            if options.schema is not None and example.acts:
                _check_names(example, options.schema, place)
            if options.for_training and not example.target.strip():
                raise place.error(
                    f"the target of {example.id} is empty, and nothing can be learned from it.",
                    field="target",
                    remedy="Add a reference, or skip such records with --skip-bad.",
                )
        except DataError as error:
            _skip_or_raise(error, options.skipped)
        else:
            yield example


def _check_names(example: Example, schema: Schema, place: Place) -> None:
    service = schema.services.get(example.service)
    if service is None:
        message = f"the service {example.service!r} is not in the schema."
        raise place.error(message, field="service", remedy=near(example.service, schema.services))
    for number, act in enumerate(example.acts):
        if act.slot not in service.slots and act.slot not in PSEUDO_SLOTS:
            raise place.error(
                f"the slot {act.slot!r} is not in the schema of {service.name}.",
                field=f"dialog_acts[{number}].slot",
                remedy=near(act.slot, service.slots),
            )


def _skip_or_raise(error: DataError, skipped: SkipLog | None) -> None:
    if skipped is None:
        raise error
    skipped.add(error)
