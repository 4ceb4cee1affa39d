"""Inspection pages of the tiny model: whole, escaped, the same every time, and right about the path."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import controldag as cd
from controldag.cli.main import app
from controldag.constraints.in_words import in_words
from controldag.drawing.choose import Caps
from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.inspection import Inspection, ResultTable
from controldag.inspection.inspection import inspect_dag
from controldag.inspection.routes import places_of
from controldag.pipeline import ControlDag
from controldag.search.result import Hypothesis
from controldag.verifier.verdict import ClaimVerdict

OFFER = (cd.Act("OFFER", "name", ("Alder Inn",)), cd.Act("OFFER", "city", ("Avon",)))
SERVICE = "Places_1"
VOID = {"meta", "br"}


class Reader(HTMLParser):
    """Keeps tags, attributes and text, and checks that every element is closed where it should be."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def inspection(tiny: ControlDag) -> Inspection:
    want = cd.any_of("Brent", "Colne") & ~cd.contains("serves")
    return tiny.inspect(Request(OFFER, SERVICE, want, n_best=3))


def test_the_page_tells_all(inspection: Inspection) -> None:
    page = Reader(inspection.html)
    result = inspection.result
    assert page.tags.count("html") == page.tags.count("svg") == page.tags.count("script") == 1
    for found in result.n_best:
        assert found.text in page.text
    for each in result.constraints:
        assert each.words in page.text and each.label not in page.text
    for stage in result.ms:
        assert stage in page.text
    assert "Alder Inn" in page.text and "greedy says" in page.text


def test_the_greedy_text_is_judged_by_the_users_demands_and_by_its_meaning(tiny: ControlDag) -> None:
    free = tiny.inspect(Request(OFFER, SERVICE)).greedy
    assert free is not None
    unsaid = ~cd.contains(free.text.split()[0])
    asked = Request(OFFER, SERVICE, unsaid, length="=24", trust="verified")
    made = tiny.inspect(asked)
    assert made.judgement.verification is not None and not made.judgement.verification.accepted
    assert made.greedy is not None
    faults = made.judgement.faults
    assert f"should {in_words(unsaid)}" in faults and "should have exactly 24 tokens" in faults
    assert any(fault.endswith("OFFER(name=Alder Inn)") for fault in faults)
    page = Reader(made.html).text
    assert all(fault in page for fault in faults)
    # Both columns of the table of constraints speak of the same ones.
    labels = [each.label for each in made.result.constraints]
    assert labels == [each.label for each in made.judgement.verdicts][: len(labels)]


def test_the_page_tells_the_origin_and_what_the_verifier_says(tiny: ControlDag) -> None:
    assert "verifier" not in Reader(tiny.inspect(Request(OFFER, SERVICE)).html).text
    plain = replace(
        tiny.generate(OFFER, service=SERVICE),
        text="The name is Alder Inn.",
        n_best=(Hypothesis("The name is Alder Inn.", (), (), 0.0, 0.0),),  # as the cascade writes it: without a path
        origin="plain",
        verified=False,
        acts=(
            ClaimVerdict("OFFER(name=Alder Inn)", "said", 0.97, ((12, 21),)),
            ClaimVerdict("OFFER(city)", "missing", 0.04),
        ),
        nothing_else=0.9,
        whole=0.8,
    )
    item = tiny.prepare(Request(OFFER, SERVICE))
    (dag,) = tiny.predict([item])
    made = inspect_dag(dag, plain, item.demands.constraint, about=("tiny", "input"))
    assert [route.kind for route in made.graph.routes].count("chosen") == 0 and made.graph.strips == ()
    page = Reader(made.html).text
    assert "said plainly, not verified" in page
    assert "OFFER(name=Alder Inn)said97 %“Alder Inn”" in page and "OFFER(city)not said4 %" in page
    assert "nothing else is said: 90 %, whole English: 80 %" in page
    assert "said plainly, not verified" in Reader(ResultTable([plain])._repr_html_()).text


def test_the_page_fetches_nothing(inspection: Inspection) -> None:
    page = Reader(inspection.html)
    names = {name for name, _ in page.attributes}
    assert not names & {"src", "href", "action", "onload", "onclick", "srcset"}
    policy = next(value for name, value in page.attributes if value and "default-src 'none'" in value)
    assert "script-src 'sha256-" in policy
    assert "http" not in inspection.html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_phrases_are_met_where_the_path_says_them(tiny: ControlDag, inspection: Inspection) -> None:
    chosen = next(route for route in inspection.graph.routes if route.kind == "chosen")
    assert chosen.vertices[1:-1] == inspection.result.n_best[0].vertices
    for strip, verdict in zip(inspection.graph.strips, inspection.result.constraints, strict=True):
        assert len(strip.states) == len(chosen.steps)
        assert strip.states[-1] in ("met", "saying")
        assert (strip.colour is not None) == ("saying" in strip.states) == bool(verdict.spans)
    never = next(strip for strip in inspection.graph.strips if strip.label == "not say “serves”")
    assert set(never.states) == {"met"}
    alder = next(strip for strip in inspection.graph.strips if "Alder" in strip.label)
    said = "".join(step.text for step, state in zip(chosen.steps, alder.states, strict=True) if state == "saying")
    assert said.replace("\N{MIDDLE DOT}", "").replace("␣", "") == "AlderInn"


