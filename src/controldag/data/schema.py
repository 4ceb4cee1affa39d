"""What the services of a task-oriented system can talk about: slots and intents with their descriptions."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from controldag.data.fields import Place, objects, required, text, texts
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
    """A remedy that names what holds `name` or is spelled most like it, or else the first few known names."""
    names = sorted(known)
    holding = [each for each in names if len(name) > 2 and name.lower() in each.lower()]
    close = list(dict.fromkeys([*holding, *difflib.get_close_matches(name, names, n=3, cutoff=0.5)]))[:3]
    if close:
        return f"Did you mean {' or '.join(close)}?"
    shown = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
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
        raise DataError(f"byte {error.start + 1} is not UTF-8.", path=path, remedy="Save the file as UTF-8.") from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"invalid JSON: {error.msg} (column {error.colno}).", path=path, line=error.lineno, remedy="Mend the file."
        ) from None
    except (RecursionError, ValueError) as error:
        raise DataError(f"JSON that cannot be read: {error}.", path=path, remedy="Write a plain schema.") from None
    if type(content) is not list:
        remedy = 'Write [{"service_name": ..., "slots": [...]}, ...].'
        raise DataError("a schema must be a list of services.", path=path, remedy=remedy)
    place = Place(path)
    for where, entry in objects(content, "", place):
        yield _service(entry, where, place)


def _service(entry: dict[str, Any], field: str, place: Place) -> Service:
    slots = objects(required(entry, "slots", list, place, inside=field), f"{field}.slots", place)
    intents = objects(entry.get("intents", []), f"{field}.intents", place)
    by_name: dict[str, Slot] = {}
    for where, each in slots:
        slot = _slot(each, where, place)
        if slot.name in by_name:
            message = f"the slot {slot.name} stands in the service twice."
            raise place.error(message, field=f"{where}.name", remedy="Rename one of the two, or leave it out.")
        by_name[slot.name] = slot
    return Service(
        name=_name(entry, "service_name", place, field),
        description=text(entry, "description", place, inside=field),
        slots=MappingProxyType(by_name),
        intents=tuple(_intent(each, where, place) for where, each in intents),
    )


def _intent(entry: dict[str, Any], field: str, place: Place) -> Intent:
    return Intent(_name(entry, "name", place, field), text(entry, "description", place, inside=field))


def _slot(entry: dict[str, Any], field: str, place: Place) -> Slot:
    return Slot(
        name=_name(entry, "name", place, field),
        description=text(entry, "description", place, inside=field),
        is_categorical=required(entry, "is_categorical", bool, place, inside=field),
        possible_values=texts(entry.get("possible_values", []), f"{field}.possible_values", place),
    )


def _name(entry: dict[str, Any], name: str, place: Place, field: str) -> str:
    found = str(required(entry, name, str, place, inside=field))
    if not found.strip():
        raise place.error("must not be empty.", field=f"{field}.{name}", remedy="Give it a name.")
    return found
