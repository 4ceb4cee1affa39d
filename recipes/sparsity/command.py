"""`python -m recipes sparsity`: the appendix's statistics of a model's graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, counting, out, print_json, remark
from controldag.cli.data_input import Limit, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records
from controldag.evaluation.systems import SystemOptions, load_system
from controldag.run_record import write_result
from recipes.sparsity.measure import DEFAULT_THRESHOLD, sparsity


def sparsity_command(
    model: Annotated[str, typer.Argument(help="A bundled model, a folder, or a Hub id.")],
    data: Annotated[Path, typer.Option(help="Inputs; also looked for in the data folder.")],
    threshold: Annotated[float, typer.Option(help="What is likelier than this counts.")] = DEFAULT_THRESHOLD,
    every: Annotated[int, typer.Option(min=1, help="Take every so many records only.")] = 1,
    limit: Limit = None,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    templates: asked.TemplateFolder = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the figures in this file.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """How many transitions and emissions of a vertex are likely, and how much of the probability the best few hold."""
    file = found(data)
    examples = read_records(file, load_schema(None, [file]), quiet=quiet)[::every][:limit]
    chosen = asked.choice(model, device, None, templates, precision=precision, like=like)
    system = load_system(SystemOptions(chosen))
    with counting(len(examples), "predicting", quiet=quiet) as progress:
        figures = sparsity(system.model, examples, threshold=threshold, progress=progress)
    if to is not None:
        settings = {"system": system.description, "data": names_of([file]), "every": every, "limit": limit}
        write_result(to, figures, settings)
        remark(f"figures kept in {to}", quiet=quiet)
    if as_json:
        print_json(figures)
    else:
        out.print(_table(figures))


def _table(figures: dict[str, Any]) -> Table:
    title = f"{figures['graphs']:,} graphs of {figures['vertices_a_graph']:g} vertices, means of a vertex"
    kept = figures["transitions"]["mass_of_best"]
    table = Table(title=title, box=SIMPLE)
    for heading in ("", f"above {figures['threshold']:g}", *(f"best {n}" for n in kept)):
        table.add_column(heading, no_wrap=True)
    for name in ("transitions", "emissions"):
        row = figures[name]
        table.add_row(name, f"{row['above']:.2f}", *(f"{mass:.3f}" for mass in row["mass_of_best"].values()))
    return table
