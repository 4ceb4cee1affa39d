"""`python -m recipes stress`: development turns with odd values, schemas in other words, 0 to 10 values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from controldag.cli import request_options as asked
from controldag.cli.console import ExitCode, Json, Quiet, counting, out, print_json
from controldag.cli.data_input import found, load_schema, names_of
from controldag.cli.evaluation_input import read_records, train_file, training_data
from controldag.errors import InvalidInput
from controldag.evaluation.scoring_log import is_test
from controldag.evaluation.systems import checkpoint_digest
from controldag.files import write_json
from controldag.metrics.background import Background
from controldag.pipeline import ControlDag
from controldag.run_record import write_result
from recipes.stress.suite import Stressed, StressOptions, report, run_suite, variants


def stress(
    data: Annotated[Path, typer.Option(help="Development turns (SGD); also looked for in the data folder.")] = Path(
        "sgd", "dev.jsonl.gz"
    ),
    model: asked.Model = asked.DEFAULT_MODEL,
    decoder: asked.Decoder = "",
    turns: Annotated[int, typer.Option(min=1, help="Turns of each variant, at most.")] = 500,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time.")] = 64,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep inputs and texts here, as JSON.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the figures here, with machine, commit and date.")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Change development turns in ways training never showed, say them, and check every text again."""
    file = found(data)
    if is_test(file):
        raise InvalidInput.of("data", "be development data", file.name, remedy="Keep test data for `evaluate`.")
    schema = load_schema(None, [data])
    records = read_records(file, schema, quiet=quiet)
    if schema is None or not all(record.acts for record in records):
        raise InvalidInput.of("data", "hold dialogue acts, with a schema beside it", file.name, remedy="Name SGD's.")
    training = training_data(train_file(None, file), schema, quiet=quiet)
    background = Background.of(schema, records, training, source=names_of([file]))
    loaded = ControlDag.from_pretrained(model, device=device, precision=precision).with_schema(schema)
    wanted = list(variants(records, schema, turns))
    options = StressOptions(turns, decoder or loaded.settings.decoder, batch)
    with counting(sum(len(each.changed) for each in wanted), "generating", quiet=quiet) as progress:
        stressed = list(run_suite(loaded, wanted, options, progress))
    figures = {each.variant.name: report(each, background) for each in stressed}
    total = {
        "n": sum(each["n"] for each in figures.values()),
        "failures": sum(sum(each["failures"].values()) for each in figures.values()),
        "any_error": sum(each["any_error"] for each in figures.values()),
    }
    whole = {"data": names_of([file]), "model": model, "decoder": options.decoder, **total, "variants": figures}
    if to is not None:
        write_json(to, [_texts(each) for each in stressed])
    if save is not None:
        digest = checkpoint_digest(loaded.checkpoint.folder)
        settings = {"turns": turns, "batch": batch, "precision": precision, "checkpoint_sha256": digest}
        write_result(save, whole, settings)
    if as_json:
        print_json(whole)
    else:
        out.print(_table(whole))
    if total["failures"] or total["any_error"]:
        raise typer.Exit(ExitCode.INTERNAL)


def _texts(stressed: Stressed) -> dict[str, Any]:
    return {
        "variant": stressed.variant.name,
        "turns": [
            {
                "id": example.id,
                "service": example.service,
                "acts": [[act.act, act.slot, list(act.values)] for act in example.acts],
                "reference": example.target,
                "text": item.text,
                "error": item.error,
            }
            for example, item in zip(stressed.variant.changed, stressed.after.items, strict=True)
        ],
    }


def _table(whole: dict[str, Any]) -> Table:
    title = f"{whole['model']} {whole['decoder']} on changed turns of {whole['data']}"
    table = Table(title=title, box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("variant", no_wrap=True)
    for heading in ("turns", "failed", "wrong", "BLEU", "untouched", "values as words", "untouched"):
        table.add_column(heading, justify="right")
    for name, found_ in whole["variants"].items():
        bleu = (
            f"{found_[figure]:.1f}" if figure in found_ else "-"
            for figure in (
                "bleu",
                "bleu_untouched",
                "bleu_values_as_words",
                "bleu_values_as_words_untouched",
            )
        )
        table.add_row(name, str(found_["n"]), str(sum(found_["failures"].values())), str(found_["any_error"]), *bleu)
    table.add_row("all", str(whole["n"]), str(whole["failures"]), str(whole["any_error"]))
    return table
