"""`python -m recipes reproduce`: the paper's tables, its figures beside ours, and the rows it lacks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, counting, remark
from controldag.cli.data_input import Limit, data_folder, found, load_schema
from controldag.cli.evaluation_input import read_records, train_file
from controldag.errors import InvalidInput
from controldag.evaluation.scoring_log import DEFAULT
from recipes.reproduce.rows import Row, TaskTables, load_tables
from recipes.reproduce.run import Reproduction, ReproductionOptions
from recipes.setting_options import pair, scoped_settings


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
    only: Annotated[str, typer.Option(help="Roles to run, with commas between; other rows are shown if kept.")] = "",
    decoders: Annotated[str, typer.Option(help="Decoders to run, likewise; default: all of those roles.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--setting", help="ROLE.KEY=VALUE or ROLE/DECODER.KEY=VALUE; repeat it.")
    ] = None,
    tuned: Annotated[
        list[str] | None, typer.Option(help="ROLE=FILE or ROLE/DECODER=FILE: the best settings of `tune`; repeat it.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Training data; default: what stands beside the data.")] = None,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time for quality.")] = 64,
    timed: Annotated[int, typer.Option(min=0, help="First records said one by one for latency; 0: none.")] = 500,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    likes: Annotated[
        list[str] | None,
        typer.Option("--like", help="For folders fresh from training: whose settings they take; ROLE=NAME for one."),
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="Draws of the bootstrap.")] = 1000,
    bleurt: Annotated[Path | None, typer.Option(help="Folder of a BLEURT checkpoint, for that figure.")] = None,
    meaning: Annotated[
        bool | None,
        typer.Option("--meaning/--no-meaning", help="Judge meaning by `verifier-check`; default: if it is there."),
    ] = None,
    to: Annotated[Path, typer.Option("--out", "-o", help="Folder of the results.")] = Path("results/reproduce"),
    decode_only: Annotated[
        bool, typer.Option("--decode-only", help="Write texts and times; a later run without it scores them.")
    ] = False,
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
    templates = data_folder() / tables.templates if tables.templates else None
    options = ReproductionOptions(
        data=file,
        folder=to / task / file.name.partition(".")[0],
        models=_by_role("--model", models or [], tables),
        only=_known("--only", only, [row.role for row in tables.systems]),
        decoders=_known("--decoders", decoders, [row.decoder for row in tables.systems]),
        settings=scoped_settings(settings or [], tuned or [], tables.models),
        train=train_file(train, file),
        templates=templates if templates is not None and templates.is_dir() else None,
        batch=batch,
        timed=timed,
        device=device,
        precision=precision,
        likes=_by_role("--like", [each if "=" in each else f"={each}" for each in likes or []], tables, for_all=True),
        again=again,
    )
    run = Reproduction(tables, records[:limit], options)
    _decode(run, quiet=quiet)
    if decode_only:
        remark(f"texts and times are in {options.folder}", quiet=quiet)
        return
    # Scoring needs packages that a machine for decoding may lack.
    from controldag.cli.verifier_input import meaning_judge
    from recipes.reproduce.tables import Scores, write_tables

    judge = meaning_judge(meaning, quiet=quiet)
    write_tables(run, records, Scores(task, schema, draws, bleurt, log, judge), quiet=quiet, as_json=as_json)


def _decode(run: Reproduction, *, quiet: bool) -> None:
    with counting(len(run.examples), "rows", quiet=quiet) as bar:

        def tell(row: Row, done: int) -> None:
            if done == len(run.examples):
                remark(f"decoded: {row.role}", quiet=quiet)
            bar(done)

        run.decode(tell)


def _by_role(option: str, given: list[str], tables: TaskTables, *, for_all: bool = False) -> dict[str, str]:
    """What is given to each role; `for_all`: what is given to none in particular has the role ``."""
    found = {}
    for each in given:
        if for_all and each.startswith("="):
            found[""] = each[1:]
            continue
        form = f"ROLE=NAME_OR_FOLDER with a role of {', '.join(tables.models)}"
        role, name = pair(option, each, form)
        if role not in tables.models:
            raise InvalidInput.of(option, f"be {form}", each)
        found[role] = name
    return found


def _known(option: str, text: str, names: list[str]) -> frozenset[str]:
    """The names with commas between, each one of `names`."""
    given = frozenset(part for part in text.split(",") if part)
    for name in sorted(given - set(names)):
        raise InvalidInput.of(option, f"be of {', '.join(dict.fromkeys(names))}", name)
    return given
