"""A checkpoint for use from a finished run: weights, and what generation learns from the training data beside them."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from controldag.checkpoint.examples_to_try import write_examples_to_try
from controldag.checkpoint.folder import LEARNT, save_learnt
from controldag.checkpoint.language_model import FILE as NGRAMS
from controldag.checkpoint.language_model import load_ngrams, save_ngrams
from controldag.checkpoint.packaging_marks import Marker
from controldag.checkpoint.packaging_material import Material, material_of
from controldag.checkpoint.packaging_weights import to_eight_bits
from controldag.checkpoint.settings import FILE, GenerationSettings
from controldag.data.act_order import FILE as ORDER
from controldag.data.act_order import ActOrder
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.occurrence import OccurrenceRules
from controldag.data.records import Example
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.files import write_json
from controldag.text.allow_list import ALLOWED_WORDS
from controldag.text.length import LengthModel
from controldag.text.mark_tokens import MarkTokens
from controldag.text.ngram_mixture import mixed
from controldag.text.ngram_model import estimate
from controldag.text.own_words import OwnWordOptions, english_words, own_words
from controldag.text.paper_words import paper_dictionary
from controldag.text.tokenizer import Tokenizer
from controldag.text.words import WordFile

NGRAM_ORDER, LEAST_COUNT = 5, 3
LEAST_PAIRS = 50
"""Texts of one's own below which the length model of the checkpoint they extend is kept."""
DEFAULTS = {
    "acts": GenerationSettings(
        task="acts",
        normalisation=1.25,
        length_cap=1.4,
        say_numbers=True,
        say_categories=True,
        say_once=True,
        patience=25_000,
        language_model=0.35,
    ),
    "triples": GenerationSettings(
        task="triples",
        ignore_case=True,
        offer_names=True,
        genitives=False,
        normalisation=0.8,
        length_cap=1.4,
        say_ends=True,
        say_once=True,
        language_model=0.5,
    ),
}
"""How a fresh model of each kind is decoded: settings chosen on development data (docs/generation.md)."""
OWN_SHARE = 0.8
"""What n-grams of one's own texts count beside those of the checkpoint they extend. On 227 turns of services that were
new to sgd-mini, ten dialogues each to learn from, BLEU was 28.3, 29.5, 30.0 and 29.2 at 0, 0.5, 0.8 and 1."""
_CHUNK = 2000
_PREPARED = "prepared.json"
ValuesOf = Callable[[Example], MarkedValues]


def package(
    run: Path, data: Path, target: Path, settings: GenerationSettings | None = None, *, eight_bits: bool = False
) -> dict[str, Any]:
    """Writes the checkpoint of the run's `final` folder (or of `run` itself) to `target`; returns its figures.

    `data` holds the data sets, or for a run that started from a checkpoint the user's own data, which extends that
    checkpoint's lists. Words, rules, length and n-gram model come from `train` alone; the schema is that of all splits.
    Where `run` is prepared data, with a tokenizer but no weights, so is `target`: lists that models trained on it can
    take before they are packaged themselves (`like`). Everything is written beside `target` first and takes its name
    at the end. `eight_bits`: the weights are stored in eight bits a number.
    """
    final = run / "final" if (run / "final").is_dir() else run
    config = _config(final)
    material = material_of(run, config, data)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        for path in _files_of(final):
            shutil.copy2(path, temporary / path.name)
        if eight_bits:
            to_eight_bits(temporary)
        (settings or _settings(material, config)).save(temporary / FILE)
        words = _write_lists(material, temporary)
        length = _write_token_models(material, config, temporary)
        write_examples_to_try(temporary, material.examples)
        temporary.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return {"out": str(target), "words": len(words), "length": asdict(length)}


def _settings(material: Material, config: dict[str, Any]) -> GenerationSettings:
    if material.base is not None:
        return GenerationSettings.load(material.base / FILE)
    if config["lineariser"] == "full":
        acts, triples = DEFAULTS["acts"].as_dict(), DEFAULTS["triples"].as_dict()
        changes = {name: value for name, value in triples.items() if name in acts and acts[name] != value}
        return replace(DEFAULTS["acts"], variants={"triples": changes})
    return DEFAULTS["triples" if material.schema is None else "acts"]


def _write_lists(material: Material, folder: Path) -> WordFile:
    """Writes words, and schema and order of acts or rules of triples; returns the words."""
    examples, schema, base = material.examples, material.schema, material.base
    words = _words(material)
    words.save(folder / "words.txt")
    paper = paper_dictionary((r for example in examples for r in example.references), schema, source=material.source)
    if base is not None and (base / "paper_words.txt").is_file():
        paper = _joined(WordFile.load(base / "paper_words.txt"), paper)
    paper.save(folder / "paper_words.txt")
    save_learnt(examples, folder / LEARNT)
    triples = [example for example in examples if example.triples]
    if triples:
        rules = OccurrenceRules.learn(triples, source=material.source)
        if base is not None and (base / "rules.json").is_file():
            rules = replace(rules, support={**OccurrenceRules.load(base / "rules.json").support, **rules.support})
        rules.save(folder / "rules.json")
    if schema is None:
        return words
    write_json(folder / "schema.json", material.services)
    ActOrder.learn(example for example in examples if example.acts).save(folder / ORDER)
    return words


