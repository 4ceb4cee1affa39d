"""Coverage of categorical values and counts, which may be said in other words: by a small published lexicon."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

from controldag.data.records import Example
from controldag.data.schema import PSEUDO_SLOTS, Schema
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

FILE = "categorical_lexicon.json"
_SENTENCE_END = re.compile(r"[.?!]+(?:\s|$)")
_SWITCHES = {"true": True, "false": False}


@dataclass(frozen=True)
class Lexicon:
    """Ways to say values.

    values: by value; slot_values: further ones for a slot; numbers: whole numbers. switches: by slot that is true or
    false, beginnings of words one of which must be there. negations: words one of which a sentence that denies has;
    opposites: beginnings that deny by themselves.
    """

    negations: tuple[str, ...]
    numbers: Mapping[str, Sequence[str]]
    values: Mapping[str, Sequence[str]]
    slot_values: Mapping[str, Mapping[str, Sequence[str]]]
    switches: Mapping[str, Sequence[str]]
    opposites: tuple[str, ...]
    version: str

    @classmethod
    def load(cls) -> Lexicon:
        """The one that comes with the package."""
        content: dict[str, Any] = json.loads((resources.files(__package__ or "") / FILE).read_text("utf-8"))
        content["version"] = content.pop("format")
        content["negations"], content["opposites"] = tuple(content["negations"]), tuple(content["opposites"])
        return cls(**content)

    def says(self, text: str, slot: str, value: str) -> bool:
        """Whether `text` says `slot = value` in one of the ways listed, or in the value's own words; case ignored."""
        if value.lower() in _SWITCHES:
            return self._says_switch(text.lower(), slot, wanted=_SWITCHES[value.lower()])
        ways = [value, *self.values.get(value, ()), *self.numbers.get(value, ())]
        ways += self.slot_values.get(slot, {}).get(value, ())
        return any(_word(way.lower()).search(text.lower()) for way in ways)

    def _says_switch(self, text: str, slot: str, *, wanted: bool) -> bool:
        """A sentence speaks of the slot, and denies it if and only if the value is false."""
        known = self.switches.get(slot)
        beginnings = known if known is not None else [word for word in slot.split("_") if len(word) > 3]
        return any(self._denies(sentence) is not wanted for sentence in _about(text, beginnings))

    def _denies(self, sentence: str) -> bool:
        return bool(self._denial.search(sentence)) or any(_beginning(each).search(sentence) for each in self.opposites)

    @cached_property
    def _denial(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, self.negations))})\b|n't\b")


def categorical_measures(examples: Sequence[Example], texts: Sequence[str], schema: Schema) -> tuple[Measure, ...]:
    """`categorical_said` and `counts_said`: percentage of such values that the texts say, by the lexicon."""
    check_one_each("texts", texts, examples)
    lexicon = Lexicon.load()
    measures = []
    for name, values_of in (("categorical_said", categorical_values), ("counts_said", count_values)):
        wanted = [list(values_of(example, schema)) for example in examples]
        said = [
            sum(lexicon.says(text, slot, value) for slot, value in values)
            for values, text in zip(wanted, texts, strict=True)
        ]
        signature = f"lexicon:{lexicon.version}|case:ignored|over values"
        measures.append(percentage(name, signature, said, [len(each) for each in wanted], lower_is_better=False))
    return tuple(measures)


def categorical_values(example: Example, schema: Schema) -> Iterator[tuple[str, str]]:
    """Slot and value of every categorical slot that the input names with a value, each once."""
    pairs = (
        (act.slot, value)
        for act in example.acts
        if act.slot not in PSEUDO_SLOTS and not schema.is_non_categorical(example.service, act.slot)
        for value in act.values
    )
    return iter(dict.fromkeys(pairs))


def count_values(example: Example, schema: Schema) -> Iterator[tuple[str, str]]:
    """The counts that the input names."""
    return iter(dict.fromkeys((act.slot, value) for act in example.acts if act.slot == "count" for value in act.values))


def _about(text: str, beginnings: Iterable[str]) -> list[str]:
    patterns = [_beginning(each) for each in beginnings]
    return [part for part in _SENTENCE_END.split(text) if any(pattern.search(part) for pattern in patterns)]


@lru_cache(maxsize=4096)
def _word(way: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(way)}(?!\w)")


@lru_cache(maxsize=4096)
def _beginning(way: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(way)}")
