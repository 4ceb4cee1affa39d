"""`controldag inspect`: a page that shows what happened to one input, from the model's graph to the text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli import request_options as asked
from controldag.cli.console import Json, Quiet, out, print_json, remark
from controldag.drawing.choose import Caps
from controldag.errors import InvalidInput
from controldag.files import atomic_write_text
from controldag.generation.request import Request
from controldag.pipeline import ControlDag

_CAPS = Caps()


def inspect(
    inputs: asked.Inputs = None,
    model: asked.Model = asked.DEFAULT_MODEL,
    service: asked.Service = "",
    to: Annotated[Path, typer.Option("--out", "-o", help="Where the page goes.")] = Path("inspect.html"),
    svg: Annotated[Path | None, typer.Option(help="Write the graph alone here, too.")] = None,
    vertices: Annotated[int, typer.Option(min=2, help="The most vertices drawn.")] = _CAPS.vertices,
    must: asked.Must = None,
    must_any: asked.MustAny = None,
    must_not: asked.MustNot = None,
    in_order: asked.InOrder = None,
    pattern: asked.Patterns = None,
    prefer: asked.Prefer = None,
    length: asked.LengthWish = "",
    n_best: asked.NBest = 5,
    decoder: asked.Decoder = "",
    trust: asked.Trust = "",
    variant: asked.Variant = "",
    schema: asked.Schemas = None,
    templates: asked.TemplateFolder = None,
    device: asked.Device = "cpu",
    precision: asked.Precision = "",
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Show what happened to one input: the graph, the path taken and the greedy one, constraints, n-best, time."""
    if not inputs:
        raise InvalidInput("Give acts or triples.", remedy="See `controldag inspect --help`.")
    wishes = asked.wishes_of(must, must_any, must_not, in_order, pattern, prefer)
    request = Request(inputs, service, wishes.constraint(), length, n_best, decoder, trust=trust)
    request.example()  # what is wrong with it is told before the model is loaded
    loaded = ControlDag.from_choice(
        asked.choice(model, device, schema, templates, precision=precision, variant=variant)
    )
    loaded.inspect(request)  # a first run has costs of its own: times are those of the second
    # Who asks for more vertices than usual asks for neighbours of the paths.
    more = max(_CAPS.neighbours, vertices - _CAPS.vertices + _CAPS.neighbours)
    inspection = loaded.inspect(request, replace(_CAPS, vertices=vertices, neighbours=more))
    files = {"out": (to, inspection.html)} | ({"svg": (svg, inspection.svg)} if svg is not None else {})
    for path, content in files.values():
        with atomic_write_text(path) as file:
            file.write(content)
    if as_json:
        names = {name: str(path) for name, (path, _) in files.items()}
        print_json({**names, "drawn": len(inspection.graph.vertices), **inspection.result.as_dict()})
        return
    asked.warn(inspection.result, quiet=quiet)
    out.print(inspection.result.text, markup=False, soft_wrap=True)
    remark(f"written: {', '.join(str(path) for path, _ in files.values())}", quiet=quiet)
