"""What `python -m recipes reproduce` writes once its rows are decoded: scores, comparisons, page and figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.box import SIMPLE
from rich.table import Table

from controldag.cli.console import out, print_json, remark
from controldag.cli.data_input import names_of
from controldag.cli.evaluation_input import training_data
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.evaluation.figures import EvaluationOptions
from controldag.evaluation.scoring_log import is_test
from controldag.evaluation.verification import MeaningJudge
from controldag.files import atomic_write, atomic_write_text, write_json
from controldag.metrics.background import Background
from controldag.metrics.bootstrap import BootstrapOptions
from controldag.run_record import circumstances
from recipes.reproduce.comparison import comparisons
from recipes.reproduce.page import errors_per_10_000, page, shown
from recipes.reproduce.plot import figure_png
from recipes.reproduce.rows import Row, TaskTables
from recipes.reproduce.run import Reproduction
from recipes.reproduce.scores import RowResult, Scoring, scored


@dataclass(frozen=True, slots=True)
class Scores:
    """How the command wants its rows scored."""

    task: str
    schema: Schema | None
    draws: int
    bleurt: Path | None
    log: Path
    meaning: MeaningJudge | None


def write_tables(run: Reproduction, records: list[Example], how: Scores, *, quiet: bool, as_json: bool) -> None:
    """Scores what is decoded, writes page, JSON and figure, and prints the table or one JSON object."""
    options, tables, file = run.options, run.tables, run.options.data
    training = training_data(options.train, how.schema, quiet=quiet)
    background = Background.of(how.schema, records, training, source=names_of([file]))
    evaluation = EvaluationOptions(BootstrapOptions(draws=how.draws), how.bleurt, how.meaning)

    def tell(row: Row) -> None:
        remark(f"scored: {row.key}", quiet=quiet)

    results = scored(run, Scoring(background, evaluation, how.log), tell)
    compared = comparisons(tables, results, run.examples, training, evaluation.bootstrap)
    text = page(tables, results, compared, heading=_heading(how.task, run, results), is_test=is_test(file))
    _write(options.folder, tables, results, compared, text)
    remark(
        f"written: {options.folder}.md, .json, .png where latency was measured; rows in {options.folder}", quiet=quiet
    )
    if as_json:
        print_json({"rows": [_summary(result) for result in results], "comparisons": compared})
        return
    out.print(_table(tables, results, beside=is_test(file)))
    for reason in dict.fromkeys(result.missing for result in results if result.missing):
        rows = [result.row.label for result in results if result.missing == reason]
        remark(f"not run, since {reason}: {', '.join(rows)}", quiet=quiet)


def _heading(task: str, run: Reproduction, results: list[RowResult]) -> str:
    made = circumstances()
    machine = made["machine"]
    devices = {result.report["system"].get("device", "") for result in results if result.report}
    parts = (
        f"`python -m recipes reproduce {task}` on {names_of([run.options.data])}, {len(run.examples):,} records",
        f"texts in batches, latency one request at a time over the first {run.options.timed:,}",
        f"decoded on {' and '.join(sorted(devices - {''})) or 'no device'} (each row's file says where)",
        f"scored on {machine['processor']}, {machine['cores']} cores, {machine['system']}",
        f"commit {made['commit'][:12]}, {made['date'][:10]}",
    )
    return "; ".join(parts) + "."


def _write(
    folder: Path, tables: TaskTables, results: list[RowResult], compared: list[dict[str, object]], text: str
) -> None:
    write_json(
        folder.with_suffix(".json"),
        {"rows": [_summary(result) for result in results], "comparisons": compared, **circumstances()},
    )
    with atomic_write_text(folder.with_suffix(".md")) as file:
        file.write(text)
    picture = figure_png(tables, results)
    if picture is None:
        folder.with_suffix(".png").unlink(missing_ok=True)  # one of an earlier run would not belong to this page
        return
    with atomic_write(folder.with_suffix(".png")) as file:
        file.write(picture)


def _summary(result: RowResult) -> dict[str, object]:
    row = result.row
    return {
        "key": row.key,
        "label": row.label,
        "missing": result.missing,
        "paper": dict(row.paper),
        "report": result.report,
    }


def _table(tables: TaskTables, results: list[RowResult], *, beside: bool) -> Table:
    """The few columns that fit a terminal; the page has all."""
    table = Table(title=tables.title, box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("row", "BLEU", "paper", "unseen", "errors in 10,000", "wrong meaning", "p99 ms"):
        table.add_column(heading, justify="left" if heading == "row" else "right")
    for result in results:
        row, report = result.row, result.report
        name = f"{row.table}.{row.number} {row.label}" if row.table else row.label
        if report is None:
            continue
        paper = row.paper.get(tables.bleu) if beside else None
        unseen = report["splits"].get("unseen", {}).get(tables.bleu)
        cells = (shown(report[tables.bleu]), shown(paper), shown(unseen), f"{errors_per_10_000(report):,}")
        table.add_row(name, *cells, shown(report["meaning_text"]), shown(report["p99_ms"]))
    return table
