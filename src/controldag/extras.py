"""What the optional parts of this installation need, as its own metadata says: no package index has to know us."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

_NAME = "controldag"
# `torch>=2.6; extra == 'model'`, and of an extra that takes in others `controldag[model,plot]; extra == 'dev'`.
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?:\[(?P<extras>[^]]*)\])?(?P<rest>[^;]*);.*extra == .(?P<of>[a-z]+)."
)


def install_command(extra: str) -> str:
    """The command that installs what an extra needs and is not here yet."""
    try:
        missing = [each for each in dict.fromkeys(_requirements(extra)) if not _is_here(each)]
    except PackageNotFoundError:
        missing = []
    if not missing:
        return f"pip install '.[{extra}]', in the source folder"
    return f"pip install {' '.join(map(repr, missing))}"


def _requirements(extra: str) -> Iterator[str]:
    for line in requires(_NAME) or ():
        found = _REQUIREMENT.match(line)
        if found is None or found["of"] != extra:
            continue
        if found["name"] != _NAME:
            inside = f"[{found['extras']}]" if found["extras"] else ""
            yield f"{found['name']}{inside}{found['rest'].strip()}"
            continue
        for other in found["extras"].split(","):
            yield from _requirements(other.strip())


def _is_here(requirement: str) -> bool:
    try:
        version(re.split(r"[^A-Za-z0-9._-]", requirement)[0])
    except PackageNotFoundError:
        return False
    return True
