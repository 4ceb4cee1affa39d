"""`python -m recipes wordings`: the same turns with their schemas in other people's words (SGD-X), by variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.cli.console import Json, Quiet, counting, out, print_json
from controldag.cli.request_options import Device, Model, Variant
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.rewording import load_wordings
from controldag.data.schema import Schema
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.bleu import corpus_bleu
from controldag.pipeline import ControlDag
from controldag.run_record import write_result

ORIGINAL = "original"
_AT_ONCE = 64


def wordings(
    data: Annotated[Path, typer.Argument(help="Folder of the data sets: sgd/ and corpora/sgdx/.")],
    model: Model = "sgd-mini",
    *,
    variant: Variant = "",
    split: Annotated[str, typer.Option(help="Whose turns and schemas: dev, or train.")] = "dev",
    every: Annotated[int, typer.Option(min=1, help="Take every so many turns only.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many turns.")] = None,
    decoder: Annotated[str, typer.Option(help="By name; default: the model's search, unverified.")] = "control-dag",
    device: Device = "cpu",
    save: Annotated[Path | None, typer.Option(help="Keep the figures here, with machine, commit and date.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say the same turns with services, slots and intents as SGD-X names and describes them: BLEU by variant."""
    schema = Schema.load(data / "sgd" / split / "schema.json")
    turns = list(read_examples(data / "sgd" / f"{split}.jsonl.gz", schema=schema))[::every][:limit]
    nlg = ControlDag.from_pretrained(model, device=device, variant=variant)
    found = {ORIGINAL: _bleu(nlg.with_schema(schema), turns, decoder, ORIGINAL, quiet=quiet or as_json)}
    for number, wording in enumerate(load_wordings(schema, data / "corpora" / "sgdx", split), start=1):
        reworded = [wording.apply(turn) for turn in turns]
        name = f"v{number}"
        found[name] = _bleu(nlg.with_schema(wording.schema), reworded, decoder, name, quiet=quiet or as_json)
    falls = [found[ORIGINAL] - score for name, score in found.items() if name != ORIGINAL]
    figures: dict[str, Any] = {"bleu": found, "falls_by": round(sum(falls) / len(falls), 2)}
    settings = {"model": model, "variant": variant, "split": split, "turns": len(turns), "decoder": decoder}
    if save is not None:
        write_result(save, figures, settings)
    if as_json:
        print_json(figures | settings)
        return
    for name, score in found.items():
        out.print(f"{name:9} {score:6.2f}")
    out.print(f"falls by {figures['falls_by']:.2f} on average")


def _bleu(nlg: ControlDag, turns: Sequence[Example], decoder: str, name: str, *, quiet: bool) -> float:
    texts: list[str] = []
    with counting(len(turns), name, quiet=quiet) as progress:
        for start in range(0, len(turns), _AT_ONCE):
            batch = [Request(replace(turn, references=()), decoder=decoder) for turn in turns[start : start + _AT_ONCE]]
            texts += [each.text if isinstance(each, Result) else "" for each in nlg.generate_batch(batch)]
            progress(len(texts))
    return round(corpus_bleu(texts, [turn.references for turn in turns]).score, 2)
