"""Neologism rates: texts with a word that is none, by the paper's rule, by a strict one and by an independent one."""

from __future__ import annotations

import string
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version

from spellchecker import SpellChecker

from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.inputs import input_texts
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each
from controldag.text.independent_words import independent_words
from controldag.text.words import WordFile


def paper_neologisms(
    examples: Sequence[Example], texts: Sequence[str], vocabulary: WordFile, schema: Schema | None
) -> Measure:
    """`neo`: a word is flagged if vocabulary, pyspellchecker, reference and input all lack it: the paper's rule."""
    check_one_each("texts", texts, examples)
    wrong = []
    for example, text in zip(examples, texts, strict=True):
        given = {chunk for each in (*example.references, _paper_input(example, schema)) for chunk in _cores(each)}
        wrong.append(bool(_unknown(text, vocabulary, given)))
    return percentage("neo", f"{_rule(vocabulary)}|or in: reference, input", wrong)


def strict_neologisms(
    examples: Sequence[Example], texts: Sequence[str], vocabulary: WordFile, schema: Schema | None
) -> Measure:
    """`neo_strict`: the paper's rule without the reference; `vocabulary` should owe nothing to the references."""
    check_one_each("texts", texts, examples)
    wrong = [
        bool(_unknown(text, vocabulary, _cores(_paper_input(example, schema))))
        for example, text in zip(examples, texts, strict=True)
    ]
    return percentage("neo_strict", f"{_rule(vocabulary)}|or in: input", wrong)


def independent_neologisms(examples: Sequence[Example], texts: Sequence[str]) -> Measure:
    """`neo_independent`: a word has to be in pyspellchecker, a list written by hand, or the input; case ignored."""
    check_one_each("texts", texts, examples)
    listed = independent_words()
    wrong = []
    for example, text in zip(examples, texts, strict=True):
        given = {word.lower() for each in input_texts(example) for word in _cores(each)}
        wrong.append(any(not _is_real(word, listed, given) for word in _words(text)))
    signature = f"words:{len(listed)} of {listed.source}|or in: values of the input, also with 's|case:ignored"
    return percentage("neo_independent", signature, wrong)


def _unknown(text: str, vocabulary: WordFile, given: Container[str]) -> list[str]:
    real = english()
    return [word for word in _words(text) if word not in vocabulary and word.lower() not in real and word not in given]


def _is_real(word: str, listed: WordFile, given: Container[str]) -> bool:
    lower = word.lower()
    # The value `F.C.` counts as `F.C` (see `_cores`), so its genitive `F.C.'s` has to be cut likewise.
    return any(each in listed or each in given for each in (lower, lower.removesuffix("'s").strip(string.punctuation)))


def _words(text: str) -> Iterator[str]:
    """Blank-separated chunks without ASCII punctuation at their edges; those that begin with a digit are no words."""
    return (word for word in _cores(text) if not word[0].isdigit())


def _cores(text: str) -> list[str]:
    return [word for chunk in text.split() if (word := chunk.strip(string.punctuation))]


def _paper_input(example: Example, schema: Schema | None) -> str:
    return _lineariser("triples" if example.triples else "schema-guided" if schema else "naive", schema)(example)


_kept: list[tuple[str, Schema | None, Callable[[Example], str]]] = []


def _lineariser(name: str, schema: Schema | None) -> Callable[[Example], str]:
    """The paper's linearisation, made once for a schema."""
    for known, of, made in _kept:
        if known == name and of is schema:
            return made
    made = make_lineariser(LinearisationOptions(name), schema=schema)
    _kept[:] = [(name, schema, made)]
    return made


@lru_cache(maxsize=1)
def english() -> frozenset[str]:
    """pyspellchecker's English words, in lower case."""
    return frozenset(word.lower() for word in SpellChecker(language="en").word_frequency.words())


def _rule(vocabulary: WordFile) -> str:
    words = f"words:{len(vocabulary)} of {vocabulary.source or 'an unnamed list'}, case:mixed"
    return f"{words}|or in: pyspellchecker {version('pyspellchecker')}, case ignored"
