"""The n-gram model of a checkpoint: its file, its part in the search, and values that are said once."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import controldag as cd
from controldag.checkpoint.language_model import FILE, LanguageWeights, load_ngrams, load_weights, save_ngrams
from controldag.constraints.check import violations
from controldag.data.value_kinds import KINDS
from controldag.data.value_marks import MarkedValues
from controldag.errors import DataError, InvalidInput
from controldag.generation.repetition import said_once
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.search.exact import best_strings
from controldag.text.mark_tokens import MarkTokens
from controldag.text.ngram_mixture import mixed
from controldag.text.ngram_model import estimate
from controldag.text.tokenizer import BLANK_MARK
from tests.reference.dags import proper_dag
from tests.unit.generation.tiny_checkpoint import make_checkpoint

SENTENCES = [[4, 3, 7], [4, 3, 7], [4, 3, 7], [6, 7, 2], [6, 3, 2], [4, 3, 2]]
OFFER = (cd.Act("OFFER", "name", ("Alder Inn",)), cd.Act("OFFER", "city", ("Avon",)))


def test_a_model_comes_back_from_its_file(tmp_path: Path) -> None:
    model = estimate(SENTENCES, order=3, vocabulary=8)
    save_ngrams(model, tmp_path / FILE)
    again = load_ngrams(tmp_path / FILE)
    assert (again.order, again.unknown) == (3, model.unknown)
    assert again.costs == pytest.approx(model.costs, rel=1e-3)
    assert again.backoffs == pytest.approx(model.backoffs, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("content", [b"", b"not an archive"])
def test_a_broken_file_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(DataError, match=r"ngrams\.npz.*cannot be read"):
        load_ngrams(tmp_path / FILE)
    np.savez(tmp_path / FILE, order=np.array(2))
    with pytest.raises(DataError, match="cannot be read"):
        load_ngrams(tmp_path / FILE)


def test_a_file_that_swells_or_asks_for_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_ngrams(estimate(SENTENCES, order=3, vocabulary=8), tmp_path / FILE)
    monkeypatch.setattr("controldag.runtime.tensors._LARGEST", 500)
    with pytest.raises(DataError, match="bytes once inflated, above 500"):
        load_ngrams(tmp_path / FILE)
    for order in (np.array(10**9), np.array("three"), np.array([])):
        np.savez(tmp_path / FILE, order=order)
        with pytest.raises(DataError, match="cannot be read"):
            load_ngrams(tmp_path / FILE)


@pytest.mark.parametrize(
    ("name", "spoilt"),
    [("order", "x"), ("unknown", [1.0, 2.0]), ("c1", [np.nan]), ("n1", [[2**40, 1]]), ("aliases", [[1.5, "a"]])],
)
def test_arrays_that_are_no_model_are_one_clear_error(tmp_path: Path, name: str, spoilt: object) -> None:
    save_ngrams(estimate([[1, 2, 3]], order=2, vocabulary=5), tmp_path / FILE)
    with np.load(tmp_path / FILE) as stored:
        arrays = dict(stored)
    np.savez(tmp_path / FILE, **{**arrays, name: np.array(spoilt)})
    with pytest.raises(InvalidInput):
        load_weights(tmp_path / FILE, 1.0)


def test_a_compression_that_nobody_knows_is_one_clear_error(tmp_path: Path) -> None:
    save_ngrams(estimate([[1, 2, 3]], order=2, vocabulary=5), tmp_path / FILE)
    packed = bytearray((tmp_path / FILE).read_bytes())
    packed[packed.index(b"PK\1\2") + 10] = packed[8] = 77
    (tmp_path / FILE).write_bytes(packed)
    with pytest.raises(DataError, match="cannot be read"):
        load_ngrams(tmp_path / FILE)


def test_rare_ngrams_are_left_to_backing_off() -> None:
    whole, small = (estimate(SENTENCES, order=3, vocabulary=8, least=least) for least in (1, 2))
    assert {ngram for ngram in whole.costs if len(ngram) < 3} == {ngram for ngram in small.costs if len(ngram) < 3}
    assert {ngram for ngram in small.costs if len(ngram) == 3} == {(4, 3, 7)}
    assert small.cost((4, 3), 7) == whole.cost((4, 3), 7)
    assert small.cost((6, 7), 2) >= whole.cost((6, 7), 2)


def test_the_search_adds_the_models_cost_to_the_path(tmp_path: Path) -> None:
    lattice = cd.prune(proper_dag(7, 3), 4, 4)
    save_ngrams(estimate(SENTENCES, order=3, vocabulary=8), tmp_path / FILE)
    model, weights = load_ngrams(tmp_path / FILE), load_weights(tmp_path / FILE, 0.5).weights
    plain = {found.tokens: found.cost for found in best_strings(lattice, n_best=1000)}
    for found in best_strings(lattice, n_best=20, weights=weights):
        language = sum(model.cost(found.tokens[:i], token) for i, token in enumerate(found.tokens))
        same_text = [cost for tokens, cost in plain.items() if tokens == found.tokens]
        if same_text:
            assert found.cost == pytest.approx(same_text[0] + 0.5 * language, rel=1e-4)


def test_a_checkpoints_model_counts_as_its_settings_say(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    without = ControlDag.from_pretrained(folder)
    tokens = without.checkpoint.tokenizer.encode("There is a city in the Alder Inn")
    save_ngrams(estimate([tokens] * 5, order=3, vocabulary=without.checkpoint.tokenizer.size), folder / FILE)
    assert (
        ControlDag.from_pretrained(folder).generate(OFFER, service="Places_1").text
        == without.generate(OFFER, service="Places_1").text
    )
    replace(without.settings, language_model=3.0).save(folder / "generation.json")
    result = ControlDag.from_pretrained(folder).generate(OFFER, service="Places_1")
    assert not result.violated and result.extra_cost is not None and result.left_out == ()
    assert result.text != without.generate(OFFER, service="Places_1").text


def test_a_model_that_makes_the_search_too_long_is_left_out_and_the_result_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    without = ControlDag.from_pretrained(folder)
    tokens = without.checkpoint.tokenizer.encode("There is a city in the Alder Inn")
    save_ngrams(estimate([tokens] * 5, order=3, vocabulary=without.checkpoint.tokenizer.size), folder / FILE)
    replace(without.settings, language_model=3.0).save(folder / "generation.json")
    monkeypatch.setattr("controldag.search.patient._WEIGHTED_STATES", 1)
    result = ControlDag.from_pretrained(folder).generate(OFFER, service="Places_1")
    assert result.left_out == ("language model",)
    assert result.text == without.generate(OFFER, service="Places_1").text


@pytest.mark.parametrize("n_best", [1, 3])
def test_both_habits_are_told_where_both_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_best: int
) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    without = ControlDag.from_pretrained(folder)
    tokens = without.checkpoint.tokenizer.encode("There is a city in the Alder Inn")
    save_ngrams(estimate([tokens] * 5, order=3, vocabulary=without.checkpoint.tokenizer.size), folder / FILE)
    replace(without.settings, language_model=3.0, say_once=True).save(folder / "generation.json")
    monkeypatch.setattr("controldag.search.patient._WEIGHTED_STATES", 1)
    monkeypatch.setattr("controldag.search.patient._HABIT_STATES", 1)
    result = ControlDag.from_pretrained(folder).generate(OFFER, service="Places_1", n_best=n_best)
    assert result.left_out == ("language model", "each value once") and not result.violated
    assert result.text == without.generate(OFFER, service="Places_1").text


@pytest.mark.parametrize("states", [1, 10, 30])
def test_a_wider_graph_does_without_the_model_too_where_it_must(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    without = ControlDag.from_pretrained(folder)
    tokens = without.checkpoint.tokenizer.encode("There is a city in the Alder Inn")
    save_ngrams(estimate([tokens] * 5, order=3, vocabulary=without.checkpoint.tokenizer.size), folder / FILE)
    replace(without.settings, language_model=3.0, normalisation=1.0, length_cap=0.2).save(folder / "generation.json")
    monkeypatch.setattr("controldag.search.patient._WEIGHTED_STATES", states)
    result = ControlDag.from_pretrained(folder).generate(OFFER, service="Places_1")
    assert "widen" in result.ms and not result.violated
    assert result.left_out == ("language model",)


@pytest.mark.parametrize(
    ("phrases", "names", "text", "allowed"),
    [
        (("San",), ("San", "San Jose"), "San and San Jose", True),
        (("San",), ("San", "San Jose"), "San San and San Jose", False),
        (("Avon", "Avon"), ("Avon",), "Avon in Avon", True),
        (("Avon",), ("Avon",), "avon in Avon", False),
        (("5",), ("5",), "5 of 55", True),
    ],
)
def test_how_often_a_value_may_be_said(
    phrases: tuple[str, ...], names: tuple[str, ...], text: str, allowed: bool
) -> None:
    constraint = said_once(phrases, names)
    assert constraint is not None
    assert (not violations(constraint, text)) == allowed


def test_values_are_said_once_unless_that_leaves_no_text(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "tiny")
    model = ControlDag.from_pretrained(folder)
    model.settings = replace(model.settings, say_once=True, normalisation=2.0)
    result = model.generate(OFFER, service="Places_1")
    assert len(re.findall(r"\bAlder Inn\b", result.text)) == len(re.findall(r"\bAvon\b", result.text)) == 1
    twice = Request(OFFER, "Places_1", cd.contains("Avon", at_least=2))
    found = model.generate_batch([twice])[0]
    assert isinstance(found, Result) and found.text.count("Avon") == 2 and not found.left_out
    # A pattern names no phrase: the habit is given up for it, and that is told.
    found = model.generate_batch([Request(OFFER, "Places_1", cd.pattern("Avon.*Avon"))])[0]
    assert isinstance(found, Result) and found.text.count("Avon") >= 2 and found.left_out == ("each value once",)


@pytest.mark.parametrize(
    ("constraint", "text", "allowed"),
    [
        (cd.contains("nice"), "nice Avon in Avon", False),
        (cd.in_order("nice", "Avon"), "nice Avon in Avon", False),
        (cd.contains("Avon").soft(2.0), "Avon in Avon", False),
        (cd.contains("Avon", at_least=2), "Avon in Avon", True),
        (cd.contains("old Avon") & cd.contains("new Avon"), "old Avon, new Avon", True),
        (cd.contains("nice") | cd.in_order("Avon", "Avon"), "Avon in Avon", True),
        (~cd.contains("nice"), "Avon in Avon", False),
    ],
)
def test_a_constraint_of_ones_own_allows_what_it_asks_for(constraint: cd.Constraint, text: str, allowed: bool) -> None:
    assert (not violations(said_once(("Avon",), ("Avon",), constraint), text)) == allowed


def test_marks_count_as_the_kinds_of_their_values(tmp_path: Path) -> None:
    tokenizer = ControlDag.from_pretrained(make_checkpoint(tmp_path / "tiny", marks=4)).checkpoint.tokenizer
    model = replace(estimate(SENTENCES, order=2, vocabulary=tokenizer.size), kinds=True)
    save_ngrams(model, tmp_path / FILE)
    assert load_ngrams(tmp_path / FILE).kinds
    with pytest.raises(InvalidInput, match="take marks for the same"):
        mixed(model, replace(model, kinds=False), 0.5)
    plain, marks = load_weights(tmp_path / FILE, 1.0).weights, MarkTokens(tokenizer)
    values = MarkedValues(("$3", "Alder Inn", "7 pm"))
    assert LanguageWeights(plain, kinds=False).of(marks, values) is plain
    assert LanguageWeights(plain, kinds=True).of(marks, values) is not plain
    bare = [tokenizer.id_of(f"<v{i}>") for i in range(4)]
    spaced = [tokenizer.id_of(f"{BLANK_MARK}<v{i}>") for i in range(4)]
    name, money, time = (KINDS.index(kind) for kind in ("name", "money", "time"))
    expected = {ids[i]: ids[kind] for ids in (bare, spaced) for i, kind in enumerate((money, name, time))}
    assert marks.kinds(values) == expected
