"""What people do on the page, for tests of it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE

expect.set_options(timeout=PATIENCE)
Opened = Callable[..., Page]
FLIGHT = "There is an Alaska Airlines flight that leaves at 5:05 am for $317."


def choose(page: Page, example: str, said: str = "") -> None:
    """Picks an example, which is said at once, and waits for its text (or for a part of it)."""
    page.locator("#ours").wait_for()
    page.select_option("#example", label=example)
    expect(page.locator("#ours .said")).to_contain_text(said or {"flight": "$317"}.get(example, ""))
    expect(page.locator("#status")).to_have_text("done")


def add(page: Page, kind: str, value: str) -> None:
    """Asks for one thing more."""
    page.select_option("#kind", kind)
    page.fill("#phrase", value)
    page.press("#phrase", "Enter")


def write(page: Page, text: str) -> None:
    """Says what to say as text."""
    page.click("#as-text")
    page.fill("#input", text)
