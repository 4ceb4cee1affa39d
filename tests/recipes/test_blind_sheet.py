"""The blind sheet: every system's texts once, nothing that tells whose they are, counts that join again."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.data import samples
from controldag.data.act_syntax import parse_input, written
from controldag.data.read import read_examples
from controldag.errors import ControlDagError
from recipes.__main__ import app
from recipes.reading.blind_sheet import LABELS

EXAMPLES = list(read_examples(samples.ACTS))


@pytest.fixture
def drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("".join(f"{name} says {i}.\n" for i in range(len(EXAMPLES))))
    arguments = ("--outputs", "one=one.txt", "--outputs", "two=two.txt", "--key", "key.csv")
    run("reading", "draw", "sheet.csv", "--data", samples.ACTS, *arguments, "--n", 5, "--seen-too", "--seed", 3)
    return tmp_path


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, labels: dict[str, dict[str, str]]) -> None:
    """Writes labels into the sheet, by item."""
    found = rows(path)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows({**row, **labels.get(row["item"], {})} for row in found)


def test_the_sheet_holds_every_text_once_and_no_name(drawn: Path) -> None:
    sheet, key = rows(drawn / "sheet.csv"), rows(drawn / "key.csv")
    assert len(sheet) == len(key) == 10 and "system" not in sheet[0] and "id" not in sheet[0]
    for row, secret in zip(sheet, key, strict=True):
        assert row["item"] == secret["item"] and row["text"].startswith(f"{secret['system']} says ")
        index = int(row["text"].removesuffix(".").rpartition(" ")[2])
        assert EXAMPLES[index].id == secret["id"] and row["input"] == "; ".join(written(EXAMPLES[index]))
    assert len({row["text"] for row in sheet}) == 10
    assert {secret["system"] for secret in key[:5]} == {"one", "two"}


def test_labels_are_counted_by_system(drawn: Path) -> None:
    mine: dict[str, list[str]] = {"one": [], "two": []}
    for secret in rows(drawn / "key.csv"):
        mine[secret["system"]].append(secret["item"])
    labels = {item: dict.fromkeys(LABELS, "0") for item in (*mine["one"], *mine["two"][:3])}
    labels[mine["one"][0]] |= {"omitted": "1", "doubled": "1"}
    labels[mine["one"][1]] = {"omitted": "1"}
    fill(drawn / "sheet.csv", labels)
    found: dict[str, Any] = json.loads(
        run("reading", "count", "sheet.csv", "--key", "key.csv", "--out", "counts.json", "--json")
    )
    assert (found["one"]["read"], found["one"]["left"], found["two"]["read"], found["two"]["left"]) == (5, 0, 3, 2)
    assert [found["one"][name]["count"] for name in (*LABELS, "any")] == [2, 0, 0, 1, 2]
    assert found["one"]["any"]["percent"] == 40.0
    # Wilson's interval of 2 in 5, and of 0 in 3, by hand.
    assert found["one"]["any"]["interval"] == pytest.approx([11.76, 76.93], abs=0.01)
    assert found["two"]["any"]["interval"] == pytest.approx([0.0, 56.15], abs=0.01)
    assert json.loads((drawn / "counts.json").read_text())["figures"] == found
    assert "40.0" in run("reading", "count", "sheet.csv", "--key", "key.csv")


def test_wrong_labels_and_keys_are_told(drawn: Path) -> None:
    fill(drawn / "sheet.csv", {"1": {"omitted": "yes"}})
    with pytest.raises(ControlDagError, match="omitted of item 1"):
        run("reading", "count", "sheet.csv", "--key", "key.csv")
    with pytest.raises(ControlDagError, match="columns"):
        run("reading", "count", "key.csv", "--key", "key.csv")
    (drawn / "other.csv").write_text("item,system,id\n1,one,x\n")
    with pytest.raises(ControlDagError, match="items of the key"):
        run("reading", "count", "sheet.csv", "--key", "other.csv")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--outputs", "one=one.txt", "--n", 500, "--seen-too"), "--n"),
        (("--outputs", "one=one.txt"), "--train"),
        (("--outputs", "one"), "--outputs"),
        (("--outputs", "one=one.txt", "--outputs", "one=two.txt"), "once"),
    ],
)
def test_wrong_draws_are_told(drawn: Path, given: tuple[object, ...], message: str) -> None:
    with pytest.raises(ControlDagError, match=message):
        run("reading", "draw", "s.csv", "--data", samples.ACTS, "--key", "k.csv", *given)


def test_what_is_written_can_be_read_back() -> None:
    for example in (*EXAMPLES, *read_examples(samples.TRIPLES)):
        assert tuple(map(parse_input, written(example))) == (*example.acts, *example.triples)
