"""Turns that must say exactly so many values, from none to more than people ever put into one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from controldag.data.phrases import hard_phrases
from controldag.data.records import Act, Example
from controldag.data.schema import Schema
from recipes.stress.variant import Change

MOST = 10
Pools = Mapping[tuple[str, str], tuple[str, ...]]


def value_pools(examples: Iterable[Example], schema: Schema) -> dict[tuple[str, str], tuple[str, ...]]:
    """By service and non-categorical slot the values that occur, in order of appearance."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for example in examples:
        for act in example.acts:
            if schema.is_non_categorical(example.service, act.slot):
                values = (value for value in map(str.strip, act.values) if value)
                found.setdefault((example.service, act.slot), {}).update(dict.fromkeys(values))
    return {key: tuple(values) for key, values in found.items()}


def change_of_count(count: int, schema: Schema, pools: Pools) -> Change:
    """The turn with `count` values to say: its own first, then those of other slots, then more of each slot.

    It has no reference. Only a turn that says none already has none to say.
    """

    def change(example: Example) -> Example | None:
        own = [act for act in example.acts if schema.is_non_categorical(example.service, act.slot) and act.values]
        if not count:
            return None if hard_phrases(example, schema) else replace(example, references=(), sources=())
        if not own:
            return None
        offered = _offered(example, schema, pools)
        chosen: dict[str, list[str]] = {}
        for slot, value in offered[:count]:
            chosen.setdefault(slot, []).append(value)
        if len(offered) < count:
            return None
        acts = tuple(Act(own[0].act, slot, tuple(values)) for slot, values in chosen.items())
        return replace(example, acts=acts, references=(), sources=())

    return change


def _offered(example: Example, schema: Schema, pools: Pools) -> list[tuple[str, str]]:
    """Pairs of slot and value that the turn could say, no value twice."""
    pairs: list[tuple[str, str]] = []
    for act in example.acts:
        if schema.is_non_categorical(example.service, act.slot):
            pairs += ((act.slot, value.strip()) for value in act.values if value.strip())
    slots = [slot for slot in schema.service(example.service).slots if (example.service, slot) in pools]
    for place in range(MOST):
        pairs += ((slot, pool[place]) for slot in slots if place < len(pool := pools[example.service, slot]))
    kept: dict[str, str] = {}
    for slot, value in pairs:
        kept.setdefault(value, slot)
    return [(slot, value) for value, slot in kept.items()]
