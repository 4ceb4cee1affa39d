"""`controldag data words`: word lists for vocabulary constraints and for judging neologisms."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, SkipBad
from controldag.cli.data_input import DataSource, Schemas, names_of, print_report
from controldag.errors import InvalidInput
from controldag.text.coverage import coverage
from controldag.text.independent_words import independent_words
from controldag.text.own_words import OwnWordOptions, own_words
from controldag.text.paper_words import evaluation_vocabulary, paper_dictionary
from controldag.text.words import WordFile


class Kind(StrEnum):
    """Which list to make."""

    OURS = "ours"
    PAPER = "paper"
    NEO = "neo"
    INDEPENDENT = "independent"


def words(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Training data; for `neo` the whole corpus; none for `independent`.")
    ] = None,
    *,
    destination: Annotated[Path, typer.Option("--out", "-o", help="Where to write the list.")],
    kind: Annotated[
        Kind,
        typer.Option(
            help="ours: training words without typos, glued words and names; paper: its 90 % dictionary; "
            "neo: its evaluation vocabulary; independent: pyspellchecker and a hand-written list."
        ),
    ] = Kind.OURS,
    schema: Schemas = None,
    test: Annotated[list[Path] | None, typer.Option(help="For `neo`: test data, whose words are taken as is.")] = None,
    covers: Annotated[list[Path] | None, typer.Option(help="Say how much of this data the list can spell.")] = None,
    typo_below: Annotated[
        int, typer.Option(help="For `ours`: an unknown word with fewer occurrences is taken for a typo.")
    ] = OwnWordOptions().typo_below,
    share: Annotated[
        float, typer.Option(help="For `paper`: the share of all running words that the frequent ones make up.")
    ] = 0.9,
    skip_bad: SkipBad = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a word list: sorted text with a header that says how it was made."""
    corpus, extra = files or [], test or []
    _check(kind, corpus, extra)
    source = DataSource.of([*corpus, *(covers or [])], schema, skip_bad=skip_bad, quiet=quiet)
    if kind is Kind.INDEPENDENT:
        made = independent_words()
    elif kind is Kind.OURS:
        options = OwnWordOptions(typo_below=typo_below)
        made = own_words(source.examples(corpus), source.schema, options, source=names_of(corpus))
    else:
        made = _papers(kind, source, corpus, extra, share)
    made.save(destination)
    report: dict[str, object] = {"out": str(destination), "kind": made.kind, "words": len(made), **made.figures}
    for path in covers or []:
        report[f"% of {names_of([path])} spelled"] = round(coverage(source.examples([path]), made).percent, 2)
    source.say_what_was_skipped()
    print_report(report, as_json=as_json)


def _check(kind: Kind, corpus: list[Path], extra: list[Path]) -> None:
    if kind is Kind.INDEPENDENT and corpus:
        raise InvalidInput.of("FILES", "be left out for the independent list", names_of(corpus))
    if kind is not Kind.INDEPENDENT and not corpus:
        raise InvalidInput.of("FILES", f"name at least one data file for the list `{kind}`", corpus)
    if kind is Kind.NEO and not extra:
        raise InvalidInput.of("--test", "name the test data for the list `neo`", extra)
    if kind is not Kind.NEO and extra:
        raise InvalidInput.of("--test", "be given for the list `neo` only", names_of(extra))


def _papers(kind: Kind, source: DataSource, corpus: list[Path], extra: list[Path], share: float) -> WordFile:
    if kind is Kind.PAPER:
        return paper_dictionary(source.references(corpus), source.schema, share=share, source=names_of(corpus))
    names = f"{names_of(corpus)}; test: {names_of(extra)}"
    return evaluation_vocabulary(source.references(corpus), source.references(extra), source.schema, source=names)
