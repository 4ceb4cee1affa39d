"""From records to prepared folders: pairs, variants, checksums."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from controldag.data.records import Act, Example
from controldag.data.value_marks import MarkedValues
from controldag.errors import DataError, InvalidInput
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import without_long_numbers
from controldag.training.augment import ValuePools, exchange_values, shuffle
from controldag.training.corpus import load_corpus, save_corpus
from controldag.training.options import DataOptions
from controldag.training.prepare import prepare, prepared_name
from controldag.training.toy import SCHEMA, toy_examples

TOY = DataOptions(dataset="toy", lineariser="naive", vocabulary=380)


def test_a_prepared_folder_comes_back_as_it_was(tmp_path: Path) -> None:
    corpus = prepare(TOY, None)
    save_corpus(tmp_path, corpus)
    again = load_corpus(tmp_path)
    assert again.prepared == corpus.prepared and again.references == corpus.references
    assert (again.train.sources.tokens == corpus.train.sources.tokens).all()
    tokenizer = Tokenizer(again.tokenizer_model)
    first = toy_examples(2000, 1)[0]
    assert tokenizer.surface(again.train.targets[0][1:-1]) == first.target
    assert again.train.targets[0][0] == again.prepared.bos_id and again.train.targets[0][-1] == again.prepared.eos_id
    assert again.train.sources[0][-1] == again.prepared.eos_id


def test_a_changed_or_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="prepare"):
        load_corpus(tmp_path)
    save_corpus(tmp_path, prepare(TOY, None))
    (tmp_path / "dev.npz").write_bytes(b"no zip")
    with pytest.raises(DataError, match="changed"):
        load_corpus(tmp_path)


def test_data_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="hold the folder sgd"):
        prepare(DataOptions(dataset="sgd"), tmp_path)


def test_names_tell_options_apart() -> None:
    assert prepared_name(TOY) != prepared_name(DataOptions(dataset="toy", lineariser="naive", vocabulary=381))


def test_exchanged_values_stand_in_acts_and_target_alike() -> None:
    examples = toy_examples(300, 5)
    pools = ValuePools.collect(examples, SCHEMA)
    chance = random.Random(1)
    changed = 0
    for example in examples:
        other = exchange_values(example, pools, SCHEMA, chance)
        assert [(act.act, act.slot, len(act.values)) for act in other.acts] == [
            (act.act, act.slot, len(act.values)) for act in example.acts
        ]
        assert all(value in other.target for act in other.acts for value in act.values)
        changed += other.acts != example.acts
    assert changed > 200


def test_a_value_inside_another_word_stays() -> None:
    acts = (Act("OFFER", "name", ("Art",)),)
    example = Example("1", acts=acts, service="Places_1", references=("Artful Art?",))
    assert exchange_values(example, ValuePools({"name": ("Bob",)}, ()), SCHEMA, random.Random(1)) == example


def test_long_numbers_shape_no_pieces() -> None:
    assert without_long_numbers("call 415-555-0100 at 12:30 for $12 or 4 stars.") == "call at 12:30 for or 4 stars."


def test_variants_follow_one_another(tmp_path: Path) -> None:
    corpus = prepare(DataOptions(dataset="toy", lineariser="naive", vocabulary=380, variants=2), None)
    assert len(corpus.train) == 4000 and corpus.prepared.variants == 2
    same = sum(corpus.train.targets[i] == corpus.train.targets[i + 2000] for i in range(200))
    assert same < 60


def test_marks_stand_for_values_on_both_sides_and_come_back() -> None:
    corpus = prepare(replace(TOY, vocabulary=340, value_marks=4), None)
    tokenizer = Tokenizer(corpus.tokenizer_model)
    for example, reference, row in zip(toy_examples(200, 2), corpus.references, range(200), strict=True):
        values = MarkedValues(tuple(reference.values))
        assert set(values.values) <= {value for act in example.acts for value in act.values}
        written = tokenizer.surface(corpus.dev.targets[row][1:-1])
        assert not any(value in written for value in values.values)
        assert values.filled(written) == example.target
        assert tokenizer.surface(corpus.dev.sources[row][:-1]).count("<v0>") == bool(values.values)


def test_shuffled_variants_name_the_same_facts_in_another_order() -> None:
    chance = random.Random(1)
    examples = [example for example in toy_examples(100, 1) if len(example.acts) > 1]
    changed = [shuffle(example, chance) for example in examples]
    assert all(sorted(map(repr, a.acts)) == sorted(map(repr, b.acts)) for a, b in zip(examples, changed, strict=True))
    assert any(a.acts != b.acts for a, b in zip(examples, changed, strict=True))
    assert [example.references for example in changed] == [example.references for example in examples]
    plain, mixed = (prepare(replace(TOY, variants=2, shuffled=on), None) for on in (False, True))
    half = len(plain.train) // 2
    assert all(plain.train.sources[i] == mixed.train.sources[i] for i in range(half))
    assert any(plain.train.sources[i] != mixed.train.sources[i] for i in range(half, 2 * half))
