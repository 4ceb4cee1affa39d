"""`controldag demo`: the bundled models on a dozen inputs, greedy against verified texts, errors marked."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from controldag.checkpoint.folder import has_weights
from controldag.cli import data_demo
from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.data import samples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import ControlDagError
from controldag.generation.cascade import CASCADE
from controldag.generation.demands import required_phrases
from controldag.generation.invented import invented_places
from controldag.generation.json_requests import read_requests
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.verifier.bundled import bundled_verifier
from controldag.verifier.verdict import ClaimVerdict

# The second file speaks of services that no model has learnt from: what a new user's own are.
MODELS = (
    ("sgd-mini", samples.DEMO_ACTS, None),
    ("sgd-mini", samples.ACTS, samples.SCHEMA),
    ("dart-mini", samples.DEMO_TRIPLES, None),
)
_DECODERS = ("greedy", CASCADE)


def demo(quiet: Quiet = False, as_json: Json = False) -> None:
    """Say a dozen inputs with the bundled models: greedy against verified texts, side by side, with errors marked."""
    present = [each for each in MODELS if has_weights(each[0])]
    missing = list(dict.fromkeys(name for name, *_ in MODELS if not has_weights(name)))
    if missing:
        remark(
            f"The weights of {' and '.join(missing)} are not in this copy: train them with `controldag train NAME` and "
            "copy them into src/controldag/pretrained/NAME.",
        )
    if not present:
        data_demo.demo(quiet=quiet, as_json=as_json)
        return
    views = [
        view
        for name, path, schema in present
        for view in _views(
            ControlDag.from_pretrained(name, schema=None if schema is None else Schema.load(schema)), name, path
        )
    ]
    if as_json:
        print_json({"examples": views})
        return
    for view in views:
        _show(view)
    _show_times(views)
    remark("bold red: missing, not said rightly (by the verifier), or a word that list and input lack", quiet=quiet)


def _views(model: ControlDag, name: str, path: Path) -> list[dict[str, Any]]:
    """For each input of the file: what it demands, and what each decoder says, after one run to warm up."""
    requests = list(read_requests(path.read_text("utf-8").splitlines(), Request(()), path.name))
    good = [each for each in requests if isinstance(each, Request)]
    model.generate_batch(good[:1])
    views = []
    for request in good:
        example = request.example()
        said = {}
        for decoder in _DECODERS:
            # One by one, as a dialogue system would ask: times are those of batch 1.
            outcome = model.generate_batch([Request(request.what, request.service, decoder=decoder, id=request.id)])[0]
            said[decoder] = _said(model, request, outcome)
        views.append({"model": name, "id": request.id, "input": model.linearise(example), "outputs": said})
    return views


def _said(model: ControlDag, request: Request, outcome: Result | ControlDagError) -> dict[str, Any]:
    if isinstance(outcome, ControlDagError):
        return {"text": "", "error": str(outcome), "missing": [], "invented": [], "wrong": [], "ms": {}}
    example = request.example()
    wanted = required_phrases(example, model.settings, model.knowledge)
    folded = outcome.text.lower() if model.settings.ignore_case else outcome.text
    return {
        "text": outcome.text,
        "missing": [p for p in wanted if (p.lower() if model.settings.ignore_case else p) not in folded],
        "invented": [] if outcome.origin == "plain" else _invented(model, example, outcome.text),
        "wrong": [each.claim for each in _verdicts(model, request, outcome) if each.verdict != "said"],
        "origin": outcome.origin,
        "extra_cost": outcome.extra_cost,
        "ms": outcome.ms,
    }


def _invented(model: ControlDag, example: Example, text: str) -> list[str]:
    """Words that neither the list nor the input has; a plain sentence takes its words from the schema."""
    return [text[begin:end] for begin, end in invented_places(text, example, model.knowledge)]


def _verdicts(model: ControlDag, request: Request, outcome: Result) -> Sequence[ClaimVerdict]:
    """What the verifier says of each act; a plain sentence is right by construction."""
    if outcome.origin == "plain":
        return ()
    if outcome.acts:
        return outcome.acts
    return bundled_verifier().verify(request.example(), [outcome.text], model.knowledge.schema)[0].acts


def _show(view: dict[str, Any]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold cyan", no_wrap=True, min_width=11)
    table.add_column()
    table.add_row(view["model"], escape(view["input"]))
    for decoder, said in view["outputs"].items():
        shown = " ".join(
            f"[bold red]{escape(chunk)}[/]" if chunk in said["invented"] else escape(chunk)
            for chunk in said["text"].split(" ")
        )
        lacks = ", ".join(said["missing"])
        note = f"  [bold red]missing: {escape(lacks)}[/]" if lacks else ""
        note += f"  [bold red]{escape(said['error'])}[/]" if said.get("error") else ""
        if said.get("wrong"):
            note += f"  [bold red]not said rightly: {escape(', '.join(said['wrong']))}[/]"
        if said["invented"]:
            note += f"  [bold red]invented: {escape(', '.join(said['invented']))}[/]"
        table.add_row(decoder, shown + note)
    out.print(table)
    out.print()


def _show_times(views: list[dict[str, Any]]) -> None:
    table = Table("ms, median", *_DECODERS, title="time by stage, one text at a time")
    stages = dict.fromkeys(stage for view in views for said in view["outputs"].values() for stage in said["ms"])
    for stage in stages:
        row = []
        for decoder in _DECODERS:
            times = [v["outputs"][decoder]["ms"][stage] for v in views if stage in v["outputs"][decoder]["ms"]]
            row.append(f"{statistics.median(times):.2f}" if times else "-")
        table.add_row(stage, *row)
    out.print(table)
