"""Training data for one model of acts and triples: SGD in six wordings, DART, other corpora and plain sentences.

Every copy of an example is drawn anew, so that nothing can be learnt by heart: another wording of its schema, other
values, facts in another order, the service without its name, words that schema and text share exchanged on both sides.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from controldag.data.corpora import read_corpus, says_its_values, schema_of
from controldag.data.full_input import full_text
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.rewording import Wording, all_services, load_wordings
from controldag.data.schema import Schema, Service
from controldag.data.schema_words import SchemaWords
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.training.augment import ValuePools, exchange_values, shuffle
from controldag.training.plain_text import INFILL, REBUILD, PlainSentences

SGD, USER, DART, ACTS, TRIPLES = "sgd", "user", "dart", "acts", "triples"
INVENTED, FACTS, TOLD = "invented", "facts", "told"
PARTS = (SGD, USER, DART, ACTS, TRIPLES, INFILL, REBUILD, INVENTED, FACTS, TOLD)
"""sgd: system turns; user: user turns of SGD; dart; acts, triples: other corpora; infill, rebuild: plain sentences;
invented, facts, told: texts that are right, made by `python -m recipes teach`."""
TAUGHT = (INVENTED, FACTS, TOLD)
OF_TRIPLES = frozenset((DART, TRIPLES, FACTS, TOLD))

ACT_FILES = (
    "multiwoz_templates",
    "multiwoz_valtest",
    "rnnlg",
    "star",
    "camrest",
    "crosswoz_en",
    "viggo",
    "taskmaster3_part",
)
TRIPLE_FILES = ("rel2text", "wdv", "pararel_synth", "webnlg_train_seencat")
"""Corpora whose texts say what their acts or triples say, under licences that let weights be shared or, for
WebNLG, be used as DART's are."""


@dataclass(frozen=True, slots=True)
class Disguise:
    """Shares of examples in which something is hidden or changed."""

    other_values: float = 0.5
    other_order: float = 0.3
    other_words: float = 0.25
    unnamed_service: float = 0.3
    undescribed: float = 0.15  # slots and service without their descriptions, intents left out


@dataclass(frozen=True)
class Material:
    """The examples of each part, and the schemas they are read by."""

    sgd_schema: Schema
    wordings: tuple[Wording, ...]
    parts: Mapping[str, list[Example]]
    corpora_schema: Schema
    plain: PlainSentences | None

    @classmethod
    def read(cls, data: Path, wanted: frozenset[str]) -> Material:
        """The wanted parts of the data folder: sgd/, dart/, corpora/."""
        for part in wanted - set(PARTS):
            raise InvalidInput.of("data.mixture", f"name parts of {', '.join(PARTS)}", part)
        corpora = data / "corpora"
        schema = Schema.load(data / "sgd" / "train" / "schema.json")
        parts: dict[str, list[Example]] = {}
        if SGD in wanted:
            parts[SGD] = list(read_examples(data / "sgd" / "train.jsonl.gz", for_training=True))
        if DART in wanted:
            parts[DART] = list(read_examples(data / "dart" / "train.jsonl.gz", for_training=True))
        if USER in wanted:
            parts[USER] = list(read_corpus(corpora / "acts" / "sgd_train_user.jsonl.gz"))
        other = _files(corpora / "acts", ACT_FILES) if ACTS in wanted else []
        made = schema_of(other)
        parts[ACTS] = [example for example in other if says_its_values(example, made)]
        parts[TRIPLES] = _files(corpora / "triples", TRIPLE_FILES) if TRIPLES in wanted else []
        taught = data / "taught"
        parts |= {part: _files(taught, (part,)) for part in TAUGHT if part in wanted}
        if INVENTED in wanted:
            made = Schema({**made.services, **Schema.load(taught / "schema.json").services})
        plain = wanted & {INFILL, REBUILD}
        sentences = PlainSentences.read(corpora / "plain" / "sentences.txt.xz") if plain else None
        wordings = tuple(load_wordings(schema, corpora / "sgdx", "train"))
        return cls(schema, wordings, parts, made, sentences)

    @cached_property
    def schema(self) -> Schema:
        """All services, in every wording, and those of the corpora."""
        return Schema({**self.corpora_schema.services, **all_services(self.sgd_schema, self.wordings).services})

    @cached_property
    def bare_schema(self) -> Schema:
        """The same services without descriptions and intents."""
        return Schema({name: _bare(service) for name, service in self.schema.services.items()})

    @cached_property
    def pools(self) -> ValuePools:
        """The values of SGD's slots, to exchange them."""
        return ValuePools.collect(self.parts.get(SGD, ()), self.sgd_schema)


