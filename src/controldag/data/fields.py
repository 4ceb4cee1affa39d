"""Fields of a record that came from a file: each has its type checked, and an error says where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.errors import DataError

_JSON_NAMES = {
    str: "a string",
    list: "a list",
    dict: "an object",
    int: "a number",
    float: "a number",
    bool: "a boolean",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: `line` is its line, or its number among the entries of an array or XML file.

    None where only the field can be named, as in a schema that is read as a whole.
    """

    path: Path
    line: int | None = None

    def error(self, message: str, *, field: str = "", remedy: str) -> DataError:
        """The error to raise for the record at this place."""
        return DataError(message, path=self.path, line=self.line, field=field, remedy=remedy)

    @property
    def stem(self) -> str:
        """The file's name without its suffixes."""
        return self.path.name.split(".json")[0].removesuffix(".xml")


def wrong_type(value: Any, wanted: type, field: str, place: Place) -> DataError:
    """The error for a `value` that should have been a `wanted`."""
    found = "null" if value is None else _JSON_NAMES.get(type(value), type(value).__name__)
    return place.error(
        f"must be {_JSON_NAMES[wanted]}, but is {found}.", field=field, remedy=f"Write {_JSON_NAMES[wanted]}."
    )


def required(record: dict[str, Any], name: str, wanted: type, place: Place, *, inside: str = "") -> Any:
    """The field `name`, which has to be there and to be a `wanted`; `inside` is the field that holds `record`."""
    field = f"{inside}.{name}" if inside else name
    if name not in record:
        raise place.error("is missing.", field=field, remedy=f"Add it: {_JSON_NAMES[wanted]}.")
    value = record[name]
    if type(value) is not wanted:
        raise wrong_type(value, wanted, field, place)
    return value


def text(record: dict[str, Any], name: str, place: Place, *, inside: str = "") -> str:
    """The string called `name`, empty where there is none; `inside` is the field that holds `record`."""
    return str(required(record, name, str, place, inside=inside)) if name in record else ""


def objects(value: Any, field: str, place: Place) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a list, each with the field that names it: `slots[0]`."""
    if type(value) is not list:
        raise wrong_type(value, list, field, place)
    for number, each in enumerate(value):
        if type(each) is not dict:
            raise wrong_type(each, dict, f"{field}[{number}]", place)
        yield f"{field}[{number}]", each


def texts(value: Any, field: str, place: Place) -> tuple[str, ...]:
    """`value`, which has to be a list of strings."""
    if type(value) is not list:
        raise wrong_type(value, list, field, place)
    for number, each in enumerate(value):
        if type(each) is not str:
            raise wrong_type(each, str, f"{field}[{number}]", place)
    return tuple(value)
