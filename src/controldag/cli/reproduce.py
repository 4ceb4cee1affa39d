"""`controldag reproduce`: the paper's tables, its figures beside ours, and the rows it lacks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.table import Table

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, counting, out, print_json, remark
from controldag.cli.data_input import Limit, data_folder, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records, train_file, training_data
from controldag.errors import InvalidInput
from controldag.experiments.evaluation import EvaluationOptions
from controldag.experiments.record import circumstances
from controldag.experiments.reproduction import Reproduction, ReproductionOptions, RowResult
from controldag.experiments.reproduction_comparison import comparisons
from controldag.experiments.reproduction_page import errors_per_10_000, page, shown
from controldag.experiments.reproduction_plot import figure_png
from controldag.experiments.reproduction_rows import Row, TaskTables, load_tables
from controldag.experiments.scoring_log import DEFAULT, is_test
from controldag.files import atomic_write, atomic_write_text, write_json
from controldag.metrics.background import Background
from controldag.metrics.bootstrap import BootstrapOptions


class Task(StrEnum):
    """Which of the paper's data sets."""

    SGD = "sgd"
    DART = "dart"


def reproduce(
    task: Annotated[Task, typer.Argument(help="Tables 1 and 2 (sgd) or Table 3 (dart).")],
    data: Annotated[Path | None, typer.Option(help="Data file; default: the task's test data.")] = None,
    models: Annotated[
        list[str] | None, typer.Option("--model", help="ROLE=NAME_OR_FOLDER, e.g. ours=sgd-mini; repeat it.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Training data; default: what stands beside the data.")] = None,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time for quality.")] = 64,
    timed: Annotated[int, typer.Option(min=0, help="First records said one by one for latency; 0: none.")] = 500,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    draws: Annotated[int, typer.Option(min=1, help="Draws of the bootstrap.")] = 1000,
    bleurt: Annotated[Path | None, typer.Option(help="Folder of a BLEURT checkpoint, for that figure.")] = None,
    to: Annotated[Path, typer.Option("--out", "-o", help="Folder of the results.")] = Path("results/reproduce"),
    again: Annotated[bool, typer.Option("--again", help="Run rows that are there already as well.")] = False,
    log: Annotated[Path, typer.Option(help="Where scoring a file named test is written down.")] = DEFAULT,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Run the rows of the paper's tables that are not there yet, and write table, JSON and figure."""
    tables = load_tables(task)
    file = found(data if data is not None else Path(tables.data, "test.jsonl.gz"))
    schema = load_schema(None, [file])
    records = read_records(file, schema, quiet=quiet)
    trained_on = train_file(train, file)
    training = training_data(trained_on, schema, quiet=quiet)
    templates = data_folder() / tables.templates if tables.templates else None
    options = ReproductionOptions(
        data=file,
        folder=to / task / file.name.partition(".")[0],
        models=_models(models or [], tables),
        train=trained_on,
        templates=templates if templates is not None and templates.is_dir() else None,
        batch=batch,
        timed=timed,
        device=device,
        precision=precision,
        like=like,
        again=again,
        log=log,
        evaluation=EvaluationOptions(BootstrapOptions(draws=draws), bleurt),
    )
    background = Background.of(schema, records, training, source=names_of([file]))
    run = Reproduction(tables, records[:limit], background, options)
    results = _run(run, quiet=quiet)
    compared = comparisons(tables, results, run.examples, training, options.evaluation.bootstrap)
    heading = _heading(task, file, len(run.examples), options)
    text = page(tables, results, compared, heading=heading, is_test=is_test(file))
    _write(options.folder, tables, results, compared, text)
    remark(
        f"written: {options.folder}.md, .json, .png where latency was measured; rows in {options.folder}", quiet=quiet
    )
    if as_json:
        print_json({"rows": [_summary(result) for result in results], "comparisons": compared})
    else:
        out.print(_table(tables, results, beside=is_test(file)))
        for reason in dict.fromkeys(result.missing for result in results if result.missing):
            rows = [result.row.label for result in results if result.missing == reason]
            remark(f"not run, since {reason}: {', '.join(rows)}", quiet=quiet)


def _run(run: Reproduction, *, quiet: bool) -> list[RowResult]:
    with counting(len(run.examples), "rows", quiet=quiet) as bar:

        def tell(row: Row, done: int) -> None:
            if done == len(run.examples):
                remark(f"done: {row.key}", quiet=quiet)
            bar(done)

        return run.run(tell)


def _models(given: list[str], tables: TaskTables) -> dict[str, str]:
    models = {}
    for each in given:
        role, equals, name = each.partition("=")
        if not equals or role not in tables.models or not name:
            roles = ", ".join(tables.models)
            raise InvalidInput.of("--model", f"be ROLE=NAME_OR_FOLDER with a role of {roles}", each)
        models[role] = name
    return models


def _heading(task: str, file: Path, count: int, options: ReproductionOptions) -> str:
    run = circumstances()
    machine = run["machine"]
    parts = (
        f"`controldag reproduce {task}` on {names_of([file])}, {count:,} records",
        f"quality in batches of {options.batch}, latency one request at a time over the first {options.timed:,}",
        f"device {options.device}",
        f"{machine['processor']}, {machine['cores']} cores, {machine['system']}",
        f"commit {run['commit'][:12]}, {run['date'][:10]}",
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
    for heading in ("row", "BLEU", "paper", "unseen", "errors in 10,000", "p99 ms"):
        table.add_column(heading, justify="left" if heading == "row" else "right")
    for result in results:
        row, report = result.row, result.report
        name = f"{row.table}.{row.number} {row.label}" if row.table else row.label
        if report is None:
            continue
        paper = row.paper.get(tables.bleu) if beside else None
        unseen = report["splits"].get("unseen", {}).get(tables.bleu)
        cells = (shown(report[tables.bleu]), shown(paper), shown(unseen), f"{errors_per_10_000(report):,}")
        table.add_row(name, *cells, shown(report["p99_ms"]))
    return table
