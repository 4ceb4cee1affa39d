"""From data files to a prepared folder: read, linearise, cut into tokens, once, on a CPU."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from controldag.data.linearise import LinearisationOptions, Lineariser, make_lineariser
from controldag.data.own_data import OwnData, holds_triples
from controldag.data.phrases import hard_phrases
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer, without_long_numbers
from controldag.training.augment import ValuePools, exchange_values, part_of, shuffle
from controldag.training.corpus import Corpus, Pairs, PreparedFolder, Ragged, Reference, load_corpus, save_corpus
from controldag.training.options import DataOptions
from controldag.training.prepare_mixture import prepare_mixture
from controldag.training.toy import SCHEMA, toy_examples

# T5's model has no `<s>`: the first of the unused rows behind its 100 extra ids stands in.
_T5_BOS, _T5_ROWS = 32100, 32128
_CHUNK = 2000


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set ready to be written out."""

    train: list[Example]
    dev: list[Example]
    linearise: Lineariser
    schema: Schema | None


def prepared_name(options: DataOptions) -> str:
    """A folder name that tells prepared data of different options apart."""
    key = hashlib.sha256(repr(options).encode()).hexdigest()[:6]
    pieces = "t5" if options.tokenizer == "t5" else f"{options.vocabulary}"
    return f"{options.dataset}-{options.lineariser}-{pieces}-x{options.variants}-{key}"


def data_folder() -> Path | None:
    """Where the data sets are: $CONTROLDAG_DATA, or `../shared/data` from here; None where neither is."""
    folder = Path(os.environ.get("CONTROLDAG_DATA") or Path("..", "shared", "data"))
    return folder if folder.is_dir() else None


def open_prepared(
    options: DataOptions,
    folder: str | Path,
    data: Path | None,
    say: Callable[[str], None],
    tokenizer: bytes | None = None,
) -> Corpus:
    """The prepared corpus in `folder`, made from the data folder `data` first where it is not there yet."""
    folder = Path(folder)
    if not (folder / "prepared.json").is_file():
        if options.distilled_from:
            twin = options.distilled_from
            remedy = f"Train {twin}, then `python -m recipes distil CONFIG runs/{twin}/final`."
            raise InvalidInput.of(
                "data.distilled_from", "have told the data already", options.distilled_from, remedy=remedy
            )
        say(f"preparing {folder}")
        if options.dataset == "mixture":
            save_corpus(folder, prepare_mixture(options, data, tokenizer, say), plain=True)
        else:
            save_corpus(folder, prepare(options, data, tokenizer))
    return load_corpus(folder)


def prepare(options: DataOptions, data: Path | None, tokenizer: bytes | None = None) -> Corpus:
    """The corpus of `options`, read from the data folder `data` (sgd/, dart/, t5/, or own files).

    `tokenizer`: a SentencePiece model to take as it is; without it `train`, and nothing else, shapes one.
    """
    source = _open(options, data)
    marked = [_marked(example, source, options, training=True) for example in source.train]
    texts = [source.linearise(example) for example in marked]
    model = tokenizer or _tokenizer_model(options, data, source, marked, texts)
    pieces = Tokenizer(model)
    bos = _T5_BOS if pieces.bos_id is None else pieces.bos_id
    sources, targets = _encode(pieces, bos, texts, marked)
    for number in range(1, options.variants):
        variant = _variant(source, options, number)
        changed = [_marked(example, source, options, training=True, draw=number) for example in variant]
        more = _encode(pieces, bos, [source.linearise(example) for example in changed], changed)
        sources, targets = sources + more[0], targets + more[1]
    eos = 1 if pieces.eos_id is None else pieces.eos_id
    parts = _parts(source, options, pieces, eos)
    sources, targets = sources + parts, targets + [[bos, eos]] * len(parts)
    dev = [_marked(example, source, options) for example in source.dev]
    dev_sources, dev_targets = _encode(
        pieces, bos, [source.linearise(example) for example in dev], dev, first_only=True
    )
    prepared = PreparedFolder(
        name=prepared_name(options),
        vocab_size=_T5_ROWS if options.tokenizer == "t5" else pieces.size,
        pad_id=pieces.pad_id or 0,
        eos_id=eos,
        unk_id=2 if pieces.unk_id is None else pieces.unk_id,
        bos_id=bos,
        tokenizer_sha256=hashlib.sha256(model).hexdigest(),
        lineariser=options.lineariser,
        value_separator=options.value_separator,
        variants=options.variants,
        marked=options.marked,
        untold=len(parts),
    )
    train = Pairs(Ragged.of(sources), Ragged.of(targets))
    dev_pairs = Pairs(Ragged.of(dev_sources), Ragged.of(dev_targets))
    return Corpus(prepared, train, dev_pairs, _references(source, options), model)


