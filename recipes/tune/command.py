"""`python -m recipes tune`: a decoder's settings tried on development data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, counting, out, print_json, remark
from controldag.cli.data_input import Limit, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records, train_file
from controldag.constraints import WordList
from controldag.data.read import read_examples
from controldag.errors import InvalidInput
from controldag.evaluation.scoring_log import is_test
from controldag.evaluation.systems import SystemOptions, load_system
from controldag.metrics.seen import Seen
from controldag.run_record import write_result
from controldag.text.words import WordFile
from recipes.setting_options import grid_of
from recipes.tune.search import Judge, cells_of, tune


def tune_command(
    model: Annotated[str, typer.Argument(help="A bundled model, a folder, or a Hub id.")],
    data: Annotated[Path, typer.Option(help="Development data with references; also looked for in the data folder.")],
    grid: Annotated[list[str] | None, typer.Option("--set", help="KEY=V1,V2,...: values to try; repeat it.")] = None,
    decoder: asked.Decoder = "",
    words: Annotated[
        list[Path] | None, typer.Option(help="A list of allowed words to try instead of the model's; repeat it.")
    ] = None,
    train: Annotated[
        Path | None, typer.Option(help="Training data, to tell what is unseen; default: beside the data.")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Take every so many records only.")] = 1,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 64,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    templates: asked.TemplateFolder = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep figures and the best settings here.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Try every combination of some settings on development data, and keep the best for `reproduce --tuned`."""
    cells = cells_of(grid_of(grid or [])) if grid or not words else [{}]
    lists = {each.stem: WordList(WordFile.load(found(each))) for each in words or []}
    file = found(data)
    if is_test(file):
        raise InvalidInput.of("--data", "be no test data", file.name, remedy="Choose settings on development data.")
    schema = load_schema(None, [file])
    examples = read_records(file, schema, quiet=quiet)[::every][:limit]
    trained_on = train_file(train, file)
    seen = Seen.of(read_examples(trained_on)) if trained_on is not None else None
    unseen = [seen is not None and example not in seen for example in examples]
    chosen = asked.choice(model, device, None, templates, precision=precision, like=like)
    system = load_system(SystemOptions(chosen, decoder))
    judge = Judge(examples, unseen, schema or system.schema, system.rules)
    with counting(len(examples), "decoding", quiet=quiet) as progress:
        figures = tune(system, cells, judge, words=lists, batch=batch, progress=progress)
    if to is not None:
        settings = {
            "system": system.description,
            "data": names_of([file]),
            "train": names_of([trained_on] if trained_on else []),
            "n": len(examples),
            "unseen": sum(unseen),
            "every": every,
            "limit": limit,
            "batch": batch,
        }
        write_result(to, figures, settings)
        remark(f"figures kept in {to}", quiet=quiet)
    if as_json:
        print_json(figures)
    else:
        out.print(_table(figures))
        out.print(f"best ({figures['chosen_by']}): {_shown(figures['best'])}", markup=False, soft_wrap=True)


def _table(figures: dict[str, Any]) -> Table:
    """The cells, best first; the file has the rest."""
    names = [name for name in figures["best"] if name not in ("settings", "words", "failures")]
    table = Table(box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name.replace("_", "\n"), justify="right")
    table.add_column("settings", overflow="fold")
    for cell in sorted(figures["cells"], key=lambda each: -(each["score"] or 0.0)):
        values = ("–" if (value := cell[name]) is None else f"{value:.4g}" for name in names)
        table.add_row(*values, _shown(cell))
    return table


def _shown(cell: dict[str, Any]) -> str:
    shown = [f"{key}={value}" for key, value in cell["settings"].items()]
    return " ".join([*shown, *([cell["words"]] if "words" in cell else [])])
