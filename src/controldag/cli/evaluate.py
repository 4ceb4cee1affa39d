"""`controldag evaluate`: every figure of a model and decoder, or of a file of outputs, on a data file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, SkipBad, counting, out, print_json, remark
from controldag.cli.data_input import Limit, Schemas, found, load_schema, names_of
from controldag.cli.evaluation_input import read_records, train_file, training_data
from controldag.cli.evaluation_table import comparison_table, latency_line, report_table
from controldag.cli.verifier_input import meaning_judge
from controldag.errors import InvalidInput
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.figures import Evaluation, EvaluationOptions
from controldag.evaluation.scoring_log import DEFAULT, is_test, log_scoring
from controldag.evaluation.system_outputs import read_outputs, write_outputs
from controldag.evaluation.systems import System, SystemOptions, load_system
from controldag.metrics.background import Background
from controldag.metrics.bootstrap import BootstrapOptions
from controldag.run_record import write_result


def evaluate(
    data: Annotated[Path, typer.Option(help="Data file with references; also looked for in the data folder.")],
    model: asked.Model = "",
    decoder: asked.Decoder = "",
    variant: asked.Variant = "",
    outputs: Annotated[
        Path | None, typer.Option(help="Score these instead: a text a line, or JSON lines with `text`.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="Other outputs for the same data: paired bootstrap against them.")
    ] = None,
    train: Annotated[
        Path | None, typer.Option(help="Training data of the system; default: train.jsonl[.gz] beside the data.")
    ] = None,
    schema: Schemas = None,
    templates: asked.TemplateFolder = None,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time; 1 measures latency.")] = 64,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    like: asked.Like = "",
    draws: Annotated[int, typer.Option(min=1, help="Draws of the bootstrap.")] = 1000,
    bleurt: Annotated[Path | None, typer.Option(help="Folder of a BLEURT checkpoint, for that figure.")] = None,
    meaning: Annotated[
        bool | None,
        typer.Option("--meaning/--no-meaning", help="Judge meaning by `verifier-check`; default: if it is there."),
    ] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the texts here, as JSON lines.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the figures here, with machine, commit and date.")] = None,
    log: Annotated[Path, typer.Option(help="Where scoring a file named test is written down.")] = DEFAULT,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Score a model and decoder, or outputs of any system, on a data file."""
    if bool(outputs) == bool(model or decoder):
        raise InvalidInput("Give --model (with --decoder), or --outputs.", remedy="See `controldag evaluate --help`.")
    file = found(data)
    known = load_schema(schema, [data])
    records = read_records(file, known, skip_bad=skip_bad, quiet=quiet)
    examples = records[:limit]
    trained_on = train_file(train, file)
    if outputs is not None:
        system: System | None = None
        said = read_outputs(found(outputs), records, limit)
        description: dict[str, Any] = {"outputs": outputs.name}
    else:
        chosen = asked.choice(model, device, schema, templates, precision=precision, like=like, variant=variant)
        system = load_system(SystemOptions(chosen, decoder, trained_on)).knowing(known)
        with counting(len(examples), "generating", quiet=quiet) as progress:
            said = run_system(system.generator, examples, system.decoder, batch=batch, progress=progress)
        description = system.description
        for kind, count in said.failures.items():
            first = next(each.id for each, item in zip(examples, said.items, strict=True) if item.error == kind)
            remark(f"no text for {count} of {len(examples)} records: {kind}; the first is {first}", quiet=quiet)
    if to is not None:
        write_outputs(to, examples, said)
    known = known or (system.schema if system else None)
    training = training_data(trained_on, known, quiet=quiet)
    rules = system.rules if system else None
    background = Background.of(known, records, training, source=names_of([file]), rules=rules)
    options = EvaluationOptions(BootstrapOptions(draws=draws), bleurt, meaning_judge(meaning, quiet=quiet))
    evaluation = Evaluation(examples, said, background, options)
    report = {"data": names_of([file]), "system": description, **evaluation.report()}
    if compare is not None:
        other = Evaluation(examples, read_outputs(found(compare), records, limit), background, options)
        report["compare"] = {"other": compare.name, **evaluation.compare(other)}
    if is_test(file):
        earlier = log_scoring(log, file, description, report)
        remark(f"logged in {log}: this file had been scored {earlier} times before", quiet=quiet)
    if save is not None:
        write_result(
            save,
            report,
            {"limit": limit, "batch": batch, "draws": draws, "train": names_of([trained_on] if trained_on else [])},
        )
    if as_json:
        print_json(report)
        return
    out.print(report_table(report))
    out.print(latency_line(report), markup=False, soft_wrap=True)
    if compare is not None:
        out.print(comparison_table(report["compare"]))
