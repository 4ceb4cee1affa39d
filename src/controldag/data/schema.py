"""What the services of a task-oriented system can talk about: slots and intents with their descriptions."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from controldag.errors import DataError, InvalidInput

PSEUDO_SLOTS = frozenset({"", "count", "intent"})
"""What an act may name instead of a slot: no schema lists them and the slot error rate never counts them."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of a service. Values of a slot that is not categorical have to be said word for word."""

    name: str
    description: str = ""
    is_categorical: bool = False
    possible_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Intent:
    """One thing a service can do."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """One service with its slots, by name, and its intents."""

    name: str
    description: str = ""
    slots: Mapping[str, Slot] = field(default_factory=dict)
    intents: tuple[Intent, ...] = ()

    def slot(self, name: str) -> Slot:
        """The slot called `name`; an unknown name is an error that offers the nearest known ones."""
        found = self.slots.get(name)
        if found is None:
            raise InvalidInput.of("slot", f"be a slot of {self.name}", name, remedy=near(name, self.slots))
        return found


@dataclass(frozen=True, slots=True)
class Schema:
    """The union of any number of service schemas."""

    services: Mapping[str, Service]
    _open_slots: frozenset[tuple[str, str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        open_slots = frozenset(
            (service.name, slot.name)
            for service in self.services.values()
            for slot in service.slots.values()
            if not slot.is_categorical
        )
        object.__setattr__(self, "services", MappingProxyType(dict(self.services)))
        object.__setattr__(self, "_open_slots", open_slots)

    @classmethod
    def load(cls, *paths: str | Path) -> Schema:
        """The union of the schemas in `paths`: files, or folders with a `schema.json` in them or one level below.

        A service that stands in several files has to be the same in all of them.
        """
        if not paths:
            raise InvalidInput.of(
                "paths", "name at least one schema", paths, remedy="Give a schema.json or its folder."
            )
        services: dict[str, Service] = {}
        for file in _schema_files(paths):
            for service in _services_of(file):
                known = services.setdefault(service.name, service)
                if known != service:
                    raise DataError(
                        f"the service {service.name} is defined differently in another of the schemas.",
                        path=file,
                        field="service_name",
                        remedy="Load only one of the two files, or rename the service.",
                    )
        return cls(services)

    def service(self, name: str) -> Service:
        """The service called `name`; an unknown name is an error that offers the nearest known ones."""
        found = self.services.get(name)
        if found is None:
            raise InvalidInput.of("service", "be in the schema", name, remedy=near(name, self.services))
        return found

    def is_non_categorical(self, service: str, slot: str) -> bool:
        """Whether the slot error rate counts this slot: a slot of the service that is not categorical.

        False for `""`, `count`, `intent` and slots the service does not have; an unknown service is an error, since
        calling it uncounted would make a system look better than it is.
        """
        if (service, slot) in self._open_slots:
            return True
        if service not in self.services:
            self.service(service)
        return False


def near(name: str, known: Iterable[str]) -> str:
    """A remedy that names what is spelled most like `name`, or else the first few known names."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return f"Known: {shown or 'none'}."


def find_schemas(data: str | Path) -> tuple[Path, ...]:
    """The schema files that belong to a data file or folder by their place; empty where there are none.

    For a folder: its own `schema.json` and those one level below. For a file: those beside it, and one level below
    that (`sgd/train.jsonl.gz` goes with `sgd/*/schema.json`), so that evaluation sees the union of the splits.
    """
    data = Path(data)
    folder = data if data.is_dir() else data.parent
    return tuple(_schemas_in(folder))


def _schemas_in(folder: Path) -> Iterator[Path]:
    own = folder / "schema.json"
    if own.is_file():
        yield own
    yield from sorted(path for path in folder.glob("*/schema.json") if path.is_file())


def _schema_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        found = tuple(_schemas_in(path))
        if not found:
            raise DataError("the folder holds no schema.json.", path=path, remedy="Name the schema file itself.")
        yield from found


def _services_of(path: Path) -> Iterator[Service]:
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise DataError("the schema file does not exist.", path=path, remedy="Check the path.") from None
    except UnicodeDecodeError as error:
        raise DataError(f"byte {error.start} is not UTF-8.", path=path, remedy="Save the file as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"invalid JSON: {error.msg} (column {error.colno}).", path=path, line=error.lineno, remedy="Mend the file."
        ) from None
    if not isinstance(content, list):
        raise DataError(
            f"a schema must be a list of services, but is {type(content).__name__}.",
            path=path,
            remedy='Write [{"service_name": ..., "slots": [...]}, ...].',
        )
    for number, entry in enumerate(content):
        yield _service(_Entry(path, f"[{number}]", entry))


@dataclass(frozen=True, slots=True)
class _Entry:
    """One object of a schema file and where it stands there."""

    path: Path
    place: str
    content: Any

    def get(self, name: str, kind: type, default: Any = None) -> Any:
        """The field `name`, which has to be a `kind`; required where there is no default."""
        place = f"{self.place}.{name}"
        if not isinstance(self.content, dict):
            raise DataError("must be an object.", path=self.path, field=self.place, remedy="Write {...} here.")
        value = self.content.get(name, default)
        if value is None:
            raise DataError("is missing.", path=self.path, field=place, remedy=f"Add it ({kind.__name__}).")
        if not isinstance(value, kind):
            raise DataError(
                f"must be {kind.__name__}, but is {type(value).__name__}.",
                path=self.path,
                field=place,
                remedy=f"Write a {kind.__name__}.",
            )
        return value

    def below(self, name: str) -> Iterator[_Entry]:
        """The objects of the list called `name`."""
        for number, content in enumerate(self.get(name, list, [])):
            yield _Entry(self.path, f"{self.place}.{name}[{number}]", content)


def _service(entry: _Entry) -> Service:
    entry.get("slots", list)
    slots = {slot.name: slot for slot in map(_slot, entry.below("slots"))}
    intents = tuple(Intent(each.get("name", str), each.get("description", str, "")) for each in entry.below("intents"))
    return Service(entry.get("service_name", str), entry.get("description", str, ""), MappingProxyType(slots), intents)


def _slot(entry: _Entry) -> Slot:
    return Slot(
        name=entry.get("name", str),
        description=entry.get("description", str, ""),
        is_categorical=entry.get("is_categorical", bool),
        possible_values=tuple(map(str, entry.get("possible_values", list, []))),
    )
