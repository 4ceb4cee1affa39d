"""Few-shot curves: splits that share no turn with what is scored, points that are not run twice, and their record."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from controldag.data.write import record_of
from controldag.errors import InvalidInput
from controldag.training.toy import toy_examples
from recipes.fewshot.__main__ import FewShotOptions, collected, record, run_curve
from recipes.fewshot.splits import SHOTS, new_services, published
from tests.unit.generation.tiny_checkpoint import make_checkpoint, schema_as_json


def turns(name: str, count: int, service: str) -> list[dict[str, Any]]:
    """Turns of dialogues with two turns each."""
    made = [record_of(example) for example in toy_examples(count, len(name))]
    return [
        turn | {"id": f"{name}/{i}", "dialog_id": f"{name}_{i // 2}", "service": service} for i, turn in enumerate(made)
    ]


@pytest.fixture
def sgd(tmp_path: Path) -> Path:
    """Data laid out like SGD: one service in training, another in dev alone."""
    folder = tmp_path / "sgd"
    schema = [service | {"service_name": name} for service in schema_as_json() for name in ("Places_1", "Places_2")]
    for split in ("train", "dev"):
        (folder / split).mkdir(parents=True)
        (folder / split / "schema.json").write_text(json.dumps(schema))
    (folder / "fewshot").mkdir()
    for shots in SHOTS:
        (folder / "fewshot" / f"{shots}_shot.txt").write_text("".join(f"train_{i}\n" for i in range(2 * shots)))
    files = {
        "train": turns("train", 400, "Places_1"),
        "dev": turns("dev", 240, "Places_1"),
        "dev_full": turns("dev_full", 300, "Places_2") + turns("known", 20, "Places_1"),
    }
    for name, records in files.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(each) + "\n" for each in records)
    return folder


def test_splits_grow_and_share_nothing_with_what_is_scored(sgd: Path) -> None:
    for splits in (published(sgd), new_services(sgd)):
        sets = [{each["id"] for each in splits.train[shots]} for shots in SHOTS]
        assert all(small < large for small, large in itertools.pairwise(sets))
        scored, validation = ({each["id"] for each in part} for part in (splits.scored, splits.validation))
        assert scored and validation and not scored & validation
        assert not sets[-1] & (scored | validation)
    new = new_services(sgd)
    assert {each["service"] for each in new.train[5] + new.scored} == {"Places_2"}
    assert len(new.train[5]) == 10 and len(new.scored) + len(new.validation) == 40


def test_ids_that_training_lacks_are_an_error(sgd: Path) -> None:
    (sgd / "fewshot" / "5_shot.txt").write_text("nowhere_1\n")
    with pytest.raises(InvalidInput, match="`fewshot` must name dialogues"):
        published(sgd)


def test_points_are_run_once_and_recorded(sgd: Path, tmp_path: Path) -> None:
    base = make_checkpoint(tmp_path / "base", marks=4)
    options = FewShotOptions(init=str(base), steps=1, turns=4)
    work, out = tmp_path / "work", tmp_path / "fewshot.json"
    run_curve("new-services", [5], sgd, work, options)
    before = {path: path.stat().st_mtime_ns for path in (work / "new-services").glob("*.json")}
    run_curve("new-services", [5], sgd, work, options)
    assert {path: path.stat().st_mtime_ns for path in before} | before == before
    points = collected(work)["new-services"]
    assert [(point["shots"], point["examples"], point["n"]) for point in points] == [(0, 0, 4), (5, 10, 4)]
    assert all(point["ser"] == 0 for point in points)
    record(work, out, {"steps": 1})
    kept = json.loads(out.read_text("utf-8"))
    assert kept["figures"]["new-services"] == points and {"machine", "commit"} <= kept.keys()
    assert out.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
