"""The rows of the paper's tables, and those it lacks: which system each is, and what the paper says of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import yaml

TASKS = ("sgd", "dart")


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    model: which of the task's models (`ours`, `twin`, …); empty for systems without weights. table, number: where it
    stands in the paper; 0 for rows the paper lacks. paper: its figures by the names of ours. note: why they differ.
    """

    label: str
    decoder: str
    model: str = ""
    table: int = 0
    number: int = 0
    paper: Mapping[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def role(self) -> str:
        """Its model's role, or the decoder of a system without weights."""
        return self.model or self.decoder

    @property
    def key(self) -> str:
        """What the row's files are called: rows of several tables that are the same system share them."""
        return re.sub(r"[^\w+.-]+", "-", f"{self.model}--{self.decoder}" if self.model else self.decoder)


@dataclass(frozen=True, slots=True)
class TaskTables:
    """All rows of a data set. models: the default checkpoint of each; main: the system that others are compared with.

    like: the checkpoint whose settings and lists folders fresh from training take. errors: the rates the paper reports.
    templates: their folder below the data folder, if there is one.
    """

    title: str
    data: str
    like: str
    errors: tuple[str, ...]
    models: Mapping[str, str]
    main: Row
    rows: tuple[Row, ...]
    notes: Mapping[str, str]
    templates: str = ""

    @property
    def bleu(self) -> str:
        """The BLEU that the paper reports: over flattened pairs where records have several references."""
        return "bleu_single" if any("bleu_single" in row.paper for row in self.rows) else "bleu"

    @property
    def systems(self) -> list[Row]:
        """One row for each different system."""
        first: dict[str, Row] = {}
        for row in self.rows:
            first.setdefault(row.key, row)
        return list(first.values())


def load_tables(task: str) -> TaskTables:
    """The tables of `sgd` or `dart`, from the file that comes with the package."""
    text = (resources.files("recipes.reproduce") / "rows_of" / f"{task}.yaml").read_text("utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    rows = tuple(Row(**row) for row in content.pop("rows"))
    main = next(row for row in rows if {"model": row.model, "decoder": row.decoder} == content["main"])
    return TaskTables(**{**content, "rows": rows, "main": main, "errors": tuple(content["errors"])})
