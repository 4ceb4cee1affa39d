"""The page on a phone, a laptop and a wide screen, light and dark: one grid, all of the graph, nothing inaccessible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from tests.browser.steps import FLIGHT, Opened, add, choose

LOOKS: list[dict[str, Any]] = [
    {
        "viewport": {"width": width, "height": height},
        "color_scheme": scheme,
        "has_touch": phone,
        "is_mobile": phone,
        "reduced_motion": "reduce",  # axe would judge colours that are on their way
    }
    for width, height, phone in ((390, 844, True), (1280, 860, False), (1920, 1080, False))
    for scheme in ("light", "dark")
]
BACKGROUNDS = {"light": "rgb(244, 246, 249)", "dark": "rgb(16, 22, 29)"}


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps people out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def edges(page: Page, selector: str) -> tuple[int, int]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["x"] + box["width"])


def no_sideways_scrolling(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"{look['viewport']['width']}-{look['color_scheme']}")
def test_all_of_the_page_on_every_screen(opened: Opened, look: dict[str, Any]) -> None:
    page = opened(**look)
    wide, phone = look["viewport"]["width"] == 1920, look["is_mobile"]
    choose(page, "flight", FLIGHT)
    expect(page.locator("#ours .said")).to_be_in_viewport(ratio=1)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == BACKGROUNDS[look["color_scheme"]]
    add(page, "must", "non-stop")
    page.click("#go")
    expect(page.locator("#ours .said")).to_contain_text("non-stop")
    expect(page.locator("#ours .said")).to_be_in_viewport(ratio=1)
    expect(page.locator("#status")).to_have_text("done")
    # One grid.
    left, right = (edges(page, "h1")[0], edges(page, "#more")[1])
    assert edges(page, "form")[0] == left and edges(page, "#others")[1] == right
    assert edges(page, "#graph")[0] == edges(page, "#ours")[0] and edges(page, "#graph")[1] == right
    assert (edges(page, "#others")[0] > edges(page, "#ours")[1]) == wide
    assert (edges(page, "form") == edges(page, "#ours")) == phone
    # All of the graph, at a size that can be read.
    if phone:
        page.click("#graph > summary")
    graph = page.locator(".graph")
    assert graph.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    letters = page.locator(".graph text.cd-text").first
    assert letters.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a") >= 11.9
    assert no_sideways_scrolling(page)
    # With everything open that can be opened.
    page.click("#slots summary")
    page.get_by_role("button", name="curl").click()
    assert no_sideways_scrolling(page)
    assert serious(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_conflict_is_accessible_too(opened: Opened, scheme: str) -> None:
    page = opened(color_scheme=scheme, reduced_motion="reduce")
    choose(page, "flight")
    add(page, "must", "nice")
    add(page, "must_not", "nice")
    page.click("#as-text")
    page.click("#go")
    expect(page.locator("#problem")).to_contain_text("exclude each other")
    page.locator("#greedy").wait_for()
    assert serious(page) == []


def test_what_a_box_stands_for_is_told_beside_the_pointer(opened: Opened) -> None:
    page = opened(viewport={"width": 1280, "height": 860})
    choose(page, "flight", FLIGHT)
    chosen = page.locator(".graph rect.cd-box-chosen").first
    chosen.scroll_into_view_if_needed()
    page.wait_for_timeout(50)  # scrolling, which takes what is told away, has to be over
    chosen.hover()
    tip = page.locator(".tip")
    expect(tip).to_contain_text("%")
    pointed, told = chosen.bounding_box(), tip.bounding_box()
    assert pointed is not None and told is not None
    middle = pointed["x"] + pointed["width"] / 2, pointed["y"] + pointed["height"] / 2
    aside = min(abs(told["x"] - middle[0]), abs(told["x"] + told["width"] - middle[0]))
    assert aside < 40 and 0 < told["y"] - middle[1] < 40
    width = page.locator(".graph svg").bounding_box()
    page.get_by_label("zoom in").click()
    zoomed = page.locator(".graph svg").bounding_box()
    assert width is not None and zoomed is not None and zoomed["width"] > 1.2 * width["width"]
    page.get_by_label("show all of the graph").click()
    assert page.locator(".graph svg").bounding_box() == width
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def test_a_finger_is_told_as_well(opened: Opened) -> None:
    page = opened(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    choose(page, "flight", FLIGHT)
    page.tap("#graph > summary")
    page.locator(".graph rect.cd-box-chosen").first.tap()
    tip = page.locator(".tip")
    expect(tip).to_contain_text("vertex")
    box = tip.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_the_page_of_an_inspection_is_readable_on_a_phone_too(opened: Opened, tmp_path: Path) -> None:
    nlg = ControlDag.from_pretrained("sgd-mini")
    path = tmp_path / "inspection.html"
    path.write_text(
        nlg.inspect(Request(["OFFER(airlines=Alaska Airlines)", "OFFER(price=$317)"], "Flights_1")).html, "utf-8"
    )
    for scheme in ("light", "dark"):
        page = opened(path.as_uri(), viewport={"width": 390, "height": 844}, has_touch=True, color_scheme=scheme)
        assert no_sideways_scrolling(page)
        assert "contains(" not in page.inner_text("body")
        page.locator(".cd-box-chosen").first.tap()
        expect(page.locator(".cd-tip")).to_contain_text("vertex")
        graph = page.locator(".cd-graph")
        assert graph.evaluate("e => e.scrollHeight <= e.clientHeight && getComputedStyle(e).touchAction === 'auto'")
        assert serious(page) == []
