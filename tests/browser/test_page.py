"""The page in a browser: the first text, the whole flow, the slot picker, the keyboard, links, copies."""

from __future__ import annotations

import json
import shlex
import subprocess
from functools import partial
from urllib.parse import quote

from playwright.sync_api import expect

from benchmarks.serving.served_process import ServedProcess, served_process
from controldag.generation.backend import caught
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.pipeline import ControlDag
from controldag.search.exact import Limits
from controldag.serving.samples import examples
from tests.browser.steps import FLIGHT, Opened, add, choose, write


def test_the_first_thing_seen_is_a_verified_text_with_its_evidence(opened: Opened) -> None:
    page = opened()
    ours = page.locator("#ours")
    expect(ours.locator(".said")).to_have_text(
        "There is a nice restaurant called Quillon & Daughters in Half Moon Bay."
    )
    expect(ours.locator(".said")).to_be_in_viewport()
    expect(ours).to_contain_text("✓ verified")
    expect(ours.locator(".origin")).to_have_text("from the model’s graph")
    lines = ours.locator(".evidence li").all_inner_texts()
    assert "offer city Half Moon Bay" in lines[1] and "said “Half Moon Bay”" in lines[1]
    assert ours.locator("mark").all_inner_texts() == ["Quillon & Daughters", "Half Moon Bay"]
    sizes = [
        page.locator(f"{name} .said").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        for name in ("#ours", "#others")
    ]
    assert sizes[0] > 1.3 * sizes[1]


def test_the_whole_flow(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)
    add(page, "must", "non-stop")
    add(page, "must_any", "leaves | departs")
    add(page, "must_not", "returns")
    add(page, "prefer", "zeppelin")
    page.select_option("#length-kind", "most")
    page.fill("#length", "20")
    expect(page.locator("#chips li")).to_have_count(4)
    expect(page.locator("main.stale")).to_be_visible()
    page.click("#go")
    ours = page.locator("#ours")
    expect(ours.locator(".said")).to_contain_text("non-stop")
    expect(page.locator("main.stale")).to_have_count(0)
    said = ours.locator(".said").inner_text()
    assert "$317" in said and "returns" not in said and "leaves" in said and len(said.split()) <= 20
    for words in (
        "must say “non-stop”",
        "must say “leaves” or “departs”",
        "must not say “returns”",
        "should say “zeppelin”, if it can be",
        "must have at most 20 words",
    ):
        expect(ours.locator(".evidence")).to_contain_text(words)
    expect(ours.locator(".evidence li", has_text="zeppelin")).to_contain_text("left out")
    assert "contains(" not in page.inner_text("body") and "OFFER(" not in page.inner_text("body")
    expect(page.locator("#greedy .bad").first).to_contain_text("must say “non-stop”")
    assert {"$317", "5:05 am", "non-stop"} <= set(ours.locator("mark").all_inner_texts())
    stages = page.locator("#more section").last.locator("tbody td:first-child").all_inner_texts()
    assert {"forward", "search"} <= set(stages)


def test_order_and_patterns(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)
    add(page, "in_order", "$317 | 5:05")
    add(page, "pattern", "5:05 (am|pm)")
    add(page, "must", "Airlines")  # which the value holds, but it was asked for all the same
    page.click("#go")
    evidence = page.locator("#ours .evidence")
    expect(evidence).to_contain_text("must say “$317”, then “5:05”")
    expect(evidence).to_contain_text("must hold a match of 5:05 (am|pm)")
    expect(evidence).to_contain_text("must say “Airlines”")
    said = page.locator("#ours .said").inner_text()
    assert said.index("$317") < said.index("5:05 am")


def test_what_the_verifier_refuses_has_no_tick(opened: Opened) -> None:
    page = opened()
    choose(page, "film", "Under Gallus")
    expect(page.locator("#ours .origin")).to_have_text("said plainly")
    refused = page.locator("#others article").first
    expect(refused).to_contain_text("Control-DAG before the verifier")
    expect(refused.locator(".bad")).to_contain_text("said wrongly")
    expect(refused.locator("mark.wrong")).to_have_text("Vex")
    assert "✓" not in page.locator("#others").inner_text()
    assert page.locator("#graph path.cd-chosen").count() == 0
    # A demand that no plain sentence keeps: the graph's text stays, though the verifier refuses it.
    choose(page, "flight", FLIGHT)
    add(page, "must", "purple")
    page.click("#go")
    expect(page.locator("#ours")).to_contain_text("✗ not verified")
    assert "✓" not in page.locator("#ours").inner_text()


def test_slots_are_picked_by_what_they_mean(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)
    slot = page.locator("#rows li").first.locator(".slot")
    assert "price: Price of the booking per passenger" in slot.locator("option").all_inner_texts()
    page.click("#slots summary")
    expect(page.locator("#slots summary")).to_contain_text("Flights_1")
    expect(page.locator("#slot-list")).to_contain_text("tell, tell how many")
    page.locator("#slot-list button", has_text="Seating class for the booking").click()
    last = page.locator("#rows li").last
    expect(last.locator("input")).to_be_focused()
    options = last.locator("datalist option").evaluate_all("all => all.map(each => each.value)")
    assert options == ["Economy", "Premium Economy", "Business", "First Class"]
    page.keyboard.type("Business")
    page.get_by_label("remove row 1").click()
    page.click("#go")
    expect(page.locator("#ours .evidence")).to_contain_text("offer seating class Business")
    expect(page.locator("#ours .evidence")).not_to_contain_text("Alaska")


