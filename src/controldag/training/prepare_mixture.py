"""The mixture of training/mixture.py as a corpus: written, marked and cut into tokens on all cores."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from controldag.data.full_input import full_text
from controldag.data.phrases import hard_phrases
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.schema_words import FILE as WORDS
from controldag.data.schema_words import SchemaWords
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.text.expected_length import ACTS as ACTS_LENGTH
from controldag.text.expected_length import TRIPLES as TRIPLES_LENGTH
from controldag.text.expected_length import ExpectedLength, InputReader
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer, without_long_numbers
from controldag.training.corpus import Corpus, Pairs, PreparedFolder, Ragged, Reference
from controldag.training.mixture import DART, OF_TRIPLES, SGD, TRIPLES, Marking, Material, Writer
from controldag.training.options import DataOptions
from controldag.training.plain_text import INFILL, REBUILD, PlainTasks

LONGEST_SOURCE, LONGEST_TARGET = 224, 96
"""Longer pairs are left out of training: few, and every batch would be padded for them."""
DEV_TURNS = 2000
TOKENIZER = "tokenizer.model"
_JOB = 2000  # examples a worker takes at once
_TOKENIZER_PAIRS, _TOKENIZER_SENTENCES, _SOURCES_ONE_IN = 20_000, 300_000, 10
_RULE_TEXTS = 120_000
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Encoded:
    """Pairs of one kind as tokens: sources with `</s>`, targets with `<s>` and `</s>`, and what each source holds."""

    kind: str
    source_tokens: NDArray[np.int16]
    source_lengths: NDArray[np.int64]
    target_tokens: NDArray[np.int16]
    target_lengths: NDArray[np.int64]
    counts: NDArray[np.int64]  # [n, 3] tokens, facts, values


@dataclass(frozen=True, slots=True)
class Slice:
    """Some examples of one part in one copy."""

    part: str
    copy: int
    start: int


def learn_rule(material: Material, options: DataOptions) -> SchemaWords:
    """Which words of schemas texts repeat: from system turns of SGD in all wordings, triples and plain sentences."""
    writer = Writer(material, Marking(options.value_marks, 0, None))
    pairs: list[tuple[str, str]] = []
    chance = random.Random("rule")
    for part in (SGD, DART, TRIPLES):
        examples = material.parts.get(part, [])
        for example in chance.sample(examples, min(len(examples), _RULE_TEXTS // 2)):
            pairs += writer.pairs(part, example, chance)[:1]
    return SchemaWords.learn(pairs, material.plain.sentences if material.plain is not None else ())


def learn_tokenizer(material: Material, options: DataOptions, rule: SchemaWords) -> bytes:
    """A tokenizer for all parts: texts with their marks, plain sentences, and few of the sources."""
    writer = Writer(material, Marking(options.value_marks, options.word_marks, rule))
    chance = random.Random("tokenizer")
    lines: list[str] = []
    for part, examples in material.parts.items():
        for number, example in enumerate(chance.sample(examples, min(len(examples), _TOKENIZER_PAIRS))):
            for source, target in writer.pairs(part, example, chance)[:1]:
                # Sources say the same again and again, and names of which the next services know nothing.
                lines += [target, *([source] if number % _SOURCES_ONE_IN == 0 else [])]
    if material.plain is not None:
        lines += chance.sample(material.plain.sentences, min(len(material.plain.sentences), _TOKENIZER_SENTENCES))
    lines = [without_long_numbers(line) for line in lines]
    made = TokenizerOptions(size=options.vocabulary, marks=options.value_marks + options.word_marks)
    return train_tokenizer(lines, made)


class MixturePreparation:
    """Rule and tokenizer, and the work of many processes that share them."""

    def __init__(self, options: DataOptions, material: Material, rule: SchemaWords, tokenizer: bytes) -> None:
        self.options, self.material, self.rule, self.model = options, material, rule, tokenizer
        self.tokenizer = Tokenizer(tokenizer)
        self.marking = Marking(options.value_marks, options.word_marks, rule, options.value_separator)
        self.writer = Writer(material, self.marking)
        common = material.plain.common if material.plain is not None else frozenset()
        self.tasks = PlainTasks(common, options.value_marks, options.word_marks)
        self._reader = InputReader(self.tokenizer, options.value_marks)

    @property
    def ends(self) -> tuple[int, int]:
        """The ids of `<s>` and `</s>`."""
        return self.tokenizer.bos_id or 0, self.tokenizer.eos_id or 1

    def jobs(self) -> list[Slice]:
        """All that has to be written."""
        found = []
        for part, copies in self.options.mixture.items():
            total = self._size(part)
            for copy in range(int(copies)):
                found += [Slice(part, copy, start) for start in range(0, total, _JOB)]
        return found

    def _size(self, part: str) -> int:
        if part in (INFILL, REBUILD):
            return 0 if self.material.plain is None else len(self.material.plain.sentences)
        return len(self.material.parts[part])

    def run(self, job: Slice) -> Encoded:
        """The pairs of one job; the same for the same options."""
        chance = random.Random(f"{job.part} {job.copy} {job.start}")
        pairs: list[tuple[str, str]] = []
        if job.part in (INFILL, REBUILD):
            assert self.material.plain is not None
            sentences = self.material.plain.sentences[job.start : job.start + _JOB]
            return self.encoded(job.part, [self.tasks.pair(job.part, sentence, chance) for sentence in sentences])
        for example in self.material.parts[job.part][job.start : job.start + _JOB]:
            pairs += self.writer.pairs(job.part, example, chance)
        kind = TRIPLES_LENGTH if job.part in OF_TRIPLES else ACTS_LENGTH
        return self.encoded(kind, pairs)

    def encoded(self, kind: str, pairs: Sequence[tuple[str, str]], *, all_of_them: bool = False) -> Encoded:
        """Pairs as tokens; those that are too long are left out unless all are wanted."""
        bos, eos = self.ends
        sources = [[*ids, eos] for ids in self.tokenizer.encode_batch(source for source, _ in pairs)]
        targets = [[bos, *ids, eos] for ids in self.tokenizer.encode_batch(target for _, target in pairs)]
        kept = [
            (source, target)
            for source, target in zip(sources, targets, strict=True)
            if all_of_them or (len(source) <= LONGEST_SOURCE and 3 < len(target) <= LONGEST_TARGET)
        ]
        found = [self._reader.counts(source) for source, _ in kept]
        counts = np.array([(each.tokens, each.facts, each.values) for each in found], np.int64).reshape(-1, 3)
        return Encoded(kind, *_flat([source for source, _ in kept]), *_flat([target for _, target in kept]), counts)

    def dev(self, data: Path) -> tuple[Encoded, list[Reference]]:
        """The first turns of SGD's development data, in the schema's own words, as generation reads them."""
        folder = data / "sgd"
        schema = Schema.load(folder / "train" / "schema.json", folder / "dev" / "schema.json")
        seen = self.material.sgd_schema.services
        pairs, references = [], []
        for number, example in enumerate(read_examples(folder / "dev.jsonl.gz")):
            if number >= DEV_TURNS:
                break
            pair, values = self.as_read(example, schema)
            pairs.append(pair)
            references.append(
                Reference(
                    example.id,
                    example.service,
                    example.service in seen,
                    list(example.references),
                    list(hard_phrases(example, schema)),
                    list(values.spelled),
                )
            )
        return self.encoded(ACTS_LENGTH, pairs, all_of_them=True), references

    def as_read(self, example: Example, schema: Schema) -> tuple[tuple[str, str], MarkedValues]:
        """Source and target of an example as it is, with marks in order, and what they stand for."""
        values = MarkedValues.of(example, schema, self.marking.values)
        source = full_text(values.in_input(example), schema, self.marking.separator)
        values = values.with_words(self.rule.of(source, self.marking.words), self.marking.values)
        return (values.in_schema(source), values.in_text(example.target)), values


def prepare_mixture(options: DataOptions, data: Path | None, tokenizer: bytes | None, say: Say) -> Corpus:
    """The corpus of a mixture. Rule and tokenizer are learnt, or taken from `data`/words where they are there."""
    if data is None or not (data / "corpora").is_dir():
        remedy = "Set CONTROLDAG_DATA."
        raise InvalidInput.of("data folder", "hold the folder corpora", str(data), remedy=remedy)
    if not options.mixture:
        raise InvalidInput.of("data.mixture", "name parts and how many copies of each", options.mixture)
    material = Material.read(data, frozenset(options.mixture))
    say("read")
    known = data / "words"
    rule = SchemaWords.load(known / WORDS) if (known / WORDS).is_file() else learn_rule(material, options)
    model = tokenizer or ((known / TOKENIZER).read_bytes() if (known / TOKENIZER).is_file() else None)
    made = MixturePreparation(options, material, rule, model or learn_tokenizer(material, options, rule))
    parts = list(_in_processes(made))
    say("written and cut into tokens")
    lengths = ExpectedLength.fit(_lengths_by_kind(parts))
    dev, references = made.dev(data)
    bos, eos = made.ends
    prepared = PreparedFolder(
        name=options.dataset,
        vocab_size=made.tokenizer.size,
        pad_id=made.tokenizer.pad_id or 0,
        eos_id=eos,
        unk_id=made.tokenizer.unk_id or 2,
        bos_id=bos,
        tokenizer_sha256=hashlib.sha256(made.model).hexdigest(),
        lineariser=options.lineariser,
        value_separator=options.value_separator,
        variants=1,
        marked=options.marked,
        word_marks=options.word_marks,
        length_weights={kind: list(weights) for kind, weights in lengths.weights.items()},
    )
    return Corpus(prepared, _pairs(parts, lengths), _pairs([dev], lengths), references, made.model, rule)


_SHARED: list[MixturePreparation] = []  # what forked processes find in their memory


def _in_processes(made: MixturePreparation) -> Iterator[Encoded]:
    jobs, cores = made.jobs(), len(os.sched_getaffinity(0))
    if cores == 1:
        yield from map(made.run, jobs)
        return
    # What is made once is made before the processes part.
    _ = made.material.schema, made.material.bare_schema, made.material.pools
    _SHARED.append(made)
    try:
        with multiprocessing.get_context("fork").Pool(cores) as pool:
            yield from pool.imap(_run_shared, jobs, chunksize=2)
    finally:
        _SHARED.pop()


def _run_shared(job: Slice) -> Encoded:
    return _SHARED[-1].run(job)


def _lengths_by_kind(parts: Iterable[Encoded]) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    found: dict[str, list[Encoded]] = {}
    for part in parts:
        found.setdefault(part.kind, []).append(part)
    return {
        kind: (np.concatenate([p.counts for p in some]), np.concatenate([p.target_lengths for p in some]))
        for kind, some in found.items()
    }


def _pairs(parts: Sequence[Encoded], lengths: ExpectedLength) -> Pairs:
    expected = np.concatenate([lengths.of_all(part.kind, part.counts) for part in parts])
    return Pairs(
        _ragged([(part.source_tokens, part.source_lengths) for part in parts]),
        _ragged([(part.target_tokens, part.target_lengths) for part in parts]),
        expected,
    )


def _flat(sequences: list[list[int]]) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    made = Ragged.of(sequences)
    return made.tokens, made.lengths


def _ragged(parts: Sequence[tuple[NDArray[np.int16], NDArray[np.int64]]]) -> Ragged:
    lengths = np.concatenate([lengths for _, lengths in parts])
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Ragged(np.concatenate([tokens for tokens, _ in parts]), offsets)
