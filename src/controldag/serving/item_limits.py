"""From an item of a request to what the pipeline takes, within the service's limits."""

from __future__ import annotations

from collections.abc import Iterator

from controldag.constraints import Length
from controldag.errors import InvalidInput
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.serving.options import ServiceLimits
from controldag.serving.schemas import ActObject, Item


def request_within(item: Item, limits: ServiceLimits) -> Request:
    """The item as a Request; InvalidInput where it passes a limit or breaks a rule. Patterns are compiled here."""
    _at_most("acts and triples", len(item.acts) + len(item.triples), limits.parts)
    values = sum(len(act.values) for act in item.acts if isinstance(act, ActObject))
    _at_most("values", values, 4 * limits.parts)
    phrases = len(item.must) + len(item.must_not) + len(item.pattern) + sum(map(len, item.must_any))
    _at_most("phrases and patterns", max(phrases, len(item.must_any)), limits.phrases)
    _at_most("pattern", len(item.pattern), limits.patterns, "patterns")
    _at_most("n_best", item.n_best, limits.n_best)
    for name, text in _texts(item):
        _at_most(name, len(text), limits.characters, "characters")
    request = request_of(item.model_dump(exclude_none=True), Request(()))
    if request.length is not None:
        _check_length(request.length, limits.length)
    return request


def _check_length(length: Length, most: int) -> None:
    for value in (length.target, length.minimum, length.maximum, length.exact):
        if value is not None:
            _at_most("length", int(value), most, "tokens")


def _at_most(name: str, value: int, most: int, unit: str = "") -> None:
    if value > most:
        rule = f"be at most {most:,} {unit}".rstrip()
        raise InvalidInput(f"`{name}` must {rule}, but is {value:,}.", remedy="Ask for less at once.")


def _texts(item: Item) -> Iterator[tuple[str, str]]:
    yield "service", item.service
    yield "decoder", item.decoder
    for act in item.acts:
        texts = (act.act, act.slot, *act.values) if isinstance(act, ActObject) else (act,)
        yield from (("acts", text) for text in texts)
    for triple in item.triples:
        yield from (("triples", text) for text in ([triple] if isinstance(triple, str) else triple))
    yield from (("must", text) for text in item.must)
    yield from (("must_not", text) for text in item.must_not)
    yield from (("must_any", text) for group in item.must_any for text in group)
    yield from (("pattern", text) for text in item.pattern)
