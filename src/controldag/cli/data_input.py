"""What the commands on data files share: which files, which schema, which lineariser."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import out, print_json, progress, remark
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.read import SkipLog, read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema, find_schemas
from controldag.data.templates import Templates
from controldag.errors import InvalidInput

_LOOKED_FOR = "a relative name is also looked for in the data folder."
Files = Annotated[list[Path], typer.Argument(help=f"Data files; {_LOOKED_FOR}")]
Lineariser = Annotated[
    str, typer.Option(help="How inputs become text: `auto` (schema-guided for acts, triples for DART) or a name.")
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", help=f"Data file, or folder in the official SGD layout; {_LOOKED_FOR}")
]
Schemas = Annotated[
    list[Path] | None,
    typer.Option(
        help="Schema file or folder; repeat it for a union. Without it, those that stand with the data files."
    ),
]
SETS = (("sgd",), ("dart",), ("t5",))
"""How names of files of the data sets begin."""
Limit = Annotated[int | None, typer.Option(min=1, help="Stop after so many records.")]


def data_folder() -> Path:
    """Where data is looked for: $CONTROLDAG_DATA, or `../shared/data`."""
    return Path(os.environ.get("CONTROLDAG_DATA") or Path("..", "shared", "data"))


def found(path: Path) -> Path:
    """`path` itself where it exists, or else the same name in the data folder."""
    folder = data_folder()
    for place in (path, folder / path):
        if place.exists():
            return place
    if path.parts[:1] in SETS:
        remedy = "Set CONTROLDAG_DATA to the folder of the data sets."
        raise InvalidInput(f"There is no {path}, here or in {folder}.", remedy=remedy)
    raise InvalidInput(f"There is no {path}.", remedy="Check the name.")


def load_schema(given: list[Path] | None, files: list[Path]) -> Schema | None:
    """The schemas named by the user, or else those that stand with the data files; None where there are none."""
    if given:
        return Schema.load(*(found(path) for path in given))
    beside = dict.fromkeys(schema for file in files for schema in find_schemas(found(file)))
    return Schema.load(*beside) if beside else None


@dataclass(frozen=True, slots=True)
class DataSource:
    """How one command reads its files: with which schema, what becomes of bad records, and whether a bar is shown.

    `format` and `for_training` are those of `read_examples`.
    """

    schema: Schema | None
    skipped: SkipLog | None
    quiet: bool
    format: str = "auto"
    for_training: bool = False

    @classmethod
    def of(cls, files: list[Path], schemas: list[Path] | None, *, skip_bad: bool, quiet: bool) -> DataSource:
        """The source for `files`, with the schemas the user named or those that stand with the files."""
        return cls(load_schema(schemas, files), SkipLog() if skip_bad else None, quiet)

    def examples(self, files: list[Path], limit: int | None = None) -> Iterator[Example]:
        """The examples of all files, one after another, `limit` at most, with a progress bar."""
        return progress(self.read(files, limit), "reading", quiet=self.quiet)

    def read(self, files: list[Path], limit: int | None = None) -> Iterator[Example]:
        """As `examples`, without a bar."""
        return itertools.islice((example for file in files for example in self._read(file)), limit)

    def references(self, files: list[Path]) -> Iterator[str]:
        """All references of all files."""
        return (reference for example in self.examples(files) for reference in example.references)

    def lineariser(self, name: str, file: Path) -> Callable[[Example], str]:
        """The lineariser called `name`; for `auto`, the paper's for what `file` holds, acts or triples."""
        if name == "auto":
            # Records skipped on the way to the first good one are counted when the file is read for its content.
            aside = SkipLog() if self.skipped is not None else None
            first = next(read_examples(found(file), schema=self.schema, skipped=aside), None)
            name = "triples" if first is not None and first.triples else LinearisationOptions().name
        beside = found(file).parent / "templates"
        templates = Templates.load(beside) if name == "template-guided" and beside.is_dir() else None
        return make_lineariser(LinearisationOptions(name=name), schema=self.schema, templates=templates)

    def say_what_was_skipped(self) -> None:
        """Prints how many records were skipped and why, if any were."""
        if self.skipped is not None and self.skipped.total:
            remark(self.skipped.summary(), quiet=self.quiet)

    def skipped_figures(self) -> dict[str, object]:
        """How many records were skipped and why, for a report in JSON."""
        log = self.skipped or SkipLog()
        return {"skipped": log.total, "reasons": dict(log.reasons)}

    def _read(self, file: Path) -> Iterator[Example]:
        return read_examples(
            found(file),
            format=self.format,
            schema=self.schema,
            for_training=self.for_training,
            skipped=self.skipped,
        )


def print_report(report: Mapping[str, object], *, as_json: bool) -> None:
    """Prints names and values, one a line, or all as one JSON object."""
    if as_json:
        print_json(dict(report))
        return
    for name, value in report.items():
        out.print(f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}", markup=False, soft_wrap=True)


def names_of(files: list[Path]) -> str:
    """The files' names for a header: folders differ between machines and say nothing there."""
    return ", ".join("/".join(file.parts[-2:]) for file in files)
