"""What the commands that generate share: the options that say what is asked for, and of which model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.checkpoint.choice import ModelChoice
from controldag.cli.console import remark
from controldag.cli.data_input import found
from controldag.generation.result import Result
from controldag.generation.wishes import Wishes

DEFAULT_MODEL = "sgd-mini"

Inputs = Annotated[
    list[str] | None, typer.Argument(help="Acts `OFFER(city=San Jose)` or triples `subject | relation | object`.")
]
Model = Annotated[str, typer.Option(help="A bundled model (sgd-mini, dart-mini), a folder, or a Hub id.")]
Service = Annotated[str, typer.Option(help="The service that the acts belong to.")]
Must = Annotated[list[str] | None, typer.Option(help="A phrase the text must hold; repeat it.")]
MustAny = Annotated[list[str] | None, typer.Option(help="Phrases with `|` between: one of them.")]
MustNot = Annotated[list[str] | None, typer.Option(help="A phrase the text must not hold.")]
InOrder = Annotated[list[str] | None, typer.Option(help="Phrases with `|` between: one after another.")]
Prefer = Annotated[list[str] | None, typer.Option(help="A phrase the text holds if that is not too unlikely.")]
Patterns = Annotated[list[str] | None, typer.Option(help="A regular expression with a match in the text.")]
LengthWish = Annotated[
    str, typer.Option(help="In tokens: 18 (target), =18 (exactly), 10-20 or 10- (bounds); '10-20 words'.")
]
NBest = Annotated[int, typer.Option(min=1, help="How many texts, 1,000 at most.")]
Decoder = Annotated[str, typer.Option(help="By name: greedy, control-dag, ...; default: the model's.")]
Trust = Annotated[
    str, typer.Option(help="verified: say plainly what the verifier refuses; graph: the search's own text.")
]
Variant = Annotated[str, typer.Option(help="Other settings of the model, by name: fast, best; default: its own.")]
Schemas = Annotated[list[Path] | None, typer.Option(help="Your own services: a schema.json; repeat it.")]
TemplateFolder = Annotated[
    Path | None, typer.Option(help="Folder of templates, for that decoder and template-guided models.")
]
Device = Annotated[str, typer.Option(help="Where the model runs: cpu, cuda.")]
Precision = Annotated[str, typer.Option(help="cpu: float32 (default) or int8; cuda: bfloat16 (default) or float32.")]
Like = Annotated[str, typer.Option(help="For a folder fresh from training: the model whose settings it takes.")]


def wishes_of(
    must: list[str] | None,
    must_any: list[str] | None,
    must_not: list[str] | None,
    in_order: list[str] | None,
    patterns: list[str] | None,
    prefer: list[str] | None,
) -> Wishes:
    """The wishes as the options give them."""
    return Wishes(
        must=must or (),
        must_any=[_phrases(group) for group in must_any or ()],
        must_not=must_not or (),
        in_order=[_phrases(group) for group in in_order or ()],
        patterns=patterns or (),
        prefer=prefer or (),
    )


def _phrases(group: str) -> list[str]:
    return [phrase.strip() for phrase in group.split("|")]


def warn(result: Result, *, quiet: bool) -> None:
    """Tells what is odd about the input."""
    for each in result.warnings:
        remark(f"warning: {each}", quiet=quiet)


def choice(
    model: str,
    device: str,
    schema: list[Path] | None,
    templates: Path | None,
    *,
    precision: str = "",
    like: str = "",
    variant: str = "",
) -> ModelChoice:
    """The model, with the user's own services and templates where they are named."""
    return ModelChoice(
        name=model,
        device=device,
        precision=precision,
        like=like,
        schema=tuple(map(found, schema or ())),
        templates=found(templates) if templates else None,
        variant=variant,
    )