def test_another_service_brings_its_slots_and_an_example(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)
    page.select_option("#service", "Weather_1")
    expect(page.locator("#ours .evidence")).not_to_contain_text("Alaska")
    expect(page.locator("#slots summary")).to_contain_text("Weather_1")
    expect(page.locator("#ours")).to_contain_text("verified")
    assert page.locator("#example optgroup").last.get_attribute("label") == "Weather_1"
    page.locator("#rows .act").first.locator("select.act").select_option("REQUEST")
    expect(page.locator("#rows li").first.locator("input")).to_have_count(0)
    page.locator("#rows .act").first.locator("select.act").select_option("REQ_MORE")
    expect(page.locator("#rows li").first.locator(".slot")).to_have_count(0)


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
    expect(page.locator("#greedy .faults").last).to_contain_text("must say “non-stop flight”")
    expect(page.locator("#ours")).to_have_count(0)
    page.get_by_label("remove must not say: flight").click()
    page.click("#go")
    expect(page.locator("#ours")).to_contain_text("non-stop flight")
    expect(problem).to_be_empty()


def test_a_text_is_good_only_where_length_and_meaning_are_right_too(opened: Opened) -> None:
    page = opened()
    choose(page, "flight")
    page.select_option("#length-kind", "exactly")
    page.fill("#length", "24")
    page.select_option("#length-unit", "tokens")
    write(page, "OFFER(price=$317)\nOFERF(airlines=Alaska Airlines)")
    page.click("#go")
    expect(page.locator("#greedy .faults").last).to_contain_text("must have exactly 24 tokens")
    expect(page.locator("#ours")).to_contain_text("The act OFERF is unknown")
    expect(page.locator("#ours")).to_contain_text("Did you mean OFFER")


def test_text_and_fields_are_the_same_and_a_mistake_is_shown_where_it_is(opened: Opened) -> None:
    page = opened()
    choose(page, "flight", FLIGHT)
    page.click("#as-text")
    expect(page.locator("#input")).to_have_value(
        "OFFER(airlines=Alaska Airlines)\nOFFER(outbound_departure_time=5:05 am)\nOFFER(price=$317)"
    )
    page.fill("#input", "OFFER(price=$20 (net))")
    page.click("#as-text")
    expect(page.locator("#rows input")).to_have_value("$20 (net)")
    write(page, "OFFER(price=$317")
    page.click("#go")
    expect(page.locator("#problem")).to_contain_text("▸")
    page.click("#as-text")  # what cannot be read stays text
    expect(page.locator("#input")).to_be_visible()


def test_the_keyboard_is_enough(opened: Opened) -> None:
    page = opened()
    page.locator("#graph svg").wait_for()
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    reached = []
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
    order = ["example", "model", "service", "as-text", "act", "slot", "value", "add-row", "kind", "phrase", "go"]
    assert [reached.index(name) for name in order] == sorted(reached.index(name) for name in order)
    page.focus("#phrase")
    page.keyboard.type("restaurant")
    page.keyboard.press("Enter")
    page.keyboard.type("nice")
    page.keyboard.press("Enter")
    expect(page.locator("#chips li")).to_have_count(2)
    page.get_by_label("remove must say: restaurant").focus()
    page.keyboard.press("Delete")
    expect(page.locator("#chips li")).to_have_count(1)
    expect(page.get_by_label("remove must say: nice")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#ours .said")).to_contain_text("nice")
    expect(page.locator("#status")).to_have_text("done")
    page.get_by_label("show all of the graph").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator(".tip")).to_contain_text("vertex")


def test_a_link_asks_the_same_again(opened: Opened, service: ServedProcess) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    choose(page, "flight", FLIGHT)
    add(page, "must_any", "leaves | departs")
    page.select_option("#length-kind", "least")
    page.fill("#length", "8")
    page.fill("#n-best", "1")
    page.click("#go")
    expect(page.locator("#status")).to_have_text("done")
    page.get_by_role("button", name="copy link").click()
    expect(page.locator("#status")).to_have_text("link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and link.startswith(service.url)
    page.get_by_role("button", name="copy text").click()
    expect(page.locator("#status")).to_have_text("text copied")
    said = page.evaluate("navigator.clipboard.readText()")
    again = opened(link)
    expect(again.locator("#ours .said")).to_have_text(said)
    expect(again.locator("#chips li")).to_contain_text("leaves | departs")
    expect(again.locator("#length-kind")).to_have_value("least")
    expect(again.locator("#example")).to_have_value("")
    for nonsense in ("nonsense", '{"item":{"must":5}}'):
        expect(opened(f"{service.url}#{quote(nonsense)}").locator("#ours .said")).to_contain_text("Half Moon Bay")


def test_the_curl_command_says_the_same(opened: Opened) -> None:
    page = opened()
    choose(page, "film", "Keeper's")  # a quote within quotes
    page.get_by_role("button", name="curl").click()
    command = page.locator("#curl").inner_text().replace("\\\n", " ")
    done = subprocess.run(shlex.split(command), capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout)["results"][0]["text"] == page.locator("#ours .said").inner_text()


def test_what_people_write_is_never_markup(opened: Opened) -> None:
    page = opened()
    choose(page, "dinner")
    evil = "<img src=x onerror=alert(1)>"
    write(page, f"OFFER(restaurant_name={evil})")
    add(page, "must", "</script><b id=evil>")
    page.click("#go")
    expect(page.locator("#ours .said, #problem p").first).to_be_visible()
    expect(page.locator("#cancel")).to_be_hidden()
    assert page.locator("#evil, main img").count() == 0


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
    for states in range(100, 100_000, 100):
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
