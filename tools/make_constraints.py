"""`python -m tools.make_constraints`: constraints.txt anew, with a version for all that any extra brings in.

What is pinned stays at its version unless `--upgrade`. pip resolves and installs nothing. No hashes: torch's CPU build
has another file on every platform and index, and a hash of one would refuse the others.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "constraints.txt"
BUILD_TOOLS = ("pip", "cmake", "ninja", "nanobind", "scikit-build-core")
HEADER = """\
# What the Makefile's environment and the Dockerfile use, version by version, for every extra: `make lock` writes it.
# torch is pinned so that pip never takes a build that brings CUDA packages.
"""


def extras() -> list[str]:
    """The names of all extras of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return sorted(project["optional-dependencies"])


def resolved(*, upgrade: bool) -> dict[str, str]:
    """Package names and versions that pip would install for every extra and the build."""
    kept = ["-c", str(FILE)] if not upgrade else ["-c", str(_torch_alone())]
    words = ["install", "--dry-run", "--ignore-installed", "--no-build-isolation", "--quiet", "--report", "-"]
    command = [sys.executable, "-m", "pip", *words, *kept, f"{ROOT}[{','.join(extras())}]", *BUILD_TOOLS]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = (item["metadata"] for item in json.loads(done.stdout)["install"])
    # A local build (`+cpu`) is this machine's own matter.
    return {each["name"]: each["version"].partition("+")[0] for each in found if each["name"] != "controldag"}


def _torch_alone() -> Path:
    """A constraints file with the pin of torch, which only a person changes."""
    path = ROOT / "build" / "torch-constraint.txt"
    path.parent.mkdir(exist_ok=True)
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line.startswith("torch==")]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def main() -> int:
    """Writes the file."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--upgrade", action="store_true", help="take the newest versions, torch's excepted")
    pins = resolved(upgrade=made.parse_args().upgrade)
    lines = [f"{name}=={pins[name]}" for name in sorted(pins, key=str.lower)]
    FILE.write_text(HEADER + "\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
