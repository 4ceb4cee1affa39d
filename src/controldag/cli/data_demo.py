"""`controldag data demo`: the data layer on the bundled samples."""

from __future__ import annotations

from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.data import samples
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.phrases import entities, hard_phrases, licensed_numbers
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.data.write import record_of

_ACT_LINEARISATIONS = ("schema-guided", "naive", "schema-guided-service", "template-guided")


def demo(quiet: Quiet = False, as_json: Json = False) -> None:
    """Show what the data layer makes of the bundled samples: no download, no data set needed."""
    schema = Schema.load(samples.SCHEMA)
    templates = Templates.load(samples.TEMPLATES)
    shown = [
        *(_view(example, schema, templates) for example in read_examples(samples.ACTS, schema=schema)),
        *(_view(example, schema, templates) for example in read_examples(samples.TRIPLES)),
    ]
    if as_json:
        print_json({"examples": shown})
        return
    # One rich example of each task is enough to see; --json has them all.
    for view in (shown[4], shown[-3]):
        out.print(Panel(_table(view), title=escape(view["id"]), title_align="left"))
    remark(f"{len(shown)} samples; all of them with: controldag data demo --json", quiet=quiet)


def _view(example: Example, schema: Schema, templates: Templates) -> dict[str, str]:
    names = _ACT_LINEARISATIONS if example.acts else ("triples",)
    inputs = {
        name: make_lineariser(LinearisationOptions(name), schema=schema, templates=templates)(example) for name in names
    }
    view = {"id": example.id, "says": _spoken(example), **inputs}
    if example.acts:
        view["must say"] = " | ".join(hard_phrases(example, schema)) or "-"
    view["may name"] = " | ".join(entities(example)) or "-"
    view["numbers"] = " ".join(sorted(licensed_numbers(example))) or "-"
    return view | {f"reference {number}": text for number, text in enumerate(example.references, start=1)}


def _spoken(example: Example) -> str:
    record = record_of(example)
    if example.acts:
        acts = (f"{act.act}({act.slot}{'=' if act.values else ''}{', '.join(act.values)})" for act in example.acts)
        return f"{record['service']}: {'  '.join(acts)}"
    return "  ".join(f"({each.subject}, {each.relation}, {each.object})" for each in example.triples)


def _table(view: dict[str, str]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold cyan", no_wrap=True)
    table.add_column()
    for name, text in view.items():
        if name != "id":
            table.add_row(name, escape(text))
    return table
