"""Result files: figures together with everything needed to judge them."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import controldag
from controldag.files import write_json


def write_result(
    path: str | Path, figures: dict[str, Any], settings: dict[str, Any], *, measured: dict[str, Any] | None = None
) -> None:
    """Writes figures and settings as JSON with machine, commit and date.

    `measured` are the `circumstances` of the run, where it was elsewhere; without it, those of here and now.
    """
    write_json(path, {"figures": figures, "settings": settings, **(measured or circumstances())})


def circumstances() -> dict[str, Any]:
    """Machine, commit, version and date of a run."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "commit": _commit(),
        "version": controldag.__version__,
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
        },
    }


def _commit() -> str:
    """The commit of the source tree, `+changes` where it was edited since; `unknown` outside of one."""
    folder = Path(controldag.__file__).parent
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}+changes" if changed else commit


def _git(folder: Path, *words: str) -> str:
    run = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=True)
    return run.stdout.strip()


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"
