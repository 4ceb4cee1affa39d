"""`controldag bench end-to-end`: from request to string, Control-DAG against its autoregressive twin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.table import Table

from benchmarks.end_to_end.core_time import core_times
from benchmarks.end_to_end.first_text import first_text_s
from benchmarks.end_to_end.many_processes import Crew, crew_figures
from benchmarks.end_to_end.run import OURS, EndToEndOptions, bench_end_to_end
from benchmarks.end_to_end.twins import peers_of
from benchmarks.end_to_end.verification_cost import verification_cost
from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, out, print_json, progress, remark
from controldag.cli.data_input import found
from controldag.data.read import read_examples
from controldag.data.schema import Schema, find_schemas
from controldag.errors import InvalidInput, MissingDependency
from controldag.pipeline import ControlDag
from controldag.run_record import circumstances, write_result


def bench_end_to_end_command(
    model: Annotated[str, typer.Option(help="A bundled model or a folder.")] = "sgd-mini",
    ar: Annotated[
        Path | None, typer.Option("--ar", help="Folder of its autoregressive twin; default: a random one, for speed.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where the models run: cpu, cuda.")] = "cpu",
    precision: Annotated[str, typer.Option(help="Of Control-DAG's forward pass: float32, bfloat16, int8.")] = "",
    variant: asked.Variant = "",
    also: Annotated[str, typer.Option(help="Further variants in the same run, with commas between.")] = "",
    data: Annotated[Path | None, typer.Option("--data", help="Examples; default: sgd/dev of the data folder.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many of them, from the start.")] = 500,
    every: Annotated[int, typer.Option(min=1, help="Take every so many records only.")] = 1,
    batch: Annotated[str, typer.Option(help="Requests in a call, with commas between.")] = "1,8,64,256",
    threads: Annotated[int, typer.Option(min=0, help="Of the model on a CPU; 0: all cores.")] = 0,
    seconds: Annotated[float, typer.Option(help="For each system and batch size but the largest.")] = 20.0,
    processes: Annotated[
        int, typer.Option(min=0, help="Also texts a second of so many processes at once, 256 requests in a call.")
    ] = 0,
    core_time: Annotated[
        int, typer.Option(min=0, help="Only this: processor time by stage without the forward pass, least of so many.")
    ] = 0,
    n_best: Annotated[int, typer.Option(min=1, help="Texts of a list, with --core-time.")] = 1,
    as_json: Json = False,
    to: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the figures in this file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Latency and texts a second from request to string, beside BLEU and slot errors on the same turns.

    Peers: greedy, beam and constrained beam of the twin, as people run it (transformers), as fast as we can make it,
    and in CTranslate2 (int8, CPU). All warm; loading is left out, checks of the input and of the text are not.
    """
    options = EndToEndOptions(batches=_batches(batch), seconds=seconds)
    if threads:
        _use_threads(threads)
    ours = ControlDag.from_pretrained(model, device=device, precision=precision, variant=variant)
    file = found(data or Path("sgd", "dev.jsonl.gz"))
    schemas = find_schemas(file)
    schema = Schema.load(*schemas) if schemas else ours.knowledge.schema
    examples = list(islice(read_examples(file, schema=schema), 0, limit * every, every))
    about = {"model": model, "variant": variant or "default"}
    if core_time:
        if schema is not None and any(each.service not in ours.knowledge.schema.services for each in examples):  # type: ignore[union-attr]
            ours = ours.with_schema(schema)
        figures = {**about, **core_times(ours, examples, core_time, partial(track, quiet=quiet), n_best)}
        if to is not None:
            settings = {
                **about,
                "data": file.name,
                "limit": limit,
                "every": every,
                "rounds": core_time,
                "n_best": n_best,
            }
            write_result(to, figures, settings)
            remark(f"figures kept in {to}", quiet=quiet)
        print_json(figures) if as_json else out.print(_core_table(figures))
        return
    peers = peers_of(ours, ar, examples, device, partial(remark, quiet=quiet))
    figures = {
        **about,
        "device": device,
        "ar": None if ar is None else ar.name,
        "precision": precision or ("float32" if device == "cpu" else "bfloat16"),
        "threads": threads or None,
        "data": file.name,
        "turns": len(examples),
    }
    others = [name for name in also.split(",") if name]
    if device == "cpu":
        figures["first_text_s"] = first_text_s(model, examples[0])
    figures |= bench_end_to_end(ours, peers, examples, options, partial(track, quiet=quiet), others)
    figures |= verification_cost(ours, examples, partial(track, quiet=quiet))
    for name in (variant, *others) if processes else ():
        crew = Crew(model, processes, device, precision, name, seconds=min(seconds, 10.0))
        part = figures["variants"][name] if name in others else figures
        part["many_processes"] = crew_figures(crew, examples)
        part["utterances_per_s"] = max(part["utterances_per_s"], part["many_processes"]["utterances_per_s"])
    figures["machine"] = circumstances()["machine"]
    if to is not None:
        settings = {**about, "ar": figures["ar"], "device": device, "data": file.name, "limit": limit}
        write_result(to, figures, settings | {"every": every, "batches": options.batches, "seconds": seconds})
        remark(f"figures kept in {to}", quiet=quiet)
    if as_json:
        print_json(figures)
        return
    for size in options.batches:
        out.print(_table(figures, size))
    out.print(_stages(figures))
    _summary(figures)


