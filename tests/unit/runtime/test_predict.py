"""The runtime's graphs against torch's, from the same folder, for every option that a model may have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controldag.dag import Dag
from controldag.errors import InvalidInput
from controldag.model.definition.saving import save_model
from controldag.model.inference.predict import TorchPredictor
from controldag.runtime.predict import RuntimePredictor, Source
from controldag.surfaces import Surfaces
from tests.unit.model.tiny import tiny_model

SURFACES = Surfaces([f" w{i}".encode() if i > 9 else None for i in range(60)])
SOURCES = [
    Source([7, 8, 9, 1], asked=[12, 40]),
    Source([*range(20, 33), 1], 60, SURFACES.changed({4: b" Oban", 6: b" Skye"}), asked=[4, 11]),
]


def predictors(folder: Path, precision: str = "", **changes: Any) -> tuple[TorchPredictor, RuntimePredictor]:
    save_model(tiny_model(1, **changes), folder, b"a tokenizer")
    torch = TorchPredictor.load(folder, SURFACES, tokenizer=b"a tokenizer")
    return torch, RuntimePredictor.load(folder, SURFACES, tokenizer=b"a tokenizer", precision=precision)


def compare(found: Dag, wanted: Dag, asked: list[int], tolerance: float) -> None:
    np.testing.assert_allclose(found.transitions, wanted.transitions, atol=tolerance)
    np.testing.assert_allclose(found.emissions, wanted.emissions, atol=tolerance)
    for ids in (asked, [3, 50, 50]):
        np.testing.assert_allclose(found.log_probabilities(ids), wanted.log_probabilities(ids), atol=tolerance)
    found.check()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tied_head": True},
        {"tied_head": True, "scaled_head": False},
        {"gated_ffn": True},
        {"decoder_vocab_size": 60, "copy_source": False},
        {"relative_attention_num_buckets": 8, "relative_attention_max_distance": 20},
    ],
)
def test_graphs_are_those_of_torch(tmp_path: Path, changes: dict[str, Any]) -> None:
    torch, runtime = predictors(tmp_path, **changes)
    for source, found, wanted in zip(SOURCES, runtime.predict(SOURCES, 4), torch.predict(SOURCES, 4), strict=True):
        compare(found, wanted, list(source.asked), 2e-4)
        assert found.widen is not None and wanted.widen is not None
        compare(found.widen(20), wanted.widen(20), list(source.asked), 2e-4)


def test_tokens_without_a_surface_come_only_where_the_input_gives_them_one(tmp_path: Path) -> None:
    plain, changed = predictors(tmp_path)[1].predict(SOURCES, 60)
    for dag, speaking in ((plain, set(range(10, 60))), (changed, {4, 6, *range(10, 60)})):
        assert dag.token_ids is not None
        assert {int(token) for token in dag.token_ids[np.isfinite(dag.emissions)]} == speaking


def test_eight_bits_stay_near_and_are_probabilities(tmp_path: Path) -> None:
    torch, runtime = predictors(tmp_path, "int8")
    (found,), (wanted,) = runtime.predict(SOURCES[:1], 4), torch.predict(SOURCES[:1], 4)
    compare(found, wanted, [12, 40], 0.5)
    assert not np.array_equal(found.transitions, wanted.transitions)
    assert found.widen is not None
    found.widen(30).check()


def test_other_precisions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="float32, int8 on a CPU"):
        predictors(tmp_path, "bfloat16")


def test_what_is_kept_at_once_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controldag.runtime.predict._MOST_SCORES", 100 * 60)
    runtime = predictors(tmp_path)[1]
    sources = [Source([7, 1], size) for size in (40, 60, 1, 50, 50, 60)]
    assert runtime.batches(sources) == [[0, 1], [2, 3], [4], [5]]
    assert runtime.batches([]) == []
