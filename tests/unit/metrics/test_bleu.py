"""BLEU: exact figures, several references, wrong line counts."""

from __future__ import annotations

import pytest

from controldag.errors import InvalidInput
from controldag.metrics.bleu import corpus_bleu
from controldag.metrics.bleu_statistics import bleu_measures


def test_perfect_and_short() -> None:
    text = "the ferry leaves the port at noon"
    perfect = corpus_bleu([text], [[text]])
    assert (round(perfect.score, 6), perfect.brevity_penalty) == (100.0, 1.0)
    assert "tok:13a" in perfect.signature
    short = corpus_bleu(["the ferry leaves the port"], [[text]])
    assert short.brevity_penalty == pytest.approx(2.718281828 ** (1 - 7 / 5))
    assert (short.hypothesis_length, short.reference_length) == (5, 7)


def test_any_of_several_references_counts_and_their_numbers_may_differ() -> None:
    hypotheses = ["the ferry leaves the port at noon", "bread is sold here every day"]
    references = [["something else", hypotheses[0]], [hypotheses[1]]]
    assert corpus_bleu(hypotheses, references).score == pytest.approx(100.0)
    assert corpus_bleu(hypotheses, [each[:1] for each in references]).score < 60


def test_wrong_line_counts() -> None:
    with pytest.raises(InvalidInput, match="`hypotheses` must have one text for each of the 2 examples, but is 1"):
        corpus_bleu(["a"], [["a"], ["b"]])
    with pytest.raises(InvalidInput, match="`hypotheses` must not be empty"):
        corpus_bleu([], [])
    with pytest.raises(InvalidInput, match=r"references\[1\]"):
        corpus_bleu(["a", "b"], [["a"], []])


def test_the_first_three_references_count_and_without_any_there_is_no_figure() -> None:
    text = "the ferry leaves the port at noon"
    others = ["something else"] * 2
    assert bleu_measures([text], [[*others, text]])[0].value() == pytest.approx(100.0)
    assert bleu_measures([text], [[*others, "no", text]])[0].value() == 0.0
    assert [each.value() for each in bleu_measures([text], [[]])] == [None, None, None]
    mixed = bleu_measures([text, text], [[text], [text, text]])[0]
    assert mixed.signature.startswith("nrefs:up to 3 together|")
