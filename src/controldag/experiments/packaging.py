"""A checkpoint for use from a finished run: weights, and what generation learns from the training data beside them."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from controldag.data.act_order import FILE as ORDER
from controldag.data.act_order import ActOrder
from controldag.data.linearise import LinearisationOptions, Lineariser, make_lineariser
from controldag.data.occurrence import OccurrenceRules
from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.files import write_json
from controldag.generation.language_model import FILE as NGRAMS
from controldag.generation.language_model import save_ngrams
from controldag.generation.settings import FILE, GenerationSettings
from controldag.text.allow_list import ALLOWED_WORDS
from controldag.text.length import LengthModel
from controldag.text.mark_tokens import MarkTokens
from controldag.text.ngram_model import estimate
from controldag.text.own_words import english_words, own_words
from controldag.text.paper_words import paper_dictionary
from controldag.text.tokenizer import Tokenizer
from controldag.text.words import WordList

SPLITS = ("train", "dev", "test")
NGRAM_ORDER, LEAST_COUNT = 5, 3
DEFAULTS = {
    "acts": GenerationSettings(task="acts", normalisation=1.25, length_cap=1.4, say_once=True, language_model=0.35),
    "triples": GenerationSettings(
        task="triples",
        ignore_case=True,
        whole_word=False,
        own_occurrence=False,
        offer_names=True,
        normalisation=1.2,
        length_cap=1.4,
        say_once=True,
    ),
}
"""How a fresh model of each kind is decoded: settings chosen on development data (docs/generation.md)."""
_CHUNK = 2000
_PREPARED = "prepared.json"


def package(run: Path, data: Path, target: Path, settings: GenerationSettings | None = None) -> dict[str, Any]:
    """Writes the checkpoint of the run's `final` folder (or of `run` itself) to `target`; returns its figures.

    Where `run` is prepared data, with a tokenizer but no weights, so is `target`: lists that models trained on
    it can take before they are packaged themselves (`like`). `data` holds the data sets. Words, rules, length and
    n-gram model come from `train` alone; the schema is that of all splits. Everything is written beside `target` first
    and takes its name at the end.
    """
    final = run / "final" if (run / "final").is_dir() else run
    config = _config(final)
    triples = str(config.get("lineariser", "")).startswith("triples")
    folder = data / ("dart" if triples else "sgd")
    train = folder / "train.jsonl.gz"
    if not train.is_file():
        raise InvalidInput.of(
            "data", f"hold {train.parent.name}/{train.name}", str(data), remedy="Set CONTROLDAG_DATA."
        )
    examples = list(read_examples(train, for_training=True))
    schemas = [] if triples else [folder / split / "schema.json" for split in SPLITS]
    schema = Schema.load(*schemas) if schemas else None
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for path in _files_of(final):
            shutil.copy2(path, temporary / path.name)
        (settings or DEFAULTS["triples" if triples else "acts"]).save(temporary / FILE)
        words = real_words(own_words(examples, schema, source=train.name))
        words.save(temporary / "words.txt")
        if schema is None:
            OccurrenceRules.learn(examples, source=train.name).save(temporary / "rules.json")
        else:
            targets = (example.target for example in examples)
            paper_dictionary(targets, schema, source=train.name).save(temporary / "paper_words.txt")
            write_json(temporary / "schema.json", _merged(schemas))
            ActOrder.learn(examples).save(temporary / ORDER)
        options = LinearisationOptions(config["lineariser"], config["value_separator"])
        templates = Templates.load(folder / "templates") if options.name == "template-guided" else None
        linearise = make_lineariser(options, schema=schema, templates=templates)
        tokenizer = Tokenizer.load(temporary / "tokenizer.model")
        length = LengthModel.fit(token_lengths(examples, schema, linearise, tokenizer), source=train.name)
        length.save(temporary / "length.json")
        texts = marked_targets(examples, schema, tokenizer)
        ngrams = estimate(texts, order=NGRAM_ORDER, vocabulary=tokenizer.size, least=LEAST_COUNT)
        save_ngrams(ngrams, temporary / NGRAMS)
        temporary.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return {"out": str(target), "words": len(words), "length": asdict(length)}


def real_words(words: WordList) -> WordList:
    """The list without words that no dictionary knows: names that stood in texts, and misspellings many people share.

    Such a word would be true of the training data only.
    """
    english = english_words() | ALLOWED_WORDS
    kept = frozenset(word for word in words if {word.lower(), word.lower().removesuffix("'s")} & english)
    return replace(words, words=kept, figures={**words.figures, "in no dictionary": len(words) - len(kept)})


def marked_targets(examples: Sequence[Example], schema: Schema | None, tokenizer: Tokenizer) -> Iterable[list[int]]:
    """The tokens of every training text, with marks for values, as the model writes them."""
    most = len(MarkTokens(tokenizer))
    for start in range(0, len(examples), _CHUNK):
        chunk = examples[start : start + _CHUNK]
        values = [MarkedValues.of(example, schema, most) for example in chunk]
        yield from tokenizer.encode_batch(
            each.in_text(text) for each, example in zip(values, chunk, strict=True) for text in example.references
        )


def token_lengths(
    examples: Sequence[Example], schema: Schema | None, linearise: Lineariser, tokenizer: Tokenizer
) -> Iterable[tuple[int, int]]:
    """Tokens of each input and of each of its references, `</s>` counted, as the model sees them: with marks."""
    most = len(MarkTokens(tokenizer))
    for start in range(0, len(examples), _CHUNK):
        chunk = examples[start : start + _CHUNK]
        values = [MarkedValues.of(example, schema, most) for example in chunk]
        inputs = [linearise(each.in_input(example)) for each, example in zip(values, chunk, strict=True)]
        targets = [
            each.in_text(text) for each, example in zip(values, chunk, strict=True) for text in example.references
        ]
        read, written = tokenizer.count_batch(inputs), iter(tokenizer.count_batch(targets))
        for count, example in zip(read, chunk, strict=True):
            yield from ((count + 1, next(written) + 1) for _ in example.references)


def _config(final: Path) -> dict[str, Any]:
    """What the model, or else prepared data, says of its inputs."""
    path = final / (_PREPARED if _is_prepared(final) else "config.json")
    try:
        config: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        remedy = "Name a finished run, or prepared data."
        raise InvalidInput.of("run", f"hold a config.json ({error})", str(final), remedy=remedy) from None
    return config


def _is_prepared(folder: Path) -> bool:
    return (folder / _PREPARED).is_file()


def _files_of(final: Path) -> list[Path]:
    """What a model was saved as; logs and outputs of the run stay where they are."""
    if _is_prepared(final):
        return [final / "tokenizer.model"]
    names = json.loads((final / "checksums.json").read_text("utf-8"))
    return [*(final / name for name in sorted(names)), final / "checksums.json"]


def _merged(files: Iterable[Path]) -> list[dict[str, Any]]:
    """The services of all schema files, each once, with what generation reads."""
    merged: dict[str, dict[str, Any]] = {}
    for path in files:
        for service in json.loads(path.read_text("utf-8")):
            merged.setdefault(service["service_name"], service)
    return [merged[name] for name in sorted(merged)]
