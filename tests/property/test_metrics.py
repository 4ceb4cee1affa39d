"""Fast metrics against slow ones, and against sacreBLEU, on random input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from controldag.metrics.bleu_statistics import bleu_measures, flattened_bleu_measures
from controldag.metrics.bootstrap import BootstrapOptions, compare, intervals
from controldag.metrics.chrf import chrf
from controldag.metrics.strict_slots import have_places
from tests.reference.metrics import bootstrap_bleu, can_be_placed

SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "the", "ferry", ",", ".", "7:40", "Oban"]), max_size=9).map(
    " ".join
)
LINES = st.lists(st.tuples(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3)), min_size=1, max_size=6)


PHRASES = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join)
LETTERS = st.text("ab ,1", max_size=14)


@settings(max_examples=500)
@given(st.lists(PHRASES, max_size=4), st.lists(st.sampled_from("abc"), max_size=8).map(" ".join) | LETTERS)
def test_values_have_places_of_their_own_exactly_when_some_choice_works(values: list[str], text: str) -> None:
    assert have_places(values, text) == can_be_placed(values, text)


@given(LINES)
def test_bleu_is_that_of_sacrebleu(lines: list[tuple[str, list[str]]]) -> None:
    texts, references = [text for text, _ in lines], [each for _, each in lines]
    streams = [[each[i] if i < len(each) else None for each in references] for i in range(3)]
    bleu, penalty, _ = bleu_measures(texts, references)
    expected = BLEU().corpus_score(texts, streams)  # type: ignore[arg-type]
    if expected.ref_len:
        assert bleu.value() == pytest.approx(expected.score)
        assert penalty.value() == pytest.approx(expected.bp)
    flat = [(text, one) for text, each in lines for one in each]
    single = BLEU().corpus_score([text for text, _ in flat], [[one for _, one in flat]])
    if single.ref_len:
        assert flattened_bleu_measures(texts, references)[0].value() == pytest.approx(single.score)


@given(LINES)
def test_chrf_is_that_of_sacrebleu(lines: list[tuple[str, list[str]]]) -> None:
    texts, references = [text for text, _ in lines], [each for _, each in lines]
    streams = [[each[i] if i < len(each) else None for each in references] for i in range(3)]
    found = chrf(texts, references).value()
    if found is not None:
        assert found == pytest.approx(CHRF().corpus_score(texts, streams).score)  # type: ignore[arg-type]


@given(st.lists(st.tuples(SENTENCES, SENTENCES.filter(bool)), min_size=1, max_size=8), st.integers(0, 2**31))
def test_the_bootstrap_is_that_of_written_out_draws(lines: list[tuple[str, str]], seed: int) -> None:
    texts, references = [text for text, _ in lines], [one for _, one in lines]
    options = BootstrapOptions(draws=7, seed=seed)
    slow = bootstrap_bleu(texts, references, options.draws, seed)
    measure = bleu_measures(texts, [[one] for one in references])[0]
    low, high = intervals({"bleu": measure}, options)["bleu"] or (0, 0)
    assert [low, high] == pytest.approx(list(np.quantile(slow, [0.025, 0.975])))
    perfect = bleu_measures(references, [[one] for one in references])[0]
    best = bootstrap_bleu(references, references, options.draws, seed)
    found = compare(perfect, measure, options)
    assert found is not None
    if found.difference > 0:
        against = sum(one - other <= 0 for one, other in zip(best, slow, strict=True))
        assert found.p_value == pytest.approx((against + 1) / 8)