def _words(material: Material) -> WordFile:
    if material.base is None:
        return real_words(own_words(material.examples, material.schema, source=material.source))
    # A few hundred texts say no word often: what stands there twice is meant, whether a dictionary knows it or not.
    options = OwnWordOptions(typo_below=2)
    own = own_words(material.examples, material.schema, options, source=material.source)
    return _joined(WordFile.load(material.base / "words.txt"), own)


def _joined(base: WordFile, own: WordFile) -> WordFile:
    """Both lists as one, described as the second; `figures` says how many words the first lacked."""
    new = len(own.words - base.words)
    source = f"{base.source}, {own.source}"
    return replace(own, words=base.words | own.words, source=source, figures={**own.figures, "new": new})


def _write_token_models(material: Material, config: dict[str, Any], folder: Path) -> LengthModel:
    """Writes what counts tokens, length model and n-grams; returns the length model."""
    examples, schema, base = material.examples, material.schema, material.base
    options = LinearisationOptions(config["lineariser"], config["value_separator"])
    linearise = make_lineariser(options, schema=schema, templates=material.templates)
    tokenizer = Tokenizer.load(folder / "tokenizer.model")
    marker = Marker.of(folder, config, schema, linearise, tokenizer)
    values_of = marker.values
    pairs = list(token_lengths(examples, marker, tokenizer))
    if base is not None and len(pairs) < LEAST_PAIRS:
        length = LengthModel.load(base / "length.json")
    else:
        length = LengthModel.fit(pairs, source=material.source)
    length.save(folder / "length.json")
    known = base / NGRAMS if base is not None else None
    if known is None or not known.is_file():
        # Which mark it is says nothing, since values come in another order in every service; what it stands for does.
        texts = marked_targets(examples, values_of, tokenizer, kinds=True)
        ngrams = estimate(texts, order=NGRAM_ORDER, vocabulary=tokenizer.size, least=LEAST_COUNT)
        ngrams = replace(ngrams, kinds=True)
    else:
        # A few hundred texts say little twice, so that every count counts; the base knows the language beyond them.
        general = load_ngrams(known)
        texts = marked_targets(examples, values_of, tokenizer, kinds=general.kinds)
        own = estimate(texts, order=NGRAM_ORDER, vocabulary=tokenizer.size, aliases=general.aliases)
        ngrams = mixed(replace(own, kinds=general.kinds), general, OWN_SHARE)
    save_ngrams(ngrams, folder / NGRAMS)
    return length


def real_words(words: WordFile) -> WordFile:
    """The list without words that no dictionary knows: names that stood in texts, and misspellings many people share.

    Such a word would be true of the training data only.
    """
    english = english_words() | ALLOWED_WORDS
    kept = frozenset(word for word in words if {word.lower(), word.lower().removesuffix("'s")} & english)
    return replace(words, words=kept, figures={**words.figures, "in no dictionary": len(words) - len(kept)})


def marked_targets(
    examples: Sequence[Example], values_of: ValuesOf, tokenizer: Tokenizer, *, kinds: bool
) -> Iterator[list[int]]:
    """The tokens of every training text, with marks for values, as the model writes them.

    `kinds`: as an n-gram model reads them, which knows of a mark only what kind of value it stands for.
    """
    marks = MarkTokens(tokenizer)
    for start in range(0, len(examples), _CHUNK):
        chunk = examples[start : start + _CHUNK]
        values = [values_of(example) for example in chunk]
        texts = [(each, each.in_text(text)) for each, e in zip(values, chunk, strict=True) for text in e.references]
        for (each, _), tokens in zip(texts, tokenizer.encode_batch(text for _, text in texts), strict=True):
            seen = marks.kinds(each) if kinds else {}
            yield [seen.get(token, token) for token in tokens]


def token_lengths(examples: Sequence[Example], marker: Marker, tokenizer: Tokenizer) -> Iterable[tuple[int, int]]:
    """Size of each input and tokens of each of its references, `</s>` counted, as the model sees them: with marks.

    The size is the number of tokens or, where graphs are sized so, the length that is expected of the text.
    """
    for start in range(0, len(examples), _CHUNK):
        chunk = examples[start : start + _CHUNK]
        values = [marker.values(example) for example in chunk]
        inputs = [marker.text(each, example) for each, example in zip(values, chunk, strict=True)]
        targets = [
            each.in_text(text) for each, example in zip(values, chunk, strict=True) for text in example.references
        ]
        read, written = tokenizer.encode_batch(inputs), iter(tokenizer.count_batch(targets))
        for ids, example in zip(read, chunk, strict=True):
            size = marker.size(ids, example)
            yield from ((size, next(written) + 1) for _ in example.references)


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
