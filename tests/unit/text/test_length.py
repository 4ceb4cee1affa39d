"""The length model: fit, prediction, presets, files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controldag.errors import DataError, InvalidInput
from controldag.text.length import PRESETS, LengthModel, length_model


def test_a_line_is_found_exactly() -> None:
    model = LengthModel.fit([(x, 2 * x + 3) for x in (1, 4, 9)])
    assert (model.slope, model.intercept, model.r_squared) == pytest.approx((2, 3, 1))
    assert model.pairs == 3


def test_fit_agrees_with_numpy() -> None:
    generator = np.random.default_rng(7)
    x = generator.integers(1, 80, 200)
    y = np.maximum(1, (0.4 * x + generator.normal(5, 3, 200)).astype(int))
    model = LengthModel.fit([(int(a), int(b)) for a, b in zip(x, y, strict=True)])
    assert [model.slope, model.intercept] == pytest.approx(list(np.polyfit(x, y, 1)))
    assert model.r_squared == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)


@pytest.mark.parametrize("pairs", [[], [(3, 4)], [(3, 4), (3, 9)]])
def test_too_little_to_fit_is_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(InvalidInput, match="two different input lengths"):
        LengthModel.fit(pairs)


@pytest.mark.parametrize(
    ("preset", "length", "predicted"),
    [("paper-sgd", 28, 37), ("paper-sgd-printed", 2, 53), ("paper-dart", 10, 17), ("paper-dart", 11, 18)],
)
def test_presets_are_the_papers_lines(preset: str, length: int, predicted: int) -> None:
    assert length_model(preset).predict(length) == predicted


def test_a_prediction_is_at_least_one_and_refuses_negative_lengths() -> None:
    assert LengthModel(0.1, -5.0).predict(3) == 1
    with pytest.raises(InvalidInput, match="input_length"):
        LengthModel(1.0, 0.0).predict(-1)


@pytest.mark.parametrize("arguments", [(math.nan, 0.0), (0.0, math.inf), (1.0, 1.0, "floor")])
def test_nonsense_is_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidInput):
        LengthModel(*arguments)


def test_a_saved_model_comes_back_equal_and_by_its_path(tmp_path: Path) -> None:
    model = LengthModel.fit([(1, 2), (2, 3), (5, 9)], source="here")
    model.save(tmp_path / "length.json")
    assert LengthModel.load(tmp_path / "length.json") == model
    assert length_model(str(tmp_path / "length.json")) == model
    with pytest.raises(InvalidInput, match="paper-dart"):
        length_model("papers")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"format": "x"}, "format"),
        ({"slope": "1"}, "slope"),
        ({"pairs": None}, "pairs"),
        ({"slope": True}, "slope"),
        ({"rounding": "up"}, "rounding"),
        ({"intercept": math.inf}, "finite"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    path = tmp_path / "length.json"
    PRESETS["paper-dart"].save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(DataError, match=named):
        LengthModel.load(path)


@pytest.mark.parametrize("content", [b"3", b"{", b"\xff"])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "l.json").write_bytes(content)
    with pytest.raises(DataError, match=r"l\.json"):
        LengthModel.load(tmp_path / "l.json")
    with pytest.raises(DataError, match="no such file"):
        LengthModel.load(tmp_path / "none.json")
