"""`controldag data stats`: what is in data files, as tables, JSON or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from controldag.cli.console import Json, Quiet, SkipBad, out, print_json, remark
from controldag.cli.data_input import DataSource, Files, Lineariser, Schemas, found, names_of
from controldag.files import atomic_write
from controldag.text.statistics import Measure, Statistics, count_words, measure, seen_and_unseen
from controldag.text.statistics_plot import statistics_png
from controldag.text.tokenizer import Tokenizer

_SHOWN = 12
_QUANTITIES = ("mean", "p50", "p95", "p99", "max")


def stats(
    files: Files,
    *,
    tokenizer: Annotated[
        Path | None, typer.Option(help="Count lengths in tokens of this SentencePiece model; without it, in words.")
    ] = None,
    train: Annotated[Path | None, typer.Option(help="Say which services or relations are not in this data.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the statistics into this PNG.")] = None,
    lineariser: Lineariser = "auto",
    schema: Schemas = None,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Count records, lengths, services, acts and relations, and fit target length to input length."""
    every = [*files, train] if train is not None else files
    source = DataSource.of(every, schema, skip_bad=skip_bad, quiet=quiet)
    unit, length = _measure(tokenizer)

    def counted(file: Path) -> Statistics:
        return measure(source.examples([file]), source.lineariser(lineariser, file), length)

    by_name = {names_of([file]): counted(file) for file in files}
    of_train = by_name.get(names_of([train])) or counted(train) if train is not None else None
    report = {name: _figures(statistics, of_train) for name, statistics in by_name.items()}
    if plot is not None:
        picture = statistics_png(by_name, unit=unit)
        with atomic_write(plot) as file:
            file.write(picture)
        remark(f"drawn: {plot}", quiet=quiet)
    source.say_what_was_skipped()
    if as_json:
        print_json({"unit": unit, "files": report})
    else:
        _print_tables(report, unit)


def _measure(tokenizer: Path | None) -> tuple[str, Measure]:
    if tokenizer is None:
        return "words", count_words
    return "tokens", Tokenizer.load(found(tokenizer)).count_batch


def _figures(statistics: Statistics, train: Statistics | None) -> dict[str, Any]:
    fitted = statistics.fit()
    figures: dict[str, Any] = {
        "records": statistics.records,
        "references": statistics.references,
        "empty_targets": statistics.empty_targets,
        "input_length": statistics.input_lengths.summary(),
        "target_length": statistics.target_lengths.summary(),
        "services": dict(statistics.services.most_common()),
        "acts": dict(statistics.acts.most_common()),
        "relations": dict(statistics.relations.most_common()),
    }
    if fitted is not None:
        figures["fit"] = {"slope": fitted.slope, "intercept": fitted.intercept, "r_squared": fitted.r_squared}
    if train is not None:
        figures["against_train"] = seen_and_unseen(statistics, train)
    return figures


def _print_tables(report: dict[str, dict[str, Any]], unit: str) -> None:
    table = Table(title=f"Lengths in {unit}")
    table.add_column("file", overflow="fold")
    for heading in ("records", "references", "text", *_QUANTITIES):
        table.add_column(heading, justify="left" if heading == "text" else "right", no_wrap=True)
    for name, figures in report.items():
        counts = (f"{figures['records']:,}", f"{figures['references']:,}")
        table.add_row(name, *counts, "input", *_cells(figures["input_length"]))
        table.add_row("", "", "", "target", *_cells(figures["target_length"]))
    out.print(table)
    for name, figures in report.items():
        for line in _lines(figures):
            out.print(f"{name}: {line}", markup=False, soft_wrap=True)


def _cells(summary: dict[str, float]) -> list[str]:
    return [f"{summary[name]:.2f}" if name == "mean" else f"{summary[name]}" for name in _QUANTITIES]


def _lines(figures: dict[str, Any]) -> list[str]:
    lines = []
    if fit := figures.get("fit"):
        lines.append(
            f"target length = {fit['slope']:.4f} x + {fit['intercept']:.2f}, R² {fit['r_squared']:.3f} "
            "(</s> counted on both sides)"
        )
    for what in ("services", "acts", "relations"):
        if kinds := figures[what]:
            shown = ", ".join(f"{kind} {count:,}" for kind, count in list(kinds.items())[:_SHOWN])
            lines.append(f"{len(kinds):,} {what}: {shown}{', ...' if len(kinds) > _SHOWN else ''}")
    if figures["empty_targets"]:
        lines.append(f"{figures['empty_targets']:,} references are empty")
    if against := figures.get("against_train"):
        lines.append(_against(against, figures["records"]))
    return lines


def _against(against: dict[str, Any], records: int) -> str:
    if not against["records_unseen"]:
        return "every record uses only what is in train"
    share = 100 * against["records_unseen"] / max(1, records)
    named = ", ".join(against["unseen_services"]) or f"{against['unseen_relations']:,} relations"
    return f"{against['records_unseen']:,} records ({share:.1f} %) use what is not in train: {named}"