def _files(folder: Path, names: tuple[str, ...]) -> list[Example]:
    return [example for name in names for example in read_corpus(folder / f"{name}.jsonl.gz")]


def _bare(service: Service) -> Service:
    slots = {name: replace(slot, description="") for name, slot in service.slots.items()}
    return Service(service.name, "", slots)


@dataclass(frozen=True, slots=True)
class Marking:
    """How many marks there are for values and for words of the schema, and which words get one."""

    values: int
    words: int
    rule: SchemaWords | None  # None: not learnt yet
    separator: str = " , "


class Writer:
    """Writes examples as pairs of source and target, drawn anew for every copy."""

    def __init__(self, material: Material, marking: Marking, disguise: Disguise | None = None) -> None:
        self._material, self._marking, self._disguise = material, marking, disguise or Disguise()
        rule = marking.rule
        self._pool = sorted({key.split(" ", 1)[1] for key in rule.words if key.startswith("name ")}) if rule else []

    def pairs(self, part: str, example: Example, chance: random.Random) -> list[tuple[str, str]]:
        """One pair for every reference of the example (of SGD's turns with values exchanged, the only one)."""
        changed = self._changed(part, example, chance)
        values = MarkedValues.of(changed, self._material.schema, self._marking.values)
        marked = values.in_input(changed)
        # What is said plainly is said in words of descriptions: hidden, nobody could know them.
        source = self._full(marked) if part == INVENTED else self._source(marked, chance)
        texts = list(dict.fromkeys(text for text in changed.references if text.strip()))
        if self._marking.rule is None:
            return [(source, values.in_text(text)) for text in texts]
        words = self._marking.rule.of(source, self._marking.words)
        placed = [""] * self._marking.words
        for place, word in zip(chance.sample(range(len(placed)), len(words)), words, strict=True):
            placed[place] = word
        values = values.with_words(placed, self._marking.values)
        return [(values.in_schema(source, self._shown(words, text, chance)), values.in_text(text)) for text in texts]

    def _changed(self, part: str, example: Example, chance: random.Random) -> Example:
        disguise, material = self._disguise, self._material
        if part == SGD and chance.random() < disguise.other_values:
            example = exchange_values(example, material.pools, material.sgd_schema, chance)
        if part in (SGD, USER):
            wording = chance.choice((None, *material.wordings))
            example = example if wording is None else wording.apply(example)
        return shuffle(example, chance) if chance.random() < disguise.other_order else example

    def _full(self, marked: Example, *, bare: bool = False) -> str:
        schema = self._material.bare_schema if bare else self._material.schema
        return full_text(marked, schema, self._marking.separator)

    def _source(self, marked: Example, chance: random.Random) -> str:
        source = self._full(marked, bare=chance.random() < self._disguise.undescribed)
        if marked.acts and chance.random() < self._disguise.unnamed_service:
            return without_service(source)
        return source

    def _shown(self, words: tuple[str, ...], text: str, chance: random.Random) -> dict[str, str]:
        """Other words for some that the text repeats; marks hide them there, so that both sides are exchanged."""
        if not words or chance.random() >= self._disguise.other_words:
            return {}
        said = [word for word in words if word in text.lower()]
        return {word: chance.choice(self._pool) for word in said if chance.random() < 0.5}


def without_service(source: str) -> str:
    """A full input whose service has no name; intents and description stay."""
    opening, fact, facts = source.partition(" <h> ")
    speaker, _, rest = opening.partition(" ")
    starts = [place for place in (rest.find("; "), rest.find(": ")) if place >= 0]
    kept = f"{speaker} {rest[min(starts) :]}" if starts else speaker
    return f"{kept}{fact}{facts}"
