"""The programs in `examples`: short, and they do what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(path.name for path in FOLDER.glob("*.py"))


def run(name: str, *arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-X", "utf8", "-W", "error", str(FOLDER / name), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_each_is_listed_and_short() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    for name in PROGRAMS:
        assert f"[{name}]({name})" in listed
        assert len((FOLDER / name).read_text("utf-8").splitlines()) < 60


def test_one_request(tmp_path: Path) -> None:
    said = next(line for line in run("one_request.py", cwd=tmp_path).splitlines() if line.startswith("control-dag"))
    assert "$317" in said and "5:05 am" in said


def test_batch_of_lines(tmp_path: Path) -> None:
    records = [json.loads(line) for line in run("batch_of_lines.py", cwd=tmp_path).splitlines()]
    assert ["error" in record for record in records] == [False, True, False, True]
    assert "1187 Larkspur Lane" in records[0]["text"] and "Hotels_1" in records[1]["error"]
    assert "Half Moon Bay" in records[2]["text"] and ("nice" in records[2]["text"] or "good" in records[2]["text"])
    assert "OFFER(city▸" in records[3]["error"]
    own = tmp_path / "own.jsonl"
    own.write_text('{"id": "x", "service": "Hotels_1", "acts": ["OFFER(hotel_name=Sea Holly)"]}\n')
    assert "Sea Holly" in run("batch_of_lines.py", str(own), cwd=tmp_path)


def test_own_constraints(tmp_path: Path) -> None:
    *said, excluded = run("own_constraints.py", cwd=tmp_path).splitlines()
    texts = {line[:30].strip(): line[31:] for line in said}
    assert all("71 Saint Peter" in text and "San Jose" in text for text in texts.values())
    assert texts["a question"].endswith("?")
    fussy = texts["nice or good, no 'restaurant'"]
    assert ("nice" in fussy or "good" in fussy) and "restaurant" not in fussy
    ordered = texts["city before name"]
    assert ordered.index("San Jose") < ordered.rindex("71 Saint Peter")
    assert excluded == "excluded: contains('San Jose') and ~contains('San')"


def test_own_service(tmp_path: Path) -> None:
    first, second, third, error = run("own_service.py", cwd=tmp_path).splitlines()
    assert "7:40 am" in first and "Kennacraig" in first and "€12.50" in second and third
    assert "Did you mean fare?" in error


def test_n_best(tmp_path: Path) -> None:
    lines = run("n_best.py", cwd=tmp_path).splitlines()
    assert len(lines) == 12
    objectives = [float(line.split()[2]) for line in lines[:5]]
    assert objectives == sorted(objectives)
    assert all("71 Saint Peter" in line and "San Jose" in line for line in lines[:5] + lines[6:11])


def test_engine_alone(tmp_path: Path) -> None:
    assert run("engine_alone.py", cwd=tmp_path).splitlines() == [
        "free:        The boat leaves from Obann at noon.",
        "constrained: The ferry leaves from Oban at noon.  (cost 4.58)",
        "constrained: A ferry leaves from Oban at noon.  (cost 5.43)",
        "constrained: The boat sails from Oban at noon.  (cost 5.56)",
        "probability that a random text of the lattice satisfies it: 0.111",
    ]


def test_forced_words(tmp_path: Path) -> None:
    printed = run("forced_words.py", cwd=tmp_path)
    free, phrase, one, ordered = (line[14:].split() for line in printed.splitlines())
    assert "from Oban" in " ".join(phrase) and "from Oban" not in " ".join(free)
    assert "the ferry" in " ".join(one) or "the boat" in " ".join(one)
    assert (
        ordered.index("sails")
        < ordered.index("Mull")
        < max(ordered.index(w) for w in ("noon", "today") if w in ordered)
    )
    page = (FOLDER.parent / "docs/transformers.md").read_text("utf-8")
    assert (
        f"```python\n{(FOLDER / 'forced_words.py').read_text('utf-8')}```\n\nIt prints:\n\n```text\n{printed}```"
        in page
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_has_a_test_of_its_own(name: str) -> None:
    assert f"test_{name.removesuffix('.py')}" in globals()
