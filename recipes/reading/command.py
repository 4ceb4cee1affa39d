"""`python -m recipes reading`: texts for a person to judge blind, and the counts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.cli.data_input import Limit, found, load_schema
from controldag.cli.evaluation_input import read_records, train_file
from controldag.data.read import read_examples
from controldag.errors import InvalidInput
from controldag.metrics.seen import Seen
from controldag.run_record import write_result
from recipes.output_files import OutputFiles, texts_of
from recipes.reading.blind_sheet import LABELS, Drawing, count, draw

app = typer.Typer(name="reading", help="Texts for a person to judge blind, and the counts.", no_args_is_help=True)
_KEY = "The key: which item is whose."


@app.command("draw")
def draw_command(
    sheet: Annotated[Path, typer.Argument(help="Where to write the sheet (CSV), for readers.")],
    data: Annotated[Path, typer.Option(help="Data file; also looked for in the data folder.")],
    outputs: OutputFiles,
    key: Annotated[Path, typer.Option(help=f"{_KEY} Keep it from readers.")],
    train: Annotated[
        Path | None, typer.Option(help="Training data, to tell what is unseen; default: beside the data.")
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="How many records.")] = 200,
    everything: Annotated[bool, typer.Option("--seen-too", help="Draw from all records, not the unseen only.")] = False,
    limit: Limit = None,
    seed: Annotated[int, typer.Option(help="Of the draw and of the order.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Draw records on unseen services or relations and shuffle what every system says for them."""
    file = found(data)
    records = read_records(file, load_schema(None, [file]), quiet=quiet)
    texts = texts_of(outputs, records, limit)
    chosen = list(range(len(records[:limit])))
    if not everything:
        trained_on = train_file(train, file)
        if trained_on is None:
            raise InvalidInput.of("--train", "be given to tell what is unseen", None, remedy="Or use --seen-too.")
        seen = Seen.of(read_examples(trained_on))
        chosen = [index for index in chosen if records[index] not in seen]
    taken = {name: [said[index] for index in chosen] for name, said in texts.items()}
    items = draw(sheet, key, [records[index] for index in chosen], taken, Drawing(n, seed))
    remark(f"{items:,} items in {sheet}; whose they are is in {key}", quiet=quiet)


@app.command("count")
def count_command(
    sheet: Annotated[Path, typer.Argument(help="The sheet with its labels filled in: 1 for a fault, else 0.")],
    key: Annotated[Path, typer.Option(help=_KEY)],
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the counts in this file.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join the labels of a sheet with its key: faults of each system by kind."""
    counts = count(found(sheet), found(key))
    if to is not None:
        write_result(to, counts, {"sheet": sheet.name, "key": key.name})
        remark(f"counts kept in {to}", quiet=quiet)
    if as_json:
        print_json(counts)
    else:
        out.print(_table(counts))


def _table(counts: dict[str, Any]) -> Table:
    table = Table("system", "read", "left", *LABELS, "any", title="texts with a fault, % (95 %)", box=SIMPLE)
    for system, row in counts.items():
        cells = (_shown(row[label]) for label in (*LABELS, "any"))
        table.add_row(system, str(row["read"]), str(row["left"]), *cells)
    return table


def _shown(cell: dict[str, Any]) -> str:
    if "percent" not in cell:
        return "–"
    low, high = cell["interval"]
    return f"{cell['percent']:.1f} ({low:.1f}–{high:.1f})"
