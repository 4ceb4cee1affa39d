"""What an input claims, one claim an act or triple, in words: all that the verifier knows of an input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controldag.data.phrases import is_table_marker
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema, Service
from controldag.verifier.words import name_words, norms_of

# Fields of a claim, in the order in which their words are read.
HEAD, NAME, DESCRIPTION, SUBJECT, VALUE, SERVICE = range(6)
FIELDS = 6
MOST_WORDS = {NAME: 8, DESCRIPTION: 16, SUBJECT: 8, VALUE: 8, SERVICE: 16}
# Said in other words, never as they are.
WORDED = frozenset({"true", "false", "dontcare", "yes", "no"})
FACT = "FACT"


@dataclass(frozen=True, slots=True)
class Claim:
    """One act or triple.

    head: the act's name. name, description: words of its slot, intent or relation. values, subject: what has to stand
    in the text, each in words; worded: values that are said in other words (`True`).
    """

    head: str
    name: tuple[str, ...] = ()
    description: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    subject: tuple[str, ...] = ()
    worded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one input, and what its service is about, in words."""

    claims: tuple[Claim, ...]
    service: tuple[str, ...] = ()


def claims_of(example: Example, schema: Schema | None) -> Claims:
    """The claims of acts (in the words of the schema) or of triples, in input order."""
    if example.triples:
        return Claims(tuple(map(fact_claim, example.triples)))
    service = schema.services.get(example.service) if schema is not None else None
    return Claims(tuple(act_claim(act, service) for act in example.acts), service_words(service))


def service_words(service: Service | None) -> tuple[str, ...]:
    """What a service is about: its description, or its name where it has none."""
    if service is None:
        return ()
    described = norms_of(service.description) or name_words(service.name.rpartition("_")[0] or service.name)
    return tuple(described[: MOST_WORDS[SERVICE]])


def act_claim(act: Act, service: Service | None) -> Claim:
    """One act as a claim; a slot or intent that the service does not have is known by its name alone."""
    if act.slot == "intent":
        value = act.values[0] if act.values else ""
        intents = {each.name: each.description for each in service.intents} if service is not None else {}
        return Claim(act.act, _cut(name_words(value), NAME), _cut(norms_of(intents.get(value, "")), DESCRIPTION))
    slot = service.slots.get(act.slot) if service is not None else None
    description = norms_of(slot.description) if slot is not None else []
    return Claim(
        act.act,
        _cut(name_words(act.slot), NAME),
        _cut(description, DESCRIPTION),
        *split_values(act.values),
    )


def fact_claim(triple: Triple) -> Claim:
    """One triple as a claim: its object is the value, its subject stands beside it."""
    subject = "" if is_table_marker(triple.subject) else triple.subject
    values, _, worded = split_values((triple.object,))
    return Claim(FACT, _cut(name_words(triple.relation), NAME), (), values, tuple(_value(subject)), worded)


def split_values(values: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
    """The values that stand in a text as they are, no subject, and those that are worded: fields of a `Claim`."""
    plain = [value for value in values if value.strip().lower() not in WORDED]
    worded = [value.strip().lower() for value in values if value.strip().lower() in WORDED]
    cut = (_value(value) for value in plain)
    return tuple(tuple(words) for words in cut if words), (), tuple(worded)


def _value(value: str) -> list[str]:
    return norms_of(value.replace("_", " "))


def _cut(words: Sequence[str], field: int) -> tuple[str, ...]:
    return tuple(words[: MOST_WORDS[field]])