def _core_table(figures: dict[str, Any]) -> Table:
    title = f"processor time but for the forward pass, {figures['turns']} turns, {figures['variant']} settings"
    table = Table("stage", "mean ms", "p50", "p99", title=title, box=SIMPLE)
    for name, stage in figures["stages"].items():
        table.add_row(name, *(f"{stage[key]:.3f}" for key in ("mean_ms", "p50_ms", "p99_ms")))
    return table


def _use_threads(count: int) -> None:
    try:
        from controldag.model.inference.threads import use_threads
    except ImportError as error:
        raise MissingDependency.of("torch and transformers", "model", "This benchmark") from error
    use_threads(count)


def _batches(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        sizes = ()
    if not sizes or sizes[0] < 1:
        raise InvalidInput.of("--batch", "be whole numbers with commas between", text, remedy="Write 1,8,64.")
    return sizes


def track(items: Iterable[Any], description: str, *, quiet: bool) -> Iterator[Any]:
    """The items under a progress bar."""
    known = list(items)
    return progress(known, description, quiet=quiet, total=len(known))


def _table(figures: dict[str, Any], size: int) -> Table:
    where = f"{figures['device']}, {figures['variant']} settings"
    title = f"batch {size}, {where}, {figures['turns']} turns of {figures['data']}"
    table = Table(title=title, box=None, padding=(0, 2, 0, 0))
    table.add_column("system", no_wrap=True)
    for column in ("p50 ms", "p99 ms", "texts/s", "ours", "BLEU", "SER %"):
        table.add_column(column, justify="right", no_wrap=True)
    mine = figures["systems"][OURS]["batches"][size]["utterances_per_s"]
    for name, system in figures["systems"].items():
        cell = system["batches"][size]
        table.add_row(
            name.removeprefix("ar-"),
            f"{cell['p50_ms']:,.1f}",
            f"{cell['p99_ms']:,.1f}",
            f"{cell['utterances_per_s']:,.1f}",
            "" if name == OURS else f"{mine / cell['utterances_per_s']:.1f}×",
            *("" if system[key] is None else f"{system[key]:.2f}" for key in ("bleu", "ser")),
        )
    return table


def _stages(figures: dict[str, Any]) -> Table:
    sizes = list(figures["systems"][OURS]["batches"])
    table = Table("stage of Control-DAG, median ms a text", *(f"batch {size}" for size in sizes), box=SIMPLE)
    cells = [figures["systems"][OURS]["batches"][size]["stages"] for size in sizes]
    for stage in dict.fromkeys(name for cell in cells for name in cell):
        table.add_row(stage, *(f"{cell.get(stage, 0.0):.3f}" for cell in cells))
    table.add_row("a call over a bare forward pass", *(f"{figures['over_floor'][size]:.2f}×" for size in sizes))
    return table


def _summary(figures: dict[str, Any]) -> None:
    for name, part in figures.get("variants", {}).items():
        out.print(f"variant {name}:")
        _summary(part)
        out.print(f"{figures['variant']} settings:")
    for name in ("greedy", "beam", "constrained_beam"):
        ratios = [figures[f"speedup_vs_{prefix}{name}"] for prefix in ("", "fast_", "ctranslate2_")]
        ways = ("as people run it (transformers)", "as fast as we can make it", "in CTranslate2 (int8)")
        parts = [f"{ratio:.1f}× {way}" for ratio, way in zip(ratios, ways, strict=True) if ratio is not None]
        out.print(f"against AR {name.replace('_', ' ')}, one at a time: {', '.join(parts)}")
    if "fast_step_ms" in figures:
        over = figures["fast_greedy_over_its_steps"]
        out.print(f"our fastest greedy AR takes {over:.2f}× its steps of {figures['fast_step_ms']:.3f} ms each")
    if "first_text_s" in figures:
        out.print(f"a first text from the command line: {figures['first_text_s']:.1f} s")
    if "verified_over_unverified" in figures:
        ratio, times = figures["verified_over_unverified"], figures["verified"]
        out.print(f"verified: {ratio:.2f}× as long at the median, p99 {times['p99_ms']:.0f} ms")
    if "many_processes" in figures:
        crew = figures["many_processes"]
        out.print(f"{crew['processes']} processes at once: {crew['utterances_per_s']:,.0f} texts/s")
    out.print(f"search {100 * figures['search_share']:.1f} % of p50 {figures['p50_ms']:.2f} ms")
