"""`controldag calibrate`: the cost above which a checkpoint's texts are flagged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, counting, out, print_json, remark
from controldag.cli.data_input import Limit, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records
from controldag.errors import InvalidInput
from controldag.experiments.flagging import calibration, costed_texts
from controldag.experiments.record import write_result
from controldag.experiments.scoring_log import is_test
from controldag.generation.settings import FILE
from controldag.pipeline import ControlDag


def calibrate(
    model: Annotated[str, typer.Argument(help="A bundled model, a folder, or a Hub id.")],
    data: Annotated[Path, typer.Option(help="Development data with references; also looked for in the data folder.")],
    share: Annotated[float, typer.Option(help="Of the texts that should be flagged.")] = 0.02,
    every: Annotated[int, typer.Option(min=1, help="Take every so many records only.")] = 1,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 64,
    device: asked.Device = "cpu",
    write: Annotated[bool, typer.Option("--write", help="Put the threshold into the model's generation.json.")] = False,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the figures here.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find the cost of constraints above which a text is flagged, and how flagged texts fare."""
    file = found(data)
    if is_test(file):
        raise InvalidInput.of("--data", "be no test data", file.name, remedy="Choose settings on development data.")
    examples = read_records(file, load_schema(None, [file]), quiet=quiet)[::every][:limit]
    loaded = ControlDag.from_pretrained(model, device=device)
    with counting(len(examples), "decoding", quiet=quiet) as progress:
        figures = calibration(costed_texts(loaded, examples, batch=batch, progress=progress), share)
    if to is not None:
        settings = {"model": loaded.checkpoint.name, "data": names_of([file]), "share": share, "every": every}
        write_result(to, figures, {**settings, "limit": limit})
        remark(f"figures kept in {to}", quiet=quiet)
    if write:
        path = loaded.checkpoint.folder / FILE
        replace(loaded.checkpoint.settings, flag_above=figures["flag_above"]).save(path)
        remark(f"{path.name} of {loaded.checkpoint.name} written", quiet=quiet)
    if as_json:
        print_json(figures)
        return
    out.print(
        f"flag_above {figures['flag_above']:g}: {figures['flagged']:,} of {figures['texts']:,} texts lie above it"
    )
    sides = (("flagged", figures["bleu_flagged"]), ("the others", figures["bleu_others"]))
    out.print("; ".join(f"BLEU of {name} {value:.1f}" for name, value in sides if value is not None))
