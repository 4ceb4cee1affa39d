"""The same turn about other values: values exchanged in the acts and in the reference alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from controldag.data.records import Act, Example
from controldag.data.schema import Schema


def exchangeable(example: Example, schema: Schema) -> dict[str, str]:
    """The values of non-categorical slots that can be exchanged, each with its slot.

    Those that stand in the first reference exactly once, as whole words, and are part of no other value.
    """
    values = {value for act in example.acts for value in act.values}
    target = example.target
    found: dict[str, str] = {}
    for act in example.acts:
        if not schema.is_non_categorical(example.service, act.slot):
            continue
        for value in act.values:
            if value in found or len(value) < 2 or sum(value in other for other in values) != 1:
                continue
            if target.count(value) == 1 and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", target):
                found[value] = act.slot
    return found


def is_name(value: str) -> bool:
    """Whether `value` looks like a name: it begins with a capital letter and holds no digit."""
    return value[:1].isupper() and not any(character.isdigit() for character in value)


def exchanged(example: Example, changes: Mapping[str, str]) -> Example:
    """The example with `changes` made in its acts and its first reference, the only one that is kept."""
    target = example.target
    if not changes:
        return replace(example, references=(target,), sources=())
    pattern = re.compile("|".join(re.escape(value) for value in sorted(changes, key=len, reverse=True)))
    acts = tuple(
        Act(act.act, act.slot, tuple(changes.get(value, value) for value in act.values)) for act in example.acts
    )
    return replace(
        example, acts=acts, references=(pattern.sub(lambda match: changes[match.group()], target),), sources=()
    )