def _open(options: DataOptions, data: Path | None) -> DataSet:
    if options.dataset == "toy":
        linearise = make_lineariser(
            LinearisationOptions(options.lineariser, options.value_separator), schema=SCHEMA, templates=None
        )
        return DataSet(toy_examples(2000, 1), toy_examples(200, 2), linearise, SCHEMA)
    if options.dataset == "own":
        own = OwnData.read(data, triples=holds_triples(options.lineariser, data))
        linearise = make_lineariser(
            LinearisationOptions(options.lineariser, options.value_separator), schema=own.schema, templates=None
        )
        return DataSet(own.train, own.dev, linearise, own.schema)
    if options.dataset not in ("sgd", "dart"):
        raise InvalidInput.of("data.dataset", "be one of sgd, dart, toy, own", options.dataset)
    if data is None or not (data / options.dataset).is_dir():
        remedy = "Set CONTROLDAG_DATA, or prepare the data where it is and carry the prepared folder here."
        raise InvalidInput.of("data folder", f"hold the folder {options.dataset}", str(data), remedy=remedy)
    folder = data / options.dataset
    schema = templates = None
    if options.dataset == "sgd":
        schema = Schema.load(*(folder / split / "schema.json" for split in ("train", "dev", "test")))
        if options.lineariser == "template-guided":
            templates = Templates.load(folder / "templates")
    linearise = make_lineariser(
        LinearisationOptions(options.lineariser, options.value_separator), schema=schema, templates=templates
    )
    train = list(read_examples(folder / "train.jsonl.gz", for_training=True))
    return DataSet(train, list(read_examples(folder / "dev.jsonl.gz")), linearise, schema)


def _tokenizer_model(
    options: DataOptions, data: Path | None, source: DataSet, examples: list[Example], texts: list[str]
) -> bytes:
    if options.tokenizer == "t5":
        if data is None:
            raise InvalidInput.of("data folder", "hold t5/spiece.model", None)
        return (data / "t5" / "spiece.model").read_bytes()
    targets = [reference for example in examples for reference in example.references]
    lines = [*(_without_values(source, options) if options.value_marks else texts), *targets]
    # Long numbers and prices shape no pieces, so that seen and unseen ones are cut alike.
    lines = [without_long_numbers(line) for line in lines]
    return train_tokenizer(lines, TokenizerOptions(size=options.vocabulary, marks=options.value_marks))


def _without_values(source: DataSet, options: DataOptions) -> list[str]:
    """The inputs with marks alone, and every hint once: pieces are for the language, not for the names in it."""
    values = [_values(example, source, options) for example in source.train]
    inputs = [
        source.linearise(each.in_input(example, hints=False))
        for each, example in zip(values, source.train, strict=True)
    ]
    return [*inputs, *dict.fromkeys(hint for each in values for hint in each.hints)]


def _values(example: Example, source: DataSet, options: DataOptions) -> MarkedValues:
    return MarkedValues.of(example, source.schema, options.value_marks, options.marked)


def _marked(
    example: Example, source: DataSet, options: DataOptions, *, training: bool = False, draw: int = 0
) -> Example:
    """The example as model and tokenizer see it: with marks for its values, where the options ask for them."""
    if not options.value_marks:
        return example
    values = _values(example, source, options)
    changed = values.in_input(example)
    return replace(changed, references=tuple(values.in_text(reference) for reference in example.references))


def _variant(source: DataSet, options: DataOptions, number: int) -> list[Example]:
    """The training examples with values exchanged (acts) and in another order; another draw for each number."""
    chance = random.Random(number)
    changed = source.train
    if source.schema is not None:
        pools = ValuePools.collect(source.train, source.schema)
        changed = [exchange_values(each, pools, source.schema, chance) for each in changed]
    elif not options.shuffled:
        raise InvalidInput.of("data.variants", f"be 1 for {options.dataset} unless shuffled", options.variants)
    return [shuffle(example, chance) for example in changed] if options.shuffled else changed


def _parts(source: DataSet, options: DataOptions, tokenizer: Tokenizer, eos: int) -> list[list[int]]:
    """Further inputs of parts of the training triples, each once and none that training has anyway."""
    known = {frozenset(example.triples) for example in source.train}
    texts: dict[str, None] = {}
    for number in range(options.parts):
        chance = random.Random(f"parts {number}")
        for example in source.train:
            part = part_of(example, chance)
            if part is not None and frozenset(part.triples) not in known:
                texts[source.linearise(_marked(part, source, options, training=True))] = None
    return [[*ids, eos] for ids in tokenizer.encode_batch(texts)]


def _encode(
    tokenizer: Tokenizer, bos: int, texts: list[str], examples: list[Example], *, first_only: bool = False
) -> tuple[list[list[int]], list[list[int]]]:
    """Sources ending in `</s>` and targets in `<s>` … `</s>`; one pair for each reference, or for the first only."""
    eos = 1 if tokenizer.eos_id is None else tokenizer.eos_id
    sources: list[list[int]] = []
    targets: list[list[int]] = []
    for start in range(0, len(texts), _CHUNK):
        inputs = tokenizer.encode_batch(texts[start : start + _CHUNK])
        wanted = [
            (i, reference)
            for i, example in enumerate(examples[start : start + _CHUNK])
            for reference in (example.references[:1] if first_only else _unique(example.references))
        ]
        outputs = tokenizer.encode_batch(reference for _, reference in wanted)
        sources += [[*inputs[i], eos] for i, _ in wanted]
        targets += [[bos, *ids, eos] for ids in outputs]
    return sources, targets


def _unique(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if text.strip()]


def _references(source: DataSet, options: DataOptions) -> list[Reference]:
    services = {example.service for example in source.train}
    relations = {triple.relation for example in source.train for triple in example.triples}
    return [
        Reference(
            id=example.id,
            service=example.service,
            seen=all(t.relation in relations for t in example.triples)
            if example.triples
            else example.service in services,
            references=list(example.references),
            phrases=[] if source.schema is None else list(hard_phrases(example, source.schema)),
            values=list(_values(example, source, options).values),
        )
        for example in source.dev
    ]
