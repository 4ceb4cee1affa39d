"""From an item of a request to what the pipeline takes, within the service's limits."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    groups = (*item.must_any, *item.in_order)
    single = len(item.must) + len(item.must_not) + len(item.pattern) + len(item.prefer)
    _at_most("phrases and patterns", single + max(sum(map(len, groups)), len(groups)), limits.phrases)
    _at_most("pattern", len(item.pattern), limits.patterns, "patterns")
    _at_most("n_best", item.n_best, limits.n_best)
    for name, text in _texts(item):
        _at_most(name, len(text), limits.characters, "characters")
    for number in re.findall(r"[0-9]+", str(item.length or "")):
        _at_most("length", int(number), limits.length, "tokens or words")
    return request_of(item.model_dump(exclude_none=True), Request(()))


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
    yield from (("in_order", text) for group in item.in_order for text in group)
    yield from (("pattern", text) for text in item.pattern)
    yield from (("prefer", text) for text in item.prefer)
