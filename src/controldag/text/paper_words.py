"""The paper's two word lists: the dictionary of its vocabulary constraint, and the vocabulary NEO is judged with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.text.chunks import words_of
from controldag.text.words import WordFile


def paper_dictionary(
    targets: Iterable[str], schema: Schema | None, *, share: float = 0.9, source: str = ""
) -> WordFile:
    """The most frequent training words, while their cumulative share is below `share`, and the schema's words.

    The paper states 1,129 words for SGD, which counts 193 of them twice: its recipe gives 936.
    """
    if not 0 < share <= 1:
        raise InvalidInput.of("share", "be above 0 and at most 1", share)
    counts = Counter(word for target in targets for word in words_of(target))
    frequent = frozenset(_most_frequent(counts, share))
    named = schema_words(schema) if schema is not None else frozenset()
    return WordFile(
        kind="paper",
        words=frequent | named,
        source=source,
        settings={"share": share},
        figures={"frequent training words": len(frequent), "schema words": len(named)},
    )


def schema_words(schema: Schema) -> frozenset[str]:
    """Words of slot names (split at `_`) and slot descriptions (split at blanks), as written and lower-cased."""
    words: set[str] = set()
    for service in schema.services.values():
        for slot in service.slots.values():
            words.update(slot.name.split("_"))
            words.update(slot.description.split())
    return frozenset(words | {word.lower() for word in words}) - {""}


def evaluation_vocabulary(
    corpus: Iterable[str], test_corpus: Iterable[str], schema: Schema | None, *, source: str = ""
) -> WordFile:
    """The words NEO takes for real: those of all references, the test references' chunks as they are, the schema's.

    The corpus' words lose punctuation at their edges and those beginning with a digit are dropped; case is kept.
    The schema gives slot names, slot values and slot descriptions. The paper has 19,126 words for SGD.
    """
    of_corpus = frozenset(word for text in corpus for word in words_of(text))
    of_test = frozenset(chunk for text in test_corpus for chunk in text.split())
    named: frozenset[str] = frozenset()
    if schema is not None:
        values = _possible_values(schema)
        named = schema_words(schema) | frozenset(chunk for value in values for chunk in value.split())
    return WordFile(
        kind="neo",
        words=of_corpus | of_test | named,
        source=source,
        figures={"corpus words": len(of_corpus), "test chunks": len(of_test), "schema words": len(named)},
    )


def _most_frequent(counts: Counter[str], share: float) -> Iterator[str]:
    total = counts.total()
    seen = 0
    for word, count in counts.most_common():
        seen += count
        if seen >= share * total and share < 1:
            return
        yield word


def _possible_values(schema: Schema) -> Iterator[str]:
    for service in schema.services.values():
        for slot in service.slots.values():
            yield from slot.possible_values
