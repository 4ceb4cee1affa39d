"""The page in a browser: the whole flow, contradictions, a slow service, the keyboard, phones, the dark."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page, Route, expect

from benchmarks.serving.served_process import ServedProcess, served_process
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag, caught
from controldag.search.exact import Limits
from controldag.serving.samples import examples
from tests.browser.conftest import PATIENCE

expect.set_options(timeout=PATIENCE)
Opened = Callable[..., Page]


def choose(page: Page, example: str) -> None:
    page.locator("#example option").first.wait_for(state="attached")
    page.select_option("#example", label=example)


def add(page: Page, kind: str, value: str) -> None:
    page.select_option("#kind", kind)
    page.fill("#phrase", value)
    page.press("#phrase", "Enter")


def test_the_whole_flow(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    add(page, "must", "non-stop")
    add(page, "must_any", "leaves | departs")
    add(page, "must_not", "returns")
    add(page, "pattern", r"5:05 \w\w")
    expect(page.locator("#chips li")).to_have_count(4)
    page.click("#go")
    ours = page.locator("#ours")
    expect(ours).to_contain_text("$317")
    said = ours.locator(".said").inner_text()
    assert "non-stop" in said
    assert "returns" not in said
    assert "leaves" in said or "departs" in said
    expect(ours).to_contain_text("constraints hold")
    expect(ours.locator(".origin")).to_be_visible()
    marks = ours.locator("mark").all_inner_texts()
    assert {"$317", "5:05 am", "non-stop"} <= set(marks)
    expect(page.locator("#greedy .bad").first).to_contain_text("does not say “non-stop”")
    assert page.locator(".graph path.cd-chosen").count() > 5
    expect(page.get_by_role("heading", name="Where the milliseconds went")).to_be_visible()
    stages = page.locator("#more section").last.locator("tbody td:first-child").all_inner_texts()
    assert {"forward", "search"} <= set(stages)


def test_the_graph_zooms_and_tells_probabilities(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    page.click("#go")
    graph = page.locator(".graph svg")
    before = graph.get_attribute("viewBox")
    page.get_by_label("zoom in").click()
    assert graph.get_attribute("viewBox") != before
    page.get_by_label("show all of the graph").click()
    box = page.locator(".graph rect.cd-box-chosen").first
    box.hover()
    expect(page.locator(".about")).to_contain_text("%")


def test_a_contradiction_is_told_in_words_and_its_chips_are_marked(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    add(page, "must", "non-stop flight")
    add(page, "must_not", "flight")
    page.click("#go")
    problem = page.locator("#problem")
    expect(problem).to_contain_text("exclude each other")
    expect(problem).to_contain_text("not say “flight”")
    expect(page.locator("#chips li.conflict")).to_have_count(2)
    expect(page.locator("#greedy")).to_contain_text("Alaska Airlines")
    expect(page.locator("#greedy .faults").last).to_contain_text("does not say “non-stop flight”")
    expect(page.locator("#ours")).to_have_count(0)
    page.get_by_label("remove must not: flight").click()
    page.click("#go")
    expect(page.locator("#ours")).to_contain_text("non-stop flight")
    expect(problem).to_be_empty()


def test_a_text_is_good_only_where_length_and_meaning_are_right_too(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    page.select_option("#length-kind", "exactly")
    page.fill("#length", "24")
    page.fill("#input", "OFFER(price=$317)\nOFERF(airlines=Alaska Airlines)")
    page.click("#go")
    expect(page.locator("#greedy .faults").last).to_contain_text("does not have exactly 24 tokens")
    expect(page.locator("#greedy .origin")).to_contain_text("verified")
    expect(page.locator("#ours")).to_contain_text("The act OFERF is unknown")
    expect(page.locator("#ours")).to_contain_text("Did you mean OFFER")


def test_a_mistake_in_an_act_is_shown_where_it_is(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    page.fill("#input", "OFFER(price=$317")
    page.click("#go")
    expect(page.locator("#problem")).to_contain_text("▸")


def test_a_slow_service_shows_that_it_works_and_can_be_given_up(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")

    def late(route: Route) -> None:
        time.sleep(1.5)
        route.continue_()

    page.route("**/v1/inspect", late)
    page.click("#go")
    expect(page.locator("#status")).to_have_text("working …")
    expect(page.locator("#cancel")).to_be_visible()
    expect(page.locator("#ours")).to_contain_text("$317")
    expect(page.locator("#status")).to_have_text("done")
    expect(page.locator("#cancel")).to_be_hidden()
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


def test_the_keyboard_is_enough(opened: Opened) -> None:
    page = opened()
    page.locator("#example option").first.wait_for(state="attached")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    assert [name for name in reached if name][:6] == ["model", "example", "service", "input", "kind", "phrase"]
    page.focus("#phrase")
    page.keyboard.type("restaurant")
    page.keyboard.press("Enter")
    page.keyboard.type("nice")
    page.keyboard.press("Enter")
    expect(page.locator("#chips li")).to_have_count(2)
    page.get_by_label("remove must: restaurant").focus()
    page.keyboard.press("Delete")
    expect(page.locator("#chips li")).to_have_count(1)
    expect(page.get_by_label("remove must: nice")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ours .said")).to_contain_text("nice")
    page.get_by_label("show all of the graph").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".about")).to_contain_text("vertex")


def test_what_people_write_is_never_markup(opened: Opened) -> None:
    page = opened()
    choose(page, "dinner")
    evil = "<img src=x onerror=alert(1)>"
    page.fill("#input", f"OFFER(restaurant_name={evil})")
    add(page, "must", "</script><b id=evil>")
    page.click("#go")
    expect(page.locator("#ours .said, #problem p").first).to_be_visible()
    expect(page.locator("#texts, #problem").first).to_be_attached()
    assert page.locator("#evil, main img").count() == 0


def test_a_phone_needs_no_sideways_scrolling_and_shows_the_results(opened: Opened) -> None:
    page = opened(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    choose(page, "flight")
    page.click("#go")
    expect(page.locator("#ours .said")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_more_texts_follow_the_best_one(opened: Opened) -> None:
    page = opened()
    choose(page, "weather")
    page.click("#go")
    expect(page.locator("#best tbody tr")).to_have_count(3)
    expect(page.locator("#status")).to_have_text("done")


def test_a_list_begins_with_the_text_shown(opened: Opened) -> None:
    page = opened()
    choose(page, "table")
    page.fill("#n-best", "5")
    page.click("#go")
    expect(page.locator("#best tbody tr")).to_have_count(5)
    expect(page.locator("#best tbody tr").first).to_contain_text(page.locator("#ours .said").inner_text())


def states_for_one_text() -> int:
    """A limit that the search for the text of `table` just stays below."""
    nlg = ControlDag.from_pretrained("sgd-mini")
    table = request_of(next(each for each in examples("acts") if each["id"] == "table"), Request(()))
    item = nlg.prepare(table)
    dag = nlg.predict([item])[0]
    for states in range(100, 100_000, 25):
        if isinstance(caught(partial(nlg.decode, item, dag, Limits(max_states=states))), Result):
            return states
    raise AssertionError("no limit is wide enough")


def test_where_several_texts_are_too_many_the_best_one_is_shown(opened: Opened) -> None:
    states = str(states_for_one_text())
    with served_process("--model", "sgd-mini", "--deadline-ms", "60000", "--max-states", states) as narrow:
        page = opened(narrow.url)
        choose(page, "table")
        page.fill("#n-best", "10")
        page.click("#go")
        expect(page.locator("#ours .said")).to_contain_text("Zum Blauen Bock")


def test_the_dark_is_dark(opened: Opened) -> None:
    page = opened(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 22, 29)"


def test_a_service_with_a_token_asks_for_it(opened: Opened) -> None:
    with served_process("--model", "sgd-mini", "--token", "se-cret", "--deadline-ms", "60000") as guarded:
        page = opened(guarded.url)
        expect(page.locator("#problem")).to_contain_text("token is needed")
        page.fill("#token", "se-cret")
        page.press("#token", "Tab")
        choose(page, "flight")
        page.click("#go")
        expect(page.locator("#ours")).to_contain_text("$317")


def test_nothing_is_fetched_from_elsewhere(opened: Opened, service: ServedProcess) -> None:
    page = opened("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(service.url)
    choose(page, "flight")
    page.click("#go")
    expect(page.locator("#ours")).to_contain_text("$317")
    assert asked
    assert all(url.startswith((service.url, "data:")) for url in asked), asked


def test_the_api_is_shown_at_docs(opened: Opened, service: ServedProcess) -> None:
    page = opened(f"{service.url.rstrip('/')}/docs")
    expect(page.locator(".opblock-summary-path", has_text="/v1/rasa/")).to_be_visible()
    page.locator("#operations-default-generate_v1_generate_post .opblock-summary-control").click()
    expect(page.locator(".opblock-body").first).to_contain_text("items")
