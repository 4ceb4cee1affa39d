"""Writes the pictures of the page in docs/images, light, dark and as a phone shows it. Needs chromium."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from benchmarks.serving.served_process import served_process

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 860}},
    "dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 1500}},
}
COLOURS = 224  # enough for a page, and a third of the size


def picture(browser: Browser, url: str, look: dict[str, Any]) -> Image.Image:
    """The page after the flight example, with one demand more."""
    context = browser.new_context(**look)
    page = context.new_page()
    page.goto(url)
    page.locator("#example option").first.wait_for(state="attached")
    page.select_option("#example", label="flight")
    page.fill("#phrase", "non-stop")
    page.press("#phrase", "Enter")
    page.fill("#n-best", "1")
    page.click("#go")
    page.locator("#ours").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    shot = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return shot.convert("RGB").quantize(COLOURS)


def main() -> None:
    """Makes all of them."""
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000") as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, look in LOOKS.items():
            picture(browser, served.url, look).save(FOLDER / f"page-{name}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
