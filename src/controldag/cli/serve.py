"""`controldag serve`: models behind HTTP, with a page to try them."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from controldag.checkpoint.folder import bundled, has_weights
from controldag.cli import request_options as asked
from controldag.errors import MissingDependency
from controldag.pipeline import ControlDag
from controldag.serving.options import ServiceLimits, ServiceOptions


def serve(
    model: Annotated[
        list[str] | None, typer.Option(help="A bundled model or a folder; repeat it. Default: all that are bundled.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 8000,
    batch: Annotated[int, typer.Option(min=1, help="Items that go through the model together.")] = 32,
    wait_ms: Annotated[float, typer.Option(min=0, max=1000, help="How long an item waits for others.")] = 4.0,
    queue: Annotated[int, typer.Option(min=1, help="Items accepted and not answered, before 503.")] = 256,
    deadline_ms: Annotated[int, typer.Option(min=1, help="The longest a request may take.")] = 10_000,
    body_seconds: Annotated[float, typer.Option(min=0.1, help="The longest a client may take to send.")] = 10.0,
    workers: Annotated[int, typer.Option(min=0, help="Processes, each with all models; 0: one a core, to 4.")] = 0,
    threads: Annotated[int, typer.Option(min=1, help="Threads that search, for each model and process.")] = 2,
    max_bytes: Annotated[int, typer.Option(min=1, help="Of a request.")] = 256 * 1024,
    max_items: Annotated[int, typer.Option(min=1, help="Items of a request.")] = 64,
    max_phrases: Annotated[int, typer.Option(min=1, help="Phrases and patterns of an item.")] = 32,
    max_length: Annotated[int, typer.Option(min=1, help="The longest text that may be asked for, in tokens.")] = 400,
    max_states: Annotated[int, typer.Option(min=1, help="Engine states of one search.")] = 300_000,
    token: Annotated[
        str, typer.Option(envvar="CONTROLDAG_TOKEN", show_envvar=True, help="What clients must show; default: nothing.")
    ] = "",
    log_text: Annotated[bool, typer.Option("--log-text", help="Write what users send and get into the log.")] = False,
    variant: asked.Variant = "",
    schema: asked.Schemas = None,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
) -> None:
    """Serve models over HTTP, with a page at / to try them; stops on SIGTERM when all it accepted is answered."""
    limits = ServiceLimits(
        body_bytes=max_bytes, items=max_items, phrases=max_phrases, length=max_length, engine_states=max_states
    )
    options = ServiceOptions(
        batch=batch,
        wait_ms=wait_ms,
        queue=queue,
        deadline_ms=deadline_ms,
        body_seconds=body_seconds,
        threads=threads,
        token=token,
        log_text=log_text,
        limits=limits,
    )
    try:
        from controldag.serving.many import default_workers, run_many
        from controldag.serving.run import run
    except ImportError as error:
        raise MissingDependency.of("FastAPI and uvicorn", "serve", "Serving") from error
    # Threads of the model that spin between two batches would take the cores from the searches.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    names = model or [name for name in bundled() if has_weights(name)]
    if model is None:
        names.sort(key=lambda name: name != asked.DEFAULT_MODEL)  # the first is the default
    chosen = [asked.choice(name, device, schema, None, precision=precision, variant=variant) for name in names]
    workers = workers or default_workers(device)
    if workers > 1:
        run_many(chosen, options, workers, host=host, port=port)
        return
    loaded = [ControlDag.from_choice(each) for each in chosen]
    run(loaded, options, host=host, port=port)
