"""Settings of generation as options write them: `KEY=VALUE` of a role, a grid, or a file that `tune` wrote."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from controldag.checkpoint.settings import GenerationSettings, setting_of
from controldag.cli.data_input import found
from controldag.errors import DataError, InvalidInput

Scopes = dict[str, dict[str, Any]]
"""By role (`ours`), or role and decoder (`twin/ar-beam`), settings by name."""


def pair(option: str, text: str, form: str) -> tuple[str, str]:
    """The two sides of `A=B`, neither of them empty."""
    left, equals, right = text.partition("=")
    if not (left and equals and right):
        raise InvalidInput.of(option, f"be {form}", text)
    return left, right


def grid_of(given: Sequence[str]) -> dict[str, list[Any]]:
    """By setting its values, from `KEY=V1,V2`."""
    grid: dict[str, list[Any]] = {}
    for text in given:
        key, values = pair("--set", text, "KEY=V1,V2,...")
        grid[key] = [setting_of(value) for value in values.split(",")]
        for value in grid[key]:
            _check(key, value)
    return grid


def scoped_settings(settings: Sequence[str], tuned: Sequence[str], roles: Collection[str]) -> Scopes:
    """The settings that options give to roles; one named by itself goes before one of a tuned file."""
    scopes: Scopes = {}
    for text in tuned:
        scope, file = pair("--tuned", text, "ROLE=FILE or ROLE/DECODER=FILE")
        scopes.setdefault(_role("--tuned", scope, roles), {}).update(tuned_settings(found(Path(file))))
    for text in settings:
        left, value = pair("--setting", text, "ROLE.KEY=VALUE or ROLE/DECODER.KEY=VALUE")
        scope, dot, key = left.rpartition(".")
        if not dot:
            raise InvalidInput.of("--setting", "be ROLE.KEY=VALUE or ROLE/DECODER.KEY=VALUE", text)
        scopes.setdefault(_role("--setting", scope, roles), {})[key] = _check(key, setting_of(value))
    return scopes


def tuned_settings(path: Path) -> dict[str, Any]:
    """The best settings of a file that `python -m recipes tune` wrote."""
    try:
        cell = json.loads(path.read_text("utf-8"))["figures"]["best"]
        best: Mapping[str, Any] = cell["settings"]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            "is not what `tune` writes.", path=path, remedy="Make it with `python -m recipes tune`."
        ) from error
    if "words" in cell:
        raise DataError("tries lists of words, which are no settings.", path=path, remedy="Tune settings alone.")
    return {key: _check(key, value) for key, value in best.items()}


def _check(key: str, value: Any) -> Any:
    """The value, once it is known to be one of this setting."""
    if key in ("task", "decoder"):
        raise InvalidInput.of("setting", "be one of the search", key, remedy="Name the decoder instead.")
    GenerationSettings().changed({key: value})
    return value


def _role(option: str, scope: str, roles: Collection[str]) -> str:
    if scope.partition("/")[0] not in roles:
        raise InvalidInput.of(option, f"begin with a role of {', '.join(roles)}", scope)
    return scope
