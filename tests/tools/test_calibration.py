"""What is said of a verifier's probabilities."""

from __future__ import annotations

from tools.calibration import Bin, bins_of, calibration_png, expected_error, precision_and_recall


def test_bins_are_of_like_size_and_in_order() -> None:
    bins = bins_of([(0.9, True), (0.1, False), (0.2, True), (0.8, True)], 2)
    assert bins == [Bin(2, 0.15, 0.5), Bin(2, 0.85, 1.0)]
    assert abs(expected_error(bins) - 0.25) < 1e-9


def test_precision_and_recall() -> None:
    found = precision_and_recall([True, True, False, False], [True, False, True, False])
    assert found == {"precision": 0.5, "recall": 0.5, "refused": 2, "wrong": 2, "texts": 4}
    assert precision_and_recall([False], [False])["precision"] == 0.0


def test_the_picture_is_one() -> None:
    assert calibration_png({"one": [Bin(2, 0.1, 0.2)]}).startswith(b"\x89PNG")
