"""An example as the text a model reads. Each way has a name, so that a config can choose it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from controldag.data.full_input import full_text
from controldag.data.records import Example
from controldag.data.schema import PSEUDO_SLOTS, Schema, near
from controldag.data.templates import Templates
from controldag.errors import InvalidInput

Lineariser = Callable[[Example], str]
_SlotWords = Callable[[str, str], str]

NAMES = ("schema-guided", "naive", "schema-guided-service", "template-guided", "triples", "triples-in-words", "full")
"""schema-guided: `ACT ( slot description = v1 v2 )` (the paper's); naive: slot names instead of descriptions;
schema-guided-service: the service's name in front; template-guided: filled templates (T2G2);
triples: DART; triples-in-words: the same with relations as plain words;
full: acts and triples in one form, with all that the schema says in words (data/full_input.py)."""

VALUE_SEPARATORS = (" ", " , ")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class LinearisationOptions:
    """Which linearisation, and what stands between several values of one slot."""

    name: str = "schema-guided"
    value_separator: str = " "

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            rule = f"be one of {', '.join(NAMES)}"
            raise InvalidInput.of("name", rule, self.name, remedy=near(self.name, NAMES))
        if self.value_separator not in VALUE_SEPARATORS:
            raise InvalidInput.of("value_separator", "be ' ' or ' , '", self.value_separator, remedy="Use one of them.")


def make_lineariser(
    options: LinearisationOptions, *, schema: Schema | None = None, templates: Templates | None = None
) -> Lineariser:
    """The function that turns an example into model input; `schema` and `templates` where its kind needs them."""
    if options.name == "triples":
        return triples_text
    if options.name == "triples-in-words":
        return lambda example: triples_text(_with_plain_relations(example))
    if options.name == "full":
        return _full_lineariser(options, schema)
    if options.name == "naive":
        return _act_lineariser(options, lambda service, slot: slot)
    if options.name == "template-guided":
        if templates is None:
            raise InvalidInput.of("templates", "be given for template-guided", templates, remedy="Load them.")
        return _for_acts(templates.text)
    if schema is None:
        raise InvalidInput.of("schema", f"be given for {options.name}", schema, remedy="Load it, or use naive.")
    guided = _act_lineariser(options, lambda service, slot: described(schema, service, slot))
    if options.name == "schema-guided-service":
        return lambda example: f"{example.service} {guided(example)}"
    return guided


def _full_lineariser(options: LinearisationOptions, schema: Schema | None) -> Lineariser:
    def linearise(example: Example) -> str:
        if example.acts and schema is None:
            raise InvalidInput.of("schema", "be given for acts", schema, remedy="Load it.")
        return full_text(example, schema, options.value_separator)

    return linearise


def triples_text(example: Example) -> str:
    """`<h> subject <r> relation <t> object` for each triple, joined by blanks."""
    if not example.triples:
        raise InvalidInput.of("example", "have triples", example.id, remedy="Use a linearisation of dialogue acts.")
    return " ".join([f"<h> {each.subject} <r> {each.relation} <t> {each.object}" for each in example.triples])


def in_words(relation: str) -> str:
    """A relation as people would write it: `BACKUP_PILOT` and `backupPilot` are `backup pilot`; `[TITLE]` stays."""
    if relation.startswith("["):
        return relation
    apart = _CAMEL.sub(" ", relation).replace("_", " ")
    return " ".join(apart.split()).lower() or relation


def _with_plain_relations(example: Example) -> Example:
    return replace(example, triples=tuple(replace(each, relation=in_words(each.relation)) for each in example.triples))


def described(schema: Schema, service: str, slot: str) -> str:
    """The slot's description; its name in plain words where it has none; `count` and `intent` as they are."""
    if slot in PSEUDO_SLOTS:
        return slot
    return schema.service(service).slot(slot).description or slot.replace("_", " ")


def _act_lineariser(options: LinearisationOptions, words: _SlotWords) -> Lineariser:
    separator = options.value_separator
    # There are few (service, act, slot) and many records: the texts around the values are made once.
    frames: dict[tuple[str, str, str], tuple[str, str]] = {}

    def linearise(example: Example) -> str:
        service = example.service
        parts = []
        for act in example.acts:
            key = (service, act.act, act.slot)
            frame = frames.get(key)
            if frame is None:
                frame = frames[key] = _frame(act.act, words(service, act.slot))
            bare, opening = frame
            parts.append(f"{opening}{separator.join(act.values)} )" if act.values else bare)
        return " ".join(parts)

    return _for_acts(linearise)


def _frame(act: str, slot: str) -> tuple[str, str]:
    """The act without values, and what precedes them."""
    return (f"{act} ( {slot} )", f"{act} ( {slot} = ") if slot else (act, f"{act} ( ")


def _for_acts(linearise: Lineariser) -> Lineariser:
    def checked(example: Example) -> str:
        if not example.acts:
            raise InvalidInput.of("example", "have dialogue acts", example.id, remedy="Use the triples linearisation.")
        return linearise(example)

    return checked
