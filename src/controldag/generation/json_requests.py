"""Requests as JSON lines: what to say, with wishes of its own for each line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from controldag.data.act_syntax import parse_act, parse_triple
from controldag.data.records import Act, Triple
from controldag.errors import ControlDagError, DataError, InvalidInput
from controldag.generation.length_wish import length_wish
from controldag.generation.request import Request
from controldag.generation.wishes import Wishes

_KNOWN = {
    "id", "service", "acts", "dialog_acts", "triples", "tripleset", "must", "must_any", "must_not", "in_order",
    "pattern", "prefer", "length", "n_best", "decoder", "trust",
}  # fmt: skip
# Records of the data sets bring these along; they say nothing about what to generate.
_IGNORED = {"dialog_id", "turn", "context", "prompt", "target", "references", "source", "sources"}


class BadLine(DataError):
    """What is wrong with a line; `id` is the line's own, where it has one."""

    def __init__(self, error: ControlDagError, path: str, line: int, identifier: object = None) -> None:
        super().__init__(error.message, path=path, line=line, remedy=error.remedy)
        self.id = identifier if isinstance(identifier, str) else ""


def read_requests(lines: Iterable[str], defaults: Request, path: str, *, first: int = 1) -> Iterator[Request | BadLine]:
    """By line that is not blank: its request, or what is wrong with it. `defaults` gives what lines leave out.

    `first`: the number of the first line, where the file begins before it.
    """
    for number, line in enumerate(lines, start=first):
        if not line.strip("\ufeff \t\r\n"):
            continue
        record: dict[str, Any] = {}
        try:
            record = _object(line.removeprefix("\ufeff"))  # some editors begin files with it
            yield request_of(record, defaults)
        except ControlDagError as error:
            yield BadLine(error, path, number, record.get("id"))


def request_of(record: dict[str, Any], defaults: Request) -> Request:
    """The request that one JSON object makes."""
    unknown = sorted(record.keys() - _KNOWN - _IGNORED)
    if unknown:
        raise InvalidInput.of("field", f"be one of {', '.join(sorted(_KNOWN))}", unknown[0])
    wishes = Wishes(
        must=_strings(record, "must"),
        must_any=_groups(record, "must_any"),
        must_not=_strings(record, "must_not"),
        in_order=_groups(record, "in_order"),
        patterns=_strings(record, "pattern"),
        prefer=_strings(record, "prefer"),
    )
    length = record.get("length", defaults.length)
    length_wish(length)  # refuses what is no length
    own, shared = wishes.constraint(), defaults.constraint
    n_best = record.get("n_best", defaults.n_best)
    if not isinstance(n_best, int) or isinstance(n_best, bool):
        raise InvalidInput.of("n_best", "be a whole number", n_best)
    return replace(
        defaults,
        what=_what(record),
        service=_text(record, "service") or defaults.service,
        constraint=own if shared is None else shared if own is None else shared & own,
        length=length,
        n_best=n_best,
        decoder=_text(record, "decoder") or defaults.decoder,
        trust=_text(record, "trust") or defaults.trust,
        id=_text(record, "id"),
    )


def _object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"invalid JSON: {error}.", remedy="Write one JSON object a line.") from None
    if not isinstance(record, dict):
        raise InvalidInput.of("line", "be a JSON object", type(record).__name__)
    return record


def _what(record: dict[str, Any]) -> tuple[Act, ...] | tuple[Triple, ...]:
    acts = _list(record, "acts") or _list(record, "dialog_acts")
    triples = _list(record, "triples") or _list(record, "tripleset")
    if bool(acts) == bool(triples):
        raise InvalidInput("a record must hold acts or triples, one of them.", remedy='Write "acts": ["ACT(slot=v)"].')
    return tuple(map(_act, acts)) if acts else tuple(map(_triple, triples))


def _act(entry: Any) -> Act:
    if isinstance(entry, str):
        return parse_act(entry)
    if not isinstance(entry, dict):
        raise InvalidInput.of("act", "be a string or an object", entry)
    return Act(_text(entry, "act"), _text(entry, "slot"), tuple(_strings(entry, "values")))


def _triple(entry: Any) -> Triple:
    if isinstance(entry, str):
        return parse_triple(entry)
    parts = _checked("triple", entry)
    if len(parts) != 3:
        raise InvalidInput.of("triple", "have three parts", entry)
    return Triple(*parts)


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name, "")
    if not isinstance(value, str):
        raise InvalidInput.of(name, "be a string", value)
    return value


def _list(record: dict[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput.of(name, "be a list", value)
    return value


def _strings(record: dict[str, Any], name: str) -> list[str]:
    return _checked(name, _list(record, name))


def _groups(record: dict[str, Any], name: str) -> list[list[str]]:
    return [_checked(name, group) for group in _list(record, name)]


def _checked(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidInput.of(name, "be a list of strings", value)
    return value
