"""Readers for corpora beside SGD and DART: one JSON object a line with acts or triples, a text, a speaker, a domain."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from controldag.data.fields import Place, objects, required, text, texts, wrong_type
from controldag.data.json_stream import parse_line
from controldag.data.lines import open_bytes, read_lines
from controldag.data.phrases import SWITCHES_OF_ACTS
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import PSEUDO_SLOTS, Schema, Service, Slot

LOWER_CASE = "lowercase"
"""Put before the speaker of a corpus without capitals: a model must not learn to write so."""
_WORD_FOR_WORD = 0.9
"""A slot whose values stand in this share of its texts word for word has to be said so."""


def read_corpus(path: str | Path) -> Iterator[Example]:
    """The examples of one file that have acts or triples and a text; others say nothing to learn from."""
    path = Path(path)
    with open_bytes(path) as stream:
        for number, line in read_lines(stream, path):
            place, record = Place(path, number), parse_line(line, path, number)
            if type(record) is not dict:
                raise wrong_type(record, dict, "", place)
            if type(record.get("service")) is list:
                continue  # a turn about two services at once: no input of ours is
            example = _triples(record, place) if "triples" in record else _acts(record, place)
            if (example.acts or example.triples) and example.target:
                yield example


def schema_of(examples: Iterable[Example]) -> Schema:
    """A schema for corpora that have none: services and slots as the examples name them, without descriptions.

    A slot is categorical unless its values nearly always stand in the texts word for word.
    """
    counts: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    services: dict[str, None] = {}
    for example in examples:
        services[example.service] = None
        for act in example.acts:
            if act.slot in PSEUDO_SLOTS:
                continue
            found = counts[example.service, act.slot]
            for value in act.values:
                found[0] += 1
                found[1] += stands_in(value, example.target)
    slots: dict[str, dict[str, Slot]] = {name: {} for name in services}
    for (service, name), (total, said) in counts.items():
        slots[service][name] = Slot(name, is_categorical=said < _WORD_FOR_WORD * total)
    return Schema({name: Service(name, slots=slots[name]) for name in services})


def says_its_values(example: Example, schema: Schema) -> bool:
    """Whether the text holds every value that has to be said word for word; others would teach to leave values out."""
    return all(
        stands_in(value, example.target)
        for act in example.acts
        if schema.is_non_categorical(example.service, act.slot)
        for value in act.values
        if value not in SWITCHES_OF_ACTS
    )


def stands_in(value: str, sentence: str) -> bool:
    """Whether the sentence holds the value as whole words, case as written."""
    value = value.strip()
    return bool(value) and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", sentence) is not None


def _acts(record: dict[str, Any], place: Place) -> Example:
    found = objects(record.get("acts", []), "acts", place)
    acts = tuple(
        Act(
            required(entry, "act", str, place, inside=where),
            text(entry, "slot", place, inside=where),
            texts(entry.get("values", []), f"{where}.values", place),
        )
        for where, entry in found
    )
    speaker = text(record, "speaker", place) or "system"
    if record.get("case") == "lower":
        speaker = f"{LOWER_CASE}-{speaker}"
    return Example(
        required(record, "id", str, place),
        acts=acts,
        service=text(record, "service", place) or text(record, "domain", place) or "general",
        references=(required(record, "text", str, place).strip(),),
        speaker=speaker,
    )


def _triples(record: dict[str, Any], place: Place) -> Example:
    triples = []
    for number, entry in enumerate(required(record, "triples", list, place)):
        if not (isinstance(entry, list) and len(entry) == 3 and all(isinstance(end, str) for end in entry)):
            remedy = "Write [subject, relation, object]."
            raise place.error("must be three strings.", field=f"triples[{number}]", remedy=remedy)
        triples.append(Triple(*entry))
    return Example(
        required(record, "id", str, place),
        triples=tuple(triples),
        references=(required(record, "text", str, place).strip(),),
    )