def test_a_mark_shows_the_value_it_stands_for(pointing: ControlDag) -> None:
    made = pointing.inspect(Request(OFFER, SERVICE))
    assert "<v0>" in made.input
    said = {step.text for route in made.graph.routes if route.kind == "chosen" for step in route.steps}
    assert {"Alder Inn", "Avon"} <= said
    alder = next(strip for strip in made.graph.strips if "Alder" in strip.label)
    assert alder.states.count("saying") == 1


def test_probabilities_of_the_path_make_up_its_cost(inspection: Inspection) -> None:
    chosen = inspection.graph.routes[0]
    cost = -sum(math.log(step.probability) + math.log(step.arrival) for step in chosen.steps)
    assert cost - math.log(chosen.departure) == pytest.approx(inspection.result.cost, rel=1e-4)


def test_the_same_request_gives_the_same_picture(tiny: ControlDag) -> None:
    first, second = (tiny.inspect(Request(OFFER, SERVICE)) for _ in range(2))
    assert first.svg == second.svg
    still = replace(second, result=replace(second.result, ms=first.result.ms))
    assert first.html == still.html


def test_hostile_values_stay_text(tiny: ControlDag) -> None:
    value = "<script>alert(1)</script>&\"'\n☃"
    result = tiny.inspect(Request([cd.Act("OFFER", "name", (value,))], SERVICE))
    for made in (result.html, result.svg, result._repr_html_(), result.result._repr_html_()):
        assert "<script>alert" not in made
    assert Reader(result.html).tags.count("script") == 1
    assert value.replace("\n", "␊") in Reader(result.html).text
    ElementTree.fromstring(result.svg)


def test_the_size_is_bounded(tiny: ControlDag) -> None:
    small = tiny.inspect(Request(OFFER, SERVICE), Caps(vertices=5, neighbours=2, edges=4, strips=1))
    assert len(small.graph.vertices) == 5
    assert "5 of " in small.svg and "have no strip" in small.svg
    Reader(small.html)


def test_decoders_without_constraints_show_what_they_break(tiny: ControlDag) -> None:
    made = tiny.inspect(Request(OFFER, SERVICE, decoder="joint-viterbi"))
    assert made.result.violated
    assert made.html.count('class="cd-broken">no<') >= len(made.result.violated)
    with pytest.raises(InvalidInput, match="graph"):
        tiny.inspect(Request(OFFER, SERVICE, decoder="templates"))


def test_places_of_tokens_that_end_inside_a_character() -> None:
    surfaces = cd.Surfaces([b" a", b"\xc3", b"\xa9", b" b"])
    dag = cd.Dag(np.zeros((2, 4), np.float32), np.zeros((2, 2), np.float32), surfaces)
    assert places_of(dag, [0, 1, 2, 3]) == [(0, 1), (1, 2), (1, 2), (2, 4)]


def test_batches_show_as_a_table_with_errors_in_their_places(tiny: ControlDag) -> None:
    outcomes = tiny.generate_batch([Request(OFFER, SERVICE, id="<one>"), Request([], SERVICE)])
    page = Reader(ResultTable(outcomes)._repr_html_())
    assert page.tags.count("tr") == 3
    assert "<one>" in page.text and "InvalidInput" in page.text and "at least one act" in page.text


def test_the_command_writes_page_and_picture(folder: Path, tmp_path: Path) -> None:
    page, svg = tmp_path / "page.html", tmp_path / "graph.svg"
    arguments = ["inspect", "OFFER(name=Alder Inn)", "--service", SERVICE, "--model", str(folder), "--must", "Goyt"]
    done = CliRunner().invoke(app, [*arguments, "--out", str(page), "--svg", str(svg), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["out"], told["svg"]) == (str(page), str(svg)) and told["drawn"] > 5
    assert told["text"] in Reader(page.read_text("utf-8")).text and "Goyt" in told["text"]
    ElementTree.parse(svg)
    shown = CliRunner().invoke(app, [*arguments, "--out", str(page), "--vertices", "6"])
    assert shown.stdout.strip() == told["text"] and "written" in shown.stderr
    assert isinstance(CliRunner().invoke(app, ["inspect"]).exception, InvalidInput)
