"""The page before services that are slow, gone, guarded, or know triples; and nothing from elsewhere."""

from __future__ import annotations

import time

from playwright.sync_api import Route, expect

from benchmarks.serving.served_process import ServedProcess, served_process
from tests.browser.steps import FLIGHT, Opened, choose


def test_a_slow_service_dims_the_old_text_and_can_be_given_up(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)

    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    page.route("**/v1/inspect", late)
    page.select_option("#example", label="hotel")
    expect(page.locator("#status")).to_have_text("working …")
    expect(page.locator("#cancel")).to_be_visible()
    expect(page.locator("#texts")).to_have_css("opacity", "0.4")
    expect(page.locator("#ours .said")).to_have_text(FLIGHT)
    expect(page.locator("#ours .said")).to_contain_text("Larkspur")
    expect(page.locator("#status")).to_have_text("done")
    expect(page.locator("#cancel")).to_be_hidden()
    expect(page.locator("#texts")).to_have_css("opacity", "1")
    page.unroute("**/v1/inspect")
    page.route("**/v1/inspect", lambda route: None)  # never answered
    page.click("#go")
    page.click("#cancel")
    expect(page.locator("#status")).to_have_text("given up")
    page.unroute("**/v1/inspect")
    page.click("#go")
    expect(page.locator("#status")).to_have_text("done")


def test_a_service_that_is_gone_is_told(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    page.context.set_offline(True)
    page.click("#go")
    expect(page.locator("#problem")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    page.click("#go")
    expect(page.locator("#ours")).to_contain_text("$317")


def test_a_service_with_a_token_asks_for_it(opened: Opened) -> None:
    with served_process("--model", "dart-mini", "--token", "se-cret", "--deadline-ms", "60000") as guarded:
        page = opened(guarded.url)
        expect(page.locator("#problem")).to_contain_text("token is needed")
        page.fill("#token", "se-cret")
        page.press("#token", "Tab")
        # This one knows triples, which have no service.
        expect(page.locator("#ours .said")).to_contain_text("Ilsa Varga")
        expect(page.locator("#service-row")).to_be_hidden()
        expect(page.locator("#ours .evidence")).to_contain_text("Ilsa Varga · occupation · astronaut")
        page.locator("#rows .object").first.fill("botanist")
        page.get_by_role("button", name="curl").click()
        command = page.locator("#curl").inner_text()
        assert "$CONTROLDAG_TOKEN" in command and "se-cret" not in command
        page.click("#go")
        expect(page.locator("#ours .said")).to_contain_text("botanist")


def test_nothing_is_fetched_from_elsewhere(opened: Opened, service: ServedProcess) -> None:
    page = opened("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(service.url)
    choose(page, "flight")
    assert asked
    assert all(url.startswith((service.url, "data:")) for url in asked), asked


def test_the_api_is_shown_at_docs(opened: Opened, service: ServedProcess) -> None:
    page = opened(f"{service.url.rstrip('/')}/docs")
    expect(page.locator(".opblock-summary-path", has_text="/v1/rasa/")).to_be_visible()
    page.locator("#operations-default-generate_v1_generate_post .opblock-summary-control").click()
    expect(page.locator(".opblock-body").first).to_contain_text("items")
