"""`controldag data rules`: which subjects and objects a text must repeat, learned from triples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, SkipBad
from controldag.cli.data_input import DataSource, Files, names_of, print_report
from controldag.data.occurrence import DEFAULT_MINIMUM_SUPPORT, OccurrenceRules


def rules(
    files: Files,
    *,
    destination: Annotated[Path, typer.Option("--out", "-o", help="Where to write the rules (JSON).")],
    minimum_support: Annotated[
        int, typer.Option(help="How many pairs of triple and reference a rule must have been seen in.")
    ] = DEFAULT_MINIMUM_SUPPORT,
    covers: Annotated[list[Path] | None, typer.Option(help="Say how many entries of this data get a phrase.")] = None,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Learn exact-occurrence rules: values that stood in every training reference, by relation and role."""
    source = DataSource.of(files, None, skip_bad=skip_bad, quiet=quiet)
    learned = OccurrenceRules.learn(source.examples(files), minimum_support=minimum_support, source=names_of(files))
    learned.save(destination)
    report: dict[str, object] = {"out": str(destination), "rules": len(learned)}
    for path in covers or []:
        report |= _effect(learned, source, path)
    source.say_what_was_skipped()
    print_report(report, as_json=as_json)


def _effect(learned: OccurrenceRules, source: DataSource, path: Path) -> dict[str, object]:
    """How many entries get phrases, how many phrases, and how often the first reference breaks them."""
    entries = constrained = phrases = broken = 0
    for example in source.examples([path]):
        entries += 1
        wanted = learned.required(example)
        constrained += bool(wanted)
        phrases += len(wanted)
        broken += not all(phrase.lower() in example.target.lower() for phrase in wanted)
    name = names_of([path])
    return {
        f"% of {name} constrained": round(100 * constrained / max(1, entries), 1),
        f"phrases per constrained entry of {name}": round(phrases / max(1, constrained), 2),
        f"% of constrained first references of {name} that break a rule": round(100 * broken / max(1, constrained), 1),
    }
