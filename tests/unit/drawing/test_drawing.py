"""Pictures of graphs: well-formed, bounded, the same every time, and with every vertex at a place of its own."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import controldag as cd
from controldag.drawing.choose import Caps, choose, passing_probabilities
from controldag.drawing.graph import Graph, Route, Sketch, Step, Strip
from controldag.drawing.grid import BOX_HEIGHT, Grid
from controldag.drawing.layout import lay_out
from controldag.drawing.sketch import shown, sketch_of_arrays
from controldag.drawing.svg import picture
from controldag.errors import InvalidInput

SVG = "{http://www.w3.org/2000/svg}"


def ladder(size: int, skips: tuple[tuple[int, float], ...] = ((1, 0.6), (2, 0.3), (5, 0.1))) -> Sketch:
    """A graph whose vertices go one, two or five further."""
    emissions = [[(f"w{v}", 0.7), ("<b>", 0.2), ("x", 0.1)] for v in range(size)]
    successors = [[(v + step, p) for step, p in skips if v + step < size] for v in range(size)]
    return Sketch(emissions, successors)


def route(kind: str, vertices: list[int], end: int) -> Route:
    return Route(kind, tuple(Step(v, f"w{v}", 0.7, 0.5) for v in vertices), end, 0.5)  # type: ignore[arg-type]


def with_routes(size: int = 40, caps: Caps = Caps()) -> Graph:  # noqa: B008
    chosen, greedy = [1, 2, 4, 5, 10, 20, 30], [1, 3, 4, 9, 10, 31, 32]
    strip = Strip("contains('<w>')", 0, ("open", "saying", "saying", "met", "met", "met", "met"))
    routes = (route("chosen", chosen, size - 1), route("greedy", greedy, size - 1))
    return choose(ladder(size), caps, routes, (strip,))


def test_a_walk_passes_vertices_as_enumeration_says() -> None:
    sketch = ladder(9)
    expected = [0.0] * len(sketch)
    stack = [(0, 1.0)]
    while stack:
        vertex, probability = stack.pop()
        expected[vertex] += probability
        stack += [(to, probability * p) for to, p in sketch.successors[vertex]]
    np.testing.assert_allclose(passing_probabilities(sketch), expected)


def test_routes_are_drawn_first_and_what_is_left_out_is_told() -> None:
    graph = with_routes(caps=Caps(vertices=14, neighbours=3))
    drawn = {vertex.index for vertex in graph.vertices}
    assert {0, 39, 1, 2, 4, 5, 10, 20, 30} <= drawn and len(drawn) == 14
    assert "14 of 40 vertices" in graph.note and "transitions are left out" in graph.note
    few = with_routes(caps=Caps(edges=3, strips=0))
    assert len(few.edges) == 3 and "1 constraints have no strip" in few.note
    whole = choose(ladder(5), Caps())
    assert (len(whole.vertices), whole.note) == (5, "")


def test_what_a_route_says_is_shown_even_where_others_are_likelier() -> None:
    steps = (Step(1, "rare", 0.001, 0.5),)
    graph = choose(ladder(4), Caps(), [Route("chosen", steps, 3, 0.5)])
    rows = graph.vertices[1].rows
    assert [row.text for row in rows] == ["w1", "<b>", "rare"]
    assert [row.chosen for row in rows] == [False, False, True]


@pytest.mark.parametrize("caps", [Caps(), Caps(vertices=200, neighbours=200), Caps(vertices=2), Caps(vertices=9)])
def test_boxes_stand_in_order_and_apart(caps: Caps) -> None:
    graph = with_routes(80, caps)
    layout = lay_out(graph, 9)
    columns = [layout.cells[vertex.index].column for vertex in graph.vertices]
    assert columns == sorted(columns)
    assert layout.band_columns <= 9
    for edge in graph.edges:
        assert layout.cells[edge.source].column < layout.cells[edge.target].column
    grid = Grid(layout, (0, 79), 1)
    assert len({(grid.left(v.index), grid.middle(v.index)) for v in graph.vertices}) == len(graph.vertices)
    for vertex in graph.vertices:
        assert grid.left(vertex.index) >= 0 and grid.right(vertex.index) <= grid.width
        assert grid.middle(vertex.index) + BOX_HEIGHT / 2 <= grid.height


def test_the_chosen_route_keeps_to_one_row_and_the_greedy_one_leaves_it_upwards() -> None:
    layout = lay_out(with_routes(), 9)
    assert {layout.cells[v].row for v in (0, 1, 2, 4, 5, 10, 20, 30, 39)} == {0}
    assert {layout.cells[v].row for v in (3, 9, 31, 32)} == {-1}


def test_the_picture_is_well_formed_and_the_same_every_time() -> None:
    graph = with_routes()
    drawn = picture(graph, "a <title>")
    assert drawn == picture(with_routes(), "a <title>")
    tree = ElementTree.fromstring(drawn)
    assert tree.find(f"{SVG}title").text == "a <title>"  # type: ignore[union-attr]
    titles = [title.text or "" for title in tree.iter(f"{SVG}title")]
    for vertex in graph.vertices:
        assert any(re.match(rf"vertex {vertex.index}\b", title) for title in titles)
    assert any("4 → 5: 50%" in title for title in titles)
    assert any("contains('<w>'): being said" in title for title in titles)
    texts = [text.text for text in tree.iter(f"{SVG}text")]
    assert "<b>" in texts and "contains('<w>')" in texts and "chosen path" in texts
    assert not re.search(r"(href|url\(|@import|NaN|inf\b)", drawn)


@pytest.mark.parametrize("size", [2, 3, 7, 500])
def test_any_size_can_be_drawn(size: int) -> None:
    drawn = picture(choose(ladder(size), Caps()), "t")
    ElementTree.fromstring(drawn)
    assert len(drawn) < 150_000


def test_caps_make_sense() -> None:
    with pytest.raises(InvalidInput, match="vertices"):
        Caps(vertices=1)


@pytest.mark.parametrize(
    ("piece", "text"),
    [(b" word", "word"), (b"ing", "\N{MIDDLE DOT}ing"), (b".", "."), (b" ", "␣"), (None, "∅"), (b"\xff", "�")],
)
def test_tokens_as_people_read_them(piece: bytes | None, text: str) -> None:
    assert shown(piece) == text


def hand_made() -> cd.Dag:
    surfaces = cd.Surfaces([b" <script>", b" b", b"c"])
    emissions = np.log(np.tile(np.array([0.5, 0.3, 0.2]), (5, 1))).astype(np.float32)
    with np.errstate(divide="ignore"):
        rows = np.triu(np.ones((5, 5)), 1)
        transitions = np.log(rows / np.maximum(rows.sum(1, keepdims=True), 1)).astype(np.float32)
    return cd.Dag(emissions, transitions, surfaces)


def test_dags_and_lattices_show_themselves_in_notebooks() -> None:
    dag = hand_made()
    dag.check()
    for shown_object, name in ((dag, "Dag"), (cd.prune(dag, 2, 2), "Lattice")):
        made = shown_object._repr_html_()
        tree = ElementTree.fromstring(made)
        assert f"{name}: 5 vertices" in "".join(tree.itertext())
        assert "<script" not in made and "&lt;script&gt;" in made


def test_a_sketch_keeps_the_likeliest() -> None:
    dag = hand_made()
    sketch = sketch_of_arrays(dag.emissions, None, dag.transitions, dag.surfaces.pieces, few=2)
    assert [text for text, _ in sketch.emissions[1]] == ["<script>", "b"]
    assert [to for to, _ in sketch.successors[0]] == [1, 2]
    assert sketch.successors[4] == []
