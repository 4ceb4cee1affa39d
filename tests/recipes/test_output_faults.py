"""Faults of outputs are counted as a reader would count them."""

from __future__ import annotations

import pytest

from controldag.errors import InvalidInput
from controldag.training.options import DataOptions
from controldag.training.prepare import prepare
from recipes.output_faults import band_of, faults, repeats, says_twice, words_of


@pytest.mark.parametrize(
    ("text", "twice"), [("a b c a b c", True), ("a b c d a b", False), ("a a a a", True), ("a b", False)]
)
def test_three_words_said_twice(text: str, twice: bool) -> None:
    assert repeats(words_of(text)) is twice


@pytest.mark.parametrize(
    ("count", "band"), [(0, "0 to 30"), (30, "0 to 30"), (31, "31 to 100"), (10_001, "10001 and more")]
)
def test_bands(count: int, band: str) -> None:
    assert band_of(count) == band


def test_references_have_few_faults_and_broken_outputs_have_them() -> None:
    corpus = prepare(DataOptions(dataset="toy", lineariser="naive", vocabulary=380), None)
    perfect = faults([reference.references[0] for reference in corpus.references], corpus)["seen"]
    assert (perfect["outputs"], perfect["unknown_words"], perfect["repeats"]) == (200, 0.0, 0.0)
    assert all(band["said"] == 100 for band in perfect["values_said"].values())
    broken = faults(["zzyzx in in in in"] * 200, corpus)["seen"]
    assert (broken["unknown_words"], broken["repeats"]) == (100.0, 100.0)
    assert all(band["said"] == 0 for band in broken["values_said"].values())
    with pytest.raises(InvalidInput, match="at most 200"):
        faults(["a"] * 201, corpus)


def test_a_value_said_more_often_than_any_reference_is_said_twice() -> None:
    assert says_twice("At 7 pm on May 2 at 7 PM.", ["7 pm", "May 2"], ["At 7 pm on May 2."])
    assert not says_twice("At 7 pm, yes, 7 pm.", ["7 pm"], ["At 7 pm.", "7 pm, is 7 pm fine?"])
    assert not says_twice("1 room for 11 days", ["1", "11"], ["1 room, 11 days"])
