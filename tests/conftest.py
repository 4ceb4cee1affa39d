"""Shared fixtures: where the real data is, if it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Workers side by side share the cores: each computes on one, and so do the programs that it starts.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

# A commit passes or fails, whatever is drawn and however busy the machine is: new cases are for `make fuzz`, which sets
# the variable.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("default" if "CONTROLDAG_NEW_CASES" in os.environ else "same")

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("CONTROLDAG_DATA", ROOT.parent / "shared" / "data"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.pluginmanager.hasplugin("pytest_cov"):  # lines are counted where that is quick
        for item in items:
            if "realdata" in item.keywords or "slow" in item.keywords:
                item.add_marker("no_cover")
    if DATA.is_dir():
        return
    missing = pytest.mark.skip(reason="the shared data folder is not here (set CONTROLDAG_DATA)")
    for item in items:
        if "realdata" in item.keywords:
            item.add_marker(missing)


@pytest.fixture(scope="session")
def data() -> Path:
    """The shared data folder; only for tests marked `realdata`."""
    return DATA
