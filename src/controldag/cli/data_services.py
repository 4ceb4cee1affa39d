"""`controldag data services`: what can be talked about: services, or the slots, intents and acts of one."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from controldag.checkpoint.folder import Checkpoint
from controldag.cli import request_options as asked
from controldag.cli.console import Json, out, print_json
from controldag.cli.data_input import found
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.generation.service_card import service_card


def services(
    name: Annotated[str, typer.Argument(help="A service, to see its slots, intents and acts.")] = "",
    model: asked.Model = asked.DEFAULT_MODEL,
    schema: asked.Schemas = None,
    as_json: Json = False,
) -> None:
    """List the services of a model or of a schema of your own; of one, its slots, intents and acts."""
    checkpoint = Checkpoint.open(model, schema=Schema.load(*map(found, schema)) if schema else None)
    knowledge = checkpoint.knowledge
    if knowledge.schema is None or checkpoint.settings.task == "triples":
        raise InvalidInput.of("--model", "have services", model, remedy="Triples need none: see docs/quickstart.md.")
    chosen = [knowledge.schema.service(name)] if name else list(knowledge.schema.services.values())
    cards = [service_card(service, knowledge) for service in chosen]
    if as_json:
        print_json(cards[0] if name else {"services": cards})
        return
    if name:
        _show(cards[0])
        return
    table = Table("service", "what it is about", "slots", "learnt")
    for card in cards:
        about = escape(card["description"])
        table.add_row(escape(card["name"]), about, str(len(card["slots"])), "yes" if card["learnt"] else "no")
    out.print(table)


def _show(card: dict[str, Any]) -> None:
    out.print(f"{card['name']}: {card['description']}", markup=False, soft_wrap=True)
    slots = Table("slot", "what it is", "values")
    for slot in card["slots"]:
        values = ", ".join(slot["possible_values"]) if slot["is_categorical"] else "any, said word for word"
        slots.add_row(escape(slot["name"]), escape(slot["description"]), escape(values))
    out.print(slots)
    if card["intents"]:
        intents = Table("intent", "what it does")
        for intent in card["intents"]:
            intents.add_row(escape(intent["name"]), escape(intent["description"]))
        out.print(intents)
    out.print(f"acts: {', '.join(card['acts'])}", markup=False, soft_wrap=True)
