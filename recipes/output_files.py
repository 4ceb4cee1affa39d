"""Several systems' outputs for one data file, as options name them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.data_input import found
from controldag.data.records import Example
from controldag.errors import InvalidInput
from controldag.evaluation.system_outputs import read_outputs
from recipes.setting_options import pair

OutputFiles = Annotated[
    list[str], typer.Option("--outputs", help="NAME=FILE: a system's texts, as `evaluate --outputs`; repeat it.")
]


def texts_of(given: list[str], records: list[Example], limit: int | None, least: int = 1) -> dict[str, list[str]]:
    """By system its texts for the first `limit` records; at least so many systems, each name once."""
    texts: dict[str, list[str]] = {}
    for each in given:
        name, file = pair("--outputs", each, "NAME=FILE")
        if name in texts:
            raise InvalidInput.of("--outputs", "name every system once", name)
        texts[name] = read_outputs(found(Path(file)), records, limit).texts
    if len(texts) < least:
        raise InvalidInput.of("--outputs", f"be given at least {least} times", len(texts))
    return texts
