"""`controldag verify`: whether texts of any system say what their inputs claim, act by act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Quiet, SkipBad, out, print_json, remark
from controldag.cli.data_input import Limit, Schemas, found, load_schema
from controldag.cli.evaluation_input import read_records
from controldag.cli.verifier_input import open_verifier, watched
from controldag.evaluation.paired_texts import read_pairs
from controldag.evaluation.verification import Pair, VerifierBar, is_broken, says_more, verify_pairs
from controldag.verifier.bundled import GENERATION
from controldag.verifier.verdict import Verification


def verify(
    data: Annotated[Path, typer.Option(help="Data file with the inputs; also looked for in the data folder.")],
    outputs: Annotated[
        Path,
        typer.Option(help="The texts: one a line for each record, or JSON lines with `text` and `id`."),
    ],
    schema: Schemas = None,
    verifier: Annotated[
        str, typer.Option(help="`verifier`, which generation asks, `verifier-check`, which measures, or a folder.")
    ] = GENERATION,
    limit: Limit = None,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a text instead.")] = False,
) -> None:
    """Check texts of any system against their inputs: is every act said, nothing else, in whole English?"""
    file = found(data)
    known = load_schema(schema, [data])
    records = read_records(file, known, skip_bad=skip_bad, quiet=quiet)
    if known is None and any(record.acts for record in records):
        remark("no --schema: services and slots are known by their names alone", quiet=quiet)
    pairs = read_pairs(found(outputs), records, limit)
    opened = open_verifier(verifier)
    judged = verify_pairs(opened, pairs, known, watched(quiet=quiet))
    if as_json:
        for (example, text), each in zip(pairs, judged, strict=True):
            print_json({"id": example.id, "text": text, **each.as_dict()})
        return
    for line in _report(pairs, judged, opened.bar):
        out.print(line, markup=False, soft_wrap=True)


def _report(pairs: Sequence[Pair], judged: Sequence[Verification], bar: VerifierBar) -> Iterator[str]:
    """A line for each refused text with what is wrong with it, then how many were accepted."""
    for (example, text), each in zip(pairs, judged, strict=True):
        if not each.accepted:
            yield f"{example.id}: {text!r}: {'; '.join(_faults(each, bar))}"
    accepted = sum(each.accepted for each in judged)
    share = f" ({100 * accepted / len(judged):.1f} %)" if judged else ""
    yield f"accepted: {accepted:,} of {len(judged):,}{share}"


def _faults(verification: Verification, bar: VerifierBar) -> Iterator[str]:
    """What is wrong with a refused text; what is said, but not surely enough, where nothing else is."""
    wrong = [f"{act.verdict}: {act.claim} ({act.probability:.2f})" for act in verification.refused]
    if says_more(verification, bar):
        wrong.append(f"says something else ({1 - verification.nothing_else:.2f})")
    if is_broken(verification, bar):
        wrong.append(f"no whole English ({1 - verification.whole:.2f})")
    if wrong or not verification.acts:
        yield from wrong
        return
    least = min(verification.acts, key=lambda act: act.probability)
    yield f"not sure: {least.claim} ({least.probability:.2f})"
