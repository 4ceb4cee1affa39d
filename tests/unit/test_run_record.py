"""Result files carry what is needed to judge them."""

from __future__ import annotations

import json
from pathlib import Path

from controldag.run_record import write_result


def test_write_result(tmp_path: Path) -> None:
    write_result(tmp_path / "results" / "x.json", {"speed": 3.5}, {"batch": 8})
    content = json.loads((tmp_path / "results" / "x.json").read_text("utf-8"))
    assert (content["figures"], content["settings"]) == ({"speed": 3.5}, {"batch": 8})
    assert content["commit"]
    assert content["date"].endswith("+00:00")
    assert {"processor", "cores", "system", "python"} == set(content["machine"])
