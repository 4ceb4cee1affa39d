"""The package as a user gets it: a wheel built from the sources, imported without this checkout and without torch.

Nothing is fetched: the wheel is built with the build tools of this environment, and the dependencies are those that are
installed here. `-S` keeps the editable install of the checkout out of the way.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("src", "cpp", "CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE")

PROGRAM = """
import sys
sys.path[:0] = [{wheel!r}, {dependencies!r}]
sys.modules["torch"] = sys.modules["transformers"] = None  # an import of either now fails
sys.argv = ["controldag", "data", "demo", "--json"]
import controldag
from controldag import _core
assert controldag.__file__.startswith({wheel!r}), controldag.__file__
assert _core.__file__.startswith({wheel!r}), _core.__file__
assert _core.fold_case("ÄB".encode()).decode() == "äb"
from controldag.cli.main import main
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the sources, so that no build folder of the checkout is used or left behind."""
    folder = tmp_path_factory.mktemp("fresh")
    for name in SOURCES:
        origin, copy = ROOT / name, folder / "source" / name
        copy.parent.mkdir(exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(origin, copy)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(folder / "source")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
def test_the_wheel_carries_what_it_needs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    files = {name.removeprefix("controldag/") for name in names if name.startswith("controldag/")}
    assert {"py.typed", "_core.pyi", "data/samples/schema.json", "data/samples/sgd.jsonl"} <= files
    assert {"serving/static/index.html", "serving/static/page.js", "serving/static/page.css"} <= files
    assert {"data/samples/dart.jsonl", "data/samples/Ferries_1.tsv"} <= files
    assert [name for name in files if name.startswith("_core.") and name.endswith(".so")]
    assert {name.split("/")[0] for name in names} == {"controldag", f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"}


@pytest.mark.slow
def test_the_installed_wheel_works_without_torch(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = PROGRAM.format(wheel=str(tmp_path), dependencies=sysconfig.get_path("purelib"))
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["examples"]) == 20
