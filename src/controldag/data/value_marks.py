"""Value marks: `<v0>`, `<v1>`, … stand for the values of one input, so that a model points instead of spelling.

The model reads `<v0> 71 Saint Peter` where the value is named first (`<v0>` alone from then on) and writes `<v0>`: one
token that no name, however rare, can break. Which text a mark stands for is known per input only. Of a long value the
model reads its beginning: enough to tell a date from a name, and no input grows with its values. A value of a
categorical slot is written `Standard` or `standard` as the sentence has it, so it has two marks: `<v1> <v2> Standard`.

Words of the schema are pointed at in the same way, by marks behind those of the values: the model reads `<v16> rating`
and writes `<v16>` or, with a piece of its own, `<v16>s`. Which words have one: data/schema_words.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from controldag.data.full_input import schema_parts
from controldag.data.phrases import entities, hard_phrases
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.data.schema_words import with_marks
from controldag.errors import InvalidInput

_MARK = re.compile(r"<v([0-9]+)>")
_HINT_WORDS, _HINT_LETTERS = 3, 12

NAMES, VALUES = "names", "values"
MARKED = (NAMES, VALUES)
"""What has marks in acts. names: values of non-categorical slots; values: those of categorical ones and counts too."""


def mark(index: int) -> str:
    """The mark of the value number `index` (from 0)."""
    return f"<v{index}>"


@dataclass(frozen=True, slots=True)
class MarkedValues:
    """The values of one input that have marks, in the order of their marks; empty: a mark that nothing has.

    `words`: words of the schema (base forms, data/schema_words.py), whose marks begin at number `first_word`.
    """

    values: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    first_word: int = 0

    @classmethod
    def of(cls, example: Example, schema: Schema | None, most: int, marked: str = NAMES) -> MarkedValues:
        """At most so many of: for acts, the values that `marked` asks for; for triples, subjects and objects."""
        if marked not in MARKED:
            raise InvalidInput.of("marked", f"be one of {', '.join(MARKED)}", marked)
        names = hard_phrases(example, schema) if schema is not None else ()
        if example.triples:
            found: Sequence[str] = entities(example)
        elif marked == VALUES:
            found = _with_lower_case(entities(example), frozenset(map(str.strip, names)))
        else:
            found = names
        # A blank at the end of a value, or several inside it, would not be found again in a sentence.
        plain = (value for value in map(str.strip, found) if value)
        return cls(tuple(dict.fromkeys(plain))[:most])

    def with_words(self, words: Sequence[str], first: int) -> MarkedValues:
        """The same values, and words of the schema with marks from number `first` on."""
        if len(self.values) > first:
            raise InvalidInput.of("first", f"be at least {len(self.values)}, the number of values", first)
        return replace(self, words=tuple(words), first_word=first)

    @property
    def spelled(self) -> tuple[str, ...]:
        """What each mark stands for, by its number; empty: nothing."""
        if not self.words:
            return self.values
        return (*self.values, *[""] * (self.first_word - len(self.values)), *self.words)

    @property
    def hints(self) -> tuple[str, ...]:
        """Of each value what the model reads: its first words, none too long."""
        return tuple(" ".join(word[:_HINT_LETTERS] for word in value.split()[:_HINT_WORDS]) for value in self.values)

    def in_input(self, example: Example, *, hints: bool = True) -> Example:
        """The example as the model reads it: each value's hint behind its mark, and later its mark alone."""
        said = dict(zip(self.values, self.hints, strict=True)) if hints else {}
        marks = {value: mark(index) for index, value in enumerate(self.values) if value}

        def marked(text: str, value: str) -> str:
            if value not in marks:
                return text
            hint, lower = said.pop(value, None), value.lower()
            if hint is None:
                return marks[value]
            both = f"{marks[value]} {marks[lower]}" if lower != value and lower in marks else marks[value]
            return f"{both} {hint}"

        acts = tuple(
            Act(act.act, act.slot, tuple(marked(value, value.strip()) for value in act.values)) for act in example.acts
        )
        triples = tuple(
            Triple(marked(each.subject, _name(each.subject)), each.relation, marked(each.object, _name(each.object)))
            for each in example.triples
        )
        return replace(example, acts=acts, triples=triples)

    def in_schema(self, source: str, shown: Mapping[str, str] | None = None) -> str:
        """A full input with the mark of each word of the schema before it, wherever the schema says it.

        `shown`: words that the model reads in the place of others, which the marks then stand for.
        """
        numbers = {word: self.first_word + index for index, word in enumerate(self.words) if word}
        if not numbers:
            return source
        marks = {word: f"{mark(number)} {(shown or {}).get(word, word)}" for word, number in numbers.items()}
        done, pieces = 0, []
        for each in schema_parts(source):
            pieces += [source[done : each.start], with_marks(source[each.start : each.end], marks)]
            done = each.end
        return "".join([*pieces, source[done:]])

    def in_text(self, text: str) -> str:
        """The text with a mark for every value that stands in it as whole words; of two that overlap, the longer.

        Words of the schema have theirs before an ending too.
        """
        numbers = {value: index for index, value in enumerate(self.values) if value}
        longest_first = sorted((value for value in numbers if value in text), key=len, reverse=True)
        if longest_first:
            pattern = "|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in longest_first)
            text = re.sub(pattern, lambda match: mark(numbers[match.group()]), text)
        if not any(self.words):
            return text
        return with_marks(text, {word: mark(self.first_word + i) for i, word in enumerate(self.words) if word})

    def filled(self, text: str) -> str:
        """The text with every mark replaced by its value; a mark without one goes."""
        spelled = self.spelled
        return _MARK.sub(lambda match: spelled[int(match[1])] if int(match[1]) < len(spelled) else "", text)


def _with_lower_case(values: Sequence[str], names: frozenset[str]) -> list[str]:
    """The values, and behind each that is no name the same in lower case."""
    return [form for value in values for form in (value, *(() if value in names else (value.lower(),)))]


def _name(end_of_triple: str) -> str:
    """A subject or object as `entities` names it."""
    return end_of_triple.replace("_", " ").strip()
