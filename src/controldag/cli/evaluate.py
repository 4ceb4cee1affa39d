"""`controldag evaluate`: every figure of a model and decoder, or of a file of outputs, on a data file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.cli.console import Json, Quiet, SkipBad, counting, out, print_json, remark
from controldag.cli.data_input import DataSource, Limit, Schemas, found, load_schema, names_of
from controldag.cli.evaluation_table import comparison_table, latency_line, report_table
from controldag.data.read import SkipLog
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.errors import InvalidInput
from controldag.experiments.decode_run import run_system
from controldag.experiments.evaluation import Evaluation, EvaluationOptions
from controldag.experiments.scoring_log import DEFAULT, is_test, log_scoring
from controldag.experiments.system_outputs import read_outputs, write_outputs
from controldag.experiments.systems import System, SystemOptions, load_system
from controldag.metrics.background import Background, TrainingData
from controldag.metrics.bootstrap import BootstrapOptions

_TRAIN_NAMES = ("train.jsonl.gz", "train.jsonl")


def evaluate(
    data: Annotated[Path, typer.Option(help="Data file with references; also looked for in the data folder.")],
    model: Annotated[str, typer.Option(help="A bundled model (sgd-mini, dart-mini) or a folder.")] = "",
    decoder: Annotated[str, typer.Option(help="By name: greedy, control-dag, ...; default: the model's.")] = "",
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
    templates: Annotated[Path | None, typer.Option(help="Folder of templates, for the decoder `templates`.")] = None,
    limit: Limit = None,
    batch: Annotated[int, typer.Option(min=1, help="Requests at a time; 1 measures latency.")] = 64,
    device: Annotated[str, typer.Option(help="Where the model runs: cpu, cuda.")] = "cpu",
    precision: Annotated[str, typer.Option(help="float32, bfloat16 or int8; default: float32, on cuda bfloat16.")] = "",
    draws: Annotated[int, typer.Option(min=1, help="Draws of the bootstrap.")] = 1000,
    bleurt: Annotated[Path | None, typer.Option(help="Folder of a BLEURT checkpoint, for that figure.")] = None,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the texts here, as JSON lines.")] = None,
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
    records = _read(file, known, skip_bad=skip_bad, quiet=quiet)
    examples = records[:limit]
    if outputs is not None:
        system = None
        said = read_outputs(found(outputs), records, limit)
        description: dict[str, Any] = {"outputs": outputs.name}
    else:
        wanted = SystemOptions(
            model=model,
            decoder=decoder,
            device=device,
            precision=precision,
            schema=Schema.load(*map(found, schema)) if schema else None,
            templates=Templates.load(found(templates)) if templates else None,
        )
        system = load_system(wanted)
        with counting(len(examples), "generating", quiet=quiet) as progress:
            said = run_system(system.generator, examples, system.decoder, batch=batch, progress=progress)
        description = system.description
    if to is not None:
        write_outputs(to, examples, said)
    background = _background(file, records, system, train=train, schema=known, quiet=quiet)
    options = EvaluationOptions(BootstrapOptions(draws=draws), bleurt)
    evaluation = Evaluation(examples, said, background, options)
    report = {"data": names_of([file]), "system": description, **evaluation.report()}
    if compare is not None:
        other = Evaluation(examples, read_outputs(found(compare), records, limit), background, options)
        report["compare"] = {"other": compare.name, **evaluation.compare(other)}
    if is_test(file):
        earlier = log_scoring(log, file, description, report)
        remark(f"logged in {log}: this file had been scored {earlier} times before", quiet=quiet)
    if as_json:
        print_json(report)
        return
    out.print(report_table(report))
    out.print(latency_line(report), markup=False, soft_wrap=True)
    if compare is not None:
        out.print(comparison_table(report["compare"]))


def _read(file: Path, schema: Schema | None, *, skip_bad: bool, quiet: bool) -> list[Example]:
    source = DataSource(schema, SkipLog() if skip_bad else None, quiet)
    records = list(source.examples([file]))
    source.say_what_was_skipped()
    if not records:
        raise InvalidInput.of("data", "hold a record", str(file))
    return records


def _background(
    file: Path, records: list[Example], system: System | None, *, train: Path | None, schema: Schema | None, quiet: bool
) -> Background:
    """What the texts are judged against; without training data, without seen and unseen."""
    schema = schema or (system.schema if system is not None else None)
    path = found(train) if train is not None else _train_beside(file)
    if path is None:
        remark("no --train: no figures by seen and unseen, verbatim or not; no strict neologisms", quiet=quiet)
        training = None
    else:
        source = DataSource(None, None, quiet)
        training = TrainingData.of(source.examples([path]), schema, source=names_of([path]))
    rules = system.rules if system is not None else None
    return Background.of(schema, records, training, source=names_of([file]), rules=rules)


def _train_beside(file: Path) -> Path | None:
    """The training data that stands with a data file, as its schemas do."""
    return next((path for name in _TRAIN_NAMES if (path := file.parent / name).is_file()), None)
