"""Writes the pictures of the page in docs/images: laptop, wide screen and phone, light and dark. Needs chromium."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from benchmarks.serving.served_process import served_process

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1280, "height": 860}},
    "wide": {"viewport": {"width": 1920, "height": 1000}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
COLOURS = 192  # enough for a page, and a third of the size


def picture(browser: Browser, url: str, screen: dict[str, Any], scheme: Any) -> Image.Image:
    """The page after an example whose graph's own text the verifier refuses."""
    context = browser.new_context(color_scheme=scheme, **screen)
    page = context.new_page()
    page.goto(url)
    page.locator("#ours").wait_for()
    page.select_option("#example", label="film")
    page.locator("#status", has_text="done").wait_for()
    page.locator("#ours .said", has_text="Under Gallus").wait_for()
    page.wait_for_timeout(300)
    shot = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return shot.convert("RGB").quantize(COLOURS)


def main() -> None:
    """Makes all of them."""
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000") as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, screen in SCREENS.items():
            for scheme in ("light", "dark"):
                image = picture(browser, served.url, screen, scheme)
                image.save(FOLDER / f"page-{name}-{scheme}.png", optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
