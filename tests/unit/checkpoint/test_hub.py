"""Ids of the Hub, on an endpoint of our own: plain data only, at the revision asked for, errors that say what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from controldag.checkpoint.folder import folder_of
from controldag.checkpoint.hub import is_hub_id
from controldag.errors import InvalidInput
from tests.unit.checkpoint.hub_endpoint import REPOSITORY, REVISION, endpoint

PROGRAM = """
import controldag as cd
import sys
for asked in sys.argv[1:]:
    name, _, revision = asked.partition("@")
    try:
        nlg = cd.ControlDag.from_pretrained(name, revision=revision)
        print(nlg.checkpoint.name, nlg.generate([cd.Act("OFFER", "name", ("Alder Inn",))], service="Places_1").text)
    except cd.InvalidInput as error:
        print("error:", error)
"""


def run(address: str, home: Path, *asked: str) -> list[str]:
    """What a program says that opens checkpoints with the Hub at `address`; nothing of the user's own is touched."""
    environment = {**os.environ, "HF_ENDPOINT": address, "HF_HOME": str(home), "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
    command = [sys.executable, "-c", PROGRAM, *asked]
    done = subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_checkpoint_is_fetched_once_and_only_its_plain_data(folder: Path, tmp_path: Path) -> None:
    origin, home = tmp_path / "origin", tmp_path / "home"
    home.mkdir()
    shutil.copytree(folder, origin)
    others = ("modeling.py", "pytorch_model.bin", "more/model.safetensors")
    for name in others:
        (origin / name).parent.mkdir(exist_ok=True)
        (origin / name).write_text("import os")
    wanted = f"{REPOSITORY}@{REVISION}"
    with endpoint(origin) as server:
        said, again, wrong, unknown = run(server.address, home, wanted, wanted, f"{REPOSITORY}@v2", "nobody/nothing")
    assert said == again and said.startswith("tiny ") and "Alder Inn" in said
    assert wrong.startswith("error: No folder someone/tiny is here, and the Hub does not give it at 'v2'")
    assert "does not give it" in unknown
    assert not set(others) & set(server.given)
    for name in ("config.json", "words.txt", "tokenizer.model", "model.safetensors"):
        assert server.given[name] == 1
    # The endpoint is gone now: what was fetched is still there, and the rest cannot be had.
    cached, unreachable = run(server.address, home, wanted, "someone/else")
    assert cached == said
    assert unreachable.startswith("error: No folder someone/else is here, and the Hub cannot be reached.")


@pytest.mark.parametrize(
    ("name", "on_hub"),
    [("owner/name", True), ("a/b/c", False), ("sgd-mini", False), ("./x", False), ("/tmp/x", False), ("a/..", False)],
)
def test_what_is_an_id(name: str, on_hub: bool) -> None:
    assert is_hub_id(name) == on_hub


def test_a_folder_of_that_name_wins(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder, tmp_path / "owner" / "name")
    assert folder_of("owner/name") == Path("owner/name")
    with pytest.raises(InvalidInput, match="`revision` must go with an id"):
        folder_of("owner/name", revision="v1")
