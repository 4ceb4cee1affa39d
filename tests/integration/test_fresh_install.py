"""The package as a user gets it: a wheel built from the sources, installed without this checkout, its data and torch.

Nothing is fetched: the wheel is built with the build tools of this environment, and the dependencies are those that are
installed here. Then the first hour: every command of docs/quickstart.md, in order, until one's own service answers.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from controldag.checkpoint.folder import has_weights

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("src", "cpp", "CMakeLists.txt", "pyproject.toml", "README.md", "LICENSE")
PAGE = (ROOT / "docs" / "quickstart.md").read_text("utf-8")
BLOCKS = re.findall(r"```(console|python|json|text)\n(.*?)```", PAGE, flags=re.DOTALL)
ADDRESS = "http://127.0.0.1:8000/"
COMMAND = re.compile(r"^\$ (.*(?:\n {4}.*)*)\n((?:(?!\$ ).+\n)*)", flags=re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The wheel of a copy of the sources, so that no build folder of the checkout is used; one for all workers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "fresh"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(folder.glob("*.whl")):
            _build(folder)
    (made,) = folder.glob("*.whl")
    return made


def _build(folder: Path) -> None:
    shutil.rmtree(folder / "source", ignore_errors=True)
    for name in SOURCES:
        origin, copy = ROOT / name, folder / "source" / name
        copy.parent.mkdir(exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, copy, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        else:
            shutil.copy(origin, copy)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder))
    _run(sys.executable, "-m", "pip", "wheel", *options, str(folder / "source"))


@pytest.fixture
def environment(wheel: Path, tmp_path: Path) -> dict[str, str]:
    """What a shell has where the wheel is installed: an environment in which neither torch nor this checkout is."""
    place = tmp_path / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", str(place))
    python = str(place / "bin" / "python")
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", str(wheel))
    (packages,) = place.glob("lib/python*/site-packages")
    dependencies = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "dependencies.pth").write_text("\n".join(dependencies))
    for name in ("torch", "transformers"):
        (packages / f"{name}.py").write_text("raise ImportError('not for whoever only runs models')")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CONTROLDAG", "PYTHON"))}
    return kept | {"PATH": f"{place / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path), "PYTHONUTF8": "1"}


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_wheel_carries_what_it_needs_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    files = {name.removeprefix("controldag/") for name in names if name.startswith("controldag/")}
    assert {"py.typed", "_core.pyi", "data/samples/schema.json", "data/samples/sgd.jsonl"} <= files
    assert {"serving/static/index.html", "serving/static/page.js", "serving/static/page.css"} <= files
    assert {"data/samples/dart.jsonl", "data/samples/Ferries_1.tsv"} <= files
    assert [name for name in files if name.startswith("_core.") and name.endswith(".so")]
    assert {name.split("/")[0] for name in names} == {"controldag", f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"}


def test_the_installed_wheel_works_without_torch(environment: dict[str, str], tmp_path: Path) -> None:
    where = "import controldag, controldag._core as core; print(controldag.__file__, core.__file__)"
    files = _run("python", "-c", where, cwd=tmp_path, env=environment).split()
    assert all(Path(file).is_relative_to(tmp_path) for file in files)
    told = _run("controldag", "data", "demo", "--json", cwd=tmp_path, env=environment)
    assert len(json.loads(told)["examples"]) == 20


@pytest.mark.skipif(not has_weights("sgd-mini"), reason="the weights are not in this copy")
@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_first_hour(environment: dict[str, str], tmp_path: Path) -> None:
    """All of the quickstart: a person who follows it sees what it shows, and ends with a service that answers."""

    def run(*command: str) -> str:
        return _run(*command, cwd=tmp_path, env=environment)

    serving: list[subprocess.Popen[str]] = []
    url, printed = ADDRESS, ""
    try:
        for kind, block in BLOCKS:
            if kind == "json":
                (tmp_path / "schema.json").write_text(block, "utf-8")
            elif kind == "python":
                printed = run("python", "-W", "error", "-c", block)
            elif kind == "text":
                assert printed == block
            for command, wanted in COMMAND.findall(block) if kind == "console" else ():
                if "new-service" in command:
                    words = ["bash", "-c", f"exec {command} --port 0"]
                    serving.append(subprocess.Popen(words, cwd=tmp_path, env=environment, stderr=-1, text=True))
                    url = _address(serving[0])
                elif "venv" not in command:  # that is where we are
                    printed = run("bash", "-c", command.replace(ADDRESS, url))
                    assert printed == wanted or not wanted
        assert url != ADDRESS and "May 5th" in json.loads(printed)["results"][0]["text"]
        assert "swagger-ui" in run("curl", "-s", f"{url}docs")
        assert 'route="/v1/generate"' in run("curl", "-s", f"{url}metrics")
    finally:
        for process in serving:
            process.kill()
            process.communicate()


def _address(serving: subprocess.Popen[str]) -> str:
    """Where a service that is starting listens, once it is ready."""
    assert serving.stderr is not None
    url = ""
    for line in serving.stderr:
        entry = json.loads(line) if line.startswith("{") else {}
        url = entry.get("url", url)
        if entry.get("event") == "ready":
            return url
    raise AssertionError("the service ended before it was ready")
