"""The tables: every row of the paper with its figures, systems that exist, notes that are used; the page and figure."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from controldag.evaluation.nearest_template import NAME as NEAREST
from controldag.generation.decoders import DECODERS
from controldag.generation.template_backend import TEMPLATES
from controldag.metrics.suite import NAMES
from recipes.reproduce.page import errors_per_10_000, page
from recipes.reproduce.plot import figure_png
from recipes.reproduce.rows import TASKS, TaskTables, load_tables
from recipes.reproduce.scores import RowResult

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("task", TASKS)
def test_rows_are_systems_that_exist(task: str) -> None:
    tables = load_tables(task)
    assert tables.main.label == "Control-DAG"
    presets = {path.stem for path in (ROOT / "src/controldag/training/presets").glob("*.yaml")}
    assert set(tables.models.values()) <= presets and tables.like in presets
    for row in tables.rows:
        assert row.decoder in {*DECODERS, TEMPLATES, NEAREST}, row
        assert not row.model or row.model in tables.models
        assert not row.note or row.note in tables.notes
        assert set(row.paper) <= {*NAMES, "seconds"}
        assert re.fullmatch(r"[\w+.-]+", row.key)
    assert {row.note for row in tables.rows} - {""} == set(tables.notes)
    assert len(tables.systems) == len({row.key for row in tables.rows}) < len(tables.rows) + 1


@pytest.mark.parametrize(("table", "task", "columns"), [
    (1, "sgd", ("bleurt", "bleu", "bp", "neo", "ser")),
    (2, "sgd", ("bleurt", "bleu", "neo", "ser")),
    (3, "dart", ("bleurt", "bleu_single", "bp_single", "neo", "eor")),
])  # fmt: skip
def test_the_papers_figures_are_those_of_the_paper_map(table: int, task: str, columns: tuple[str, ...]) -> None:
    text = (ROOT / "docs/paper_map.md").read_text("utf-8").split(f"## Table {table}")[1].split("\n## ")[0]
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if re.match(r"\| \d", line)]
    expected = {int(cells[0]): [float(cell) for cell in cells[2 : 2 + len(columns)]] for cells in lines}
    rows = {row.number: row for row in load_tables(task).rows if row.table == table}
    assert {number: [row.paper[name] for name in columns] for number, row in rows.items()} == expected


def report(**changes: Any) -> dict[str, Any]:
    figures = dict.fromkeys(NAMES, 1.0) | {
        "any_error": 0.0,
        "fallbacks": 0,
        "p50_ms": 4.0,
        "p99_ms": 8.0,
        "bleurt": None,
        "timed_on": "cpu",
    }
    return {**figures, "splits": {"unseen": {"bleu": 21.5, "bleu_single": 21.5}}, **changes}


def results(tables: TaskTables) -> list[RowResult]:
    found = []
    for row in tables.systems:
        if row.model == "paper":
            found.append(RowResult(row, missing="the weights are not here"))
        elif row.decoder == "ar-constrained-beam":
            found.append(RowResult(row, report(p50_ms=20.0)))
        elif row.decoder == "greedy":
            found.append(RowResult(row, report(any_error=12.345, fallbacks=3)))
        else:
            found.append(RowResult(row, report()))
    return found


def test_the_page_has_the_papers_figures_beside_test_data_only() -> None:
    tables = load_tables("sgd")
    compared = [
        {
            "other": "templates",
            "label": "templates",
            "part": "all",
            "main": 30.0,
            "figure": 25.0,
            "difference": 5.0,
            "interval": [4.0, 6.0],
            "p": 0.001,
        }
    ]
    text = page(tables, results(tables), compared, heading="heading", is_test=True)
    line = next(each for each in text.splitlines() if each.startswith("| 11 | Control-DAG |"))
    assert "1.00 (22.90)" in line and "5.00 (1.68)" in line and "21.50" in line
    greedy = next(each for each in text.splitlines() if each.startswith("| 4 | greedy |"))
    assert "| 3 | 1,234 |" in greedy
    assert "*the weights are not here*" in text and "| templates (templates) | all | 30.00 | 25.00 | +5.00 |" in text
    assert "no BLEURT checkpoint given" in text
    lengths = {each.count("|") for each in text.split("## Control-DAG against")[0].splitlines() if each.startswith("|")}
    assert len(lengths) == 1
    development = page(tables, results(tables), [], heading="heading", is_test=False)
    assert "22.90" not in development and "do not stand beside" in development


def test_errors_are_never_rounded_away() -> None:
    assert [errors_per_10_000({"any_error": share}) for share in (0.0, 0.001, 0.5, 100.0)] == [0, 1, 50, 10_000]


@pytest.mark.parametrize("task", TASKS)
def test_the_figure(task: str) -> None:
    tables = load_tables(task)
    picture = figure_png(tables, results(tables))
    assert picture is not None and picture.startswith(b"\x89PNG")
    untimed = [RowResult(row, report(p99_ms=None)) for row in tables.systems]
    assert figure_png(tables, untimed) is None
