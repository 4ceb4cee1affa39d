"""`controldag new-service`: a service of one's own from its schema alone: checked, heard and served."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from controldag.cli import request_options as asked
from controldag.cli.asked_schema import ask_for_schema
from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.cli.data_input import found
from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import ControlDagError, InvalidInput, MissingDependency
from controldag.generation.request import Request
from controldag.generation.sample_turns import sample_turns
from controldag.generation.schema_check import advice
from controldag.pipeline import ControlDag
from controldag.serving.options import ServiceOptions


def new_service(
    schema: Annotated[
        Path | None, typer.Argument(help="Your schema.json, or a folder with one; without it, you are asked.")
    ] = None,
    to: Annotated[Path, typer.Option("--out", "-o", help="Where the answers go as a schema.")] = Path("schema.json"),
    model: asked.Model = asked.DEFAULT_MODEL,
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve it once the turns are shown.")] = True,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Try a service of your own without training: check its schema, show a dozen turns, and serve it."""
    if schema is None and to.exists():
        raise InvalidInput(f"{to} is there already.", remedy=f"Read it with `controldag new-service {to}`.")
    file = found(schema) if schema is not None else ask_for_schema(to)
    services = Schema.load(file)
    if not services.services:
        raise InvalidInput(f"{file} holds no service.", remedy="See docs/quickstart.md for a schema.")
    better = advice(services)
    nlg = ControlDag.from_pretrained(model, schema=services)
    turns = [_said(nlg, turn) for service in services.services.values() for turn in sample_turns(service)]
    if as_json:
        print_json({"schema": str(file), "advice": better, "turns": turns})
    else:
        _show(turns)
        for line in better:
            remark(f"better: {line}", quiet=quiet)
        typed = shlex.join(
            ["controldag", "generate", "--schema", str(file), "--service", turns[0]["service"], turns[0]["acts"][0]]
        )
        remark(f"one of your own: {typed}", quiet=quiet)
    if serve:
        _serve(nlg, host, port)


def _said(nlg: ControlDag, turn: Example) -> dict[str, Any]:
    outcome = nlg.generate_batch([Request(turn, trust="verified")])[0]
    acts = list(written(turn))
    if isinstance(outcome, ControlDagError):
        return {"service": turn.service, "acts": acts, "error": str(outcome)}
    return {"service": turn.service, "acts": acts, "text": outcome.text, "origin": outcome.origin}


def _show(turns: list[dict[str, Any]]) -> None:
    for turn in turns:
        out.print(" ".join(turn["acts"]), markup=False, soft_wrap=True, style="cyan")
        out.print(f"  {turn.get('text') or turn['error']}", markup=False, soft_wrap=True)


def _serve(nlg: ControlDag, host: str, port: int) -> None:
    try:
        from controldag.serving.run import run
    except ImportError as error:
        raise MissingDependency.of("FastAPI and uvicorn", "serve", "Serving") from error
    if port:  # else the log tells which one it took
        remark(f"a page to try it: http://{host}:{port}/ (Ctrl+C ends it)")
    run([nlg], ServiceOptions(), host=host, port=port)
