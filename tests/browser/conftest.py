"""A real browser before a real service. Debian's chromium, or the one that CONTROLDAG_CHROMIUM names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.serving.served_process import ServedProcess, served_process
from controldag.checkpoint.folder import has_weights

CHROMIUM = os.environ.get("CONTROLDAG_CHROMIUM") or shutil.which("chromium")
PATIENCE = 60_000  # ms: the machine may be busy


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = ""
    if CHROMIUM is None:
        reason = "there is no chromium here (apt-get install chromium, or set CONTROLDAG_CHROMIUM)"
    elif not has_weights("sgd-mini"):
        reason = "the weights of sgd-mini are not in this copy"
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.slow)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def service() -> Iterator[ServedProcess]:
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, service: ServedProcess) -> Iterator[Callable[..., Page]]:
    """Opens the page. In the end no script may have failed and the page's policy must have been kept."""
    contexts, problems = [], []

    def told(message: Any) -> None:
        # A browser also reports every 4xx there; those are the service's business.
        if message.type == "error" and "Failed to load resource" not in message.text:
            problems.append(message.text)

    def start(url: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", told)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.goto(url or service.url)
        return page

    yield start
    for context in contexts:
        context.close()
    assert problems == []
