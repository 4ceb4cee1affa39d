"""The page of an inspection: one file, nothing to fetch, readable without scripts, light and dark."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controldag.drawing.graph import Strip
from controldag.drawing.marked_text import marked
from controldag.drawing.markup import Markup, element, joined
from controldag.drawing.style import PICTURE, colour_class
from controldag.generation.result import Result
from controldag.inspection.evidence import Judgement, evidence, origin_line
from controldag.inspection.page_parts import SCRIPT, STYLE
from controldag.inspection.routes import path_of
from controldag.inspection.rows import table
from controldag.inspection.states import colours_of


@dataclass(frozen=True, slots=True)
class Content:
    """What the page shows. greedy: what the model says alone, and its judgement. drawing: the picture of the graph."""

    model: str
    input: str
    result: Result
    greedy: str
    judgement: Judgement
    strips: tuple[Strip, ...]
    drawing: Markup


def page(content: Content) -> Markup:
    """The page as a whole HTML document."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    # The browser itself then refuses whatever is not in this file.
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        element("title", f"{content.result.text} (controldag inspect)"),
    )
    script = element("script", Markup(SCRIPT))
    document = element("html", head, element("body", *body(content), script), lang="en")
    return Markup(f"<!doctype html>\n{document}\n")


def body(content: Content) -> Iterator[Markup]:
    """The parts of the page in their order."""
    yield element("style", Markup(STYLE + PICTURE))
    yield element("main", *_sections(content), class_="cd-report")


def _sections(content: Content) -> Iterator[Markup]:
    result = content.result
    yield element("p", f"{content.model} reads", class_="cd-over")
    yield element("p", content.input, class_="cd-input")
    yield element("p", f"{result.decoder} says", class_="cd-over")
    yield element("h1", marked(result.text, result.constraints, colours_of(result.constraints)))
    yield element("p", *origin_line(result), class_="cd-origin")
    yield element("p", "greedy says", class_="cd-over")
    yield element("p", *_greedy(content), class_="cd-said")
    yield _figures(result)
    if result.verified is not None:
        yield _section("What the verifier says", *evidence(result))
    yield _section("The graph", _graph(content.drawing))
    yield _section("Constraints", _constraints(content))
    if len(result.n_best) > 1:
        yield _section("The best texts", _best(result))
    yield _section("Time", _times(result))


def _graph(drawing: Markup) -> Markup:
    """In a box that scrolls where it is too wide, with the keyboard as well."""
    return element("div", drawing, class_="cd-graph", role="group", aria_label="the graph", tabindex="0")


def _section(title: str, *children: Markup) -> Markup:
    return element("section", element("h2", title), *children)


def _greedy(content: Content) -> Iterator[Markup]:
    if not content.greedy:
        yield element("em", "nothing: its walk ends without a text")
        return
    yield marked(content.greedy, content.judgement.verdicts, colours_of(content.result.constraints))
    for fault in content.judgement.faults:
        yield joined(" ", element("span", fault, class_="cd-broken"))


def _figures(result: Result) -> Markup:
    """Cost, objective, length, what the constraints cost, and time, side by side."""
    extra = "none asked" if result.extra_cost is None else f"{result.extra_cost:.3f}"
    figures = [
        ("cost", f"{result.cost:.3f}", "negative log-probability of the path"),
        ("objective", f"{result.objective:.3f}", "the cost weighed by length: what was minimised"),
        ("length", str(result.length), "tokens, the end counted"),
        ("constraints cost", extra, "objective above that of the best text without constraints"),
        ("time", f"{sum(result.ms.values()):.1f} ms", "all stages"),
    ]
    cells = [element("div", element("dt", name), element("dd", value), title=about) for name, value, about in figures]
    return element("dl", *cells, class_="cd-figures")


def _constraints(content: Content) -> Markup:
    """A row for each: its colour, what it asks, where it is met, and whether the greedy text satisfies it."""
    result = content.result
    if not result.constraints:
        return element("p", "None.")
    path = path_of(result)
    colours = colours_of(result.constraints)
    rows = []
    for place, verdict in enumerate(result.constraints):
        alone = content.judgement.verdicts[place].satisfied if content.judgement.verdicts else None
        where = ", ".join(f"“{result.text[b:e]}”" for b, e in verdict.spans)
        strip = content.strips[place] if place < len(content.strips) else None
        rows.append(
            element(
                "tr",
                element("td", element("span", "●", class_=colour_class(colours[place])), " ", verdict.words),
                element("td", _verdict(verdict.satisfied)),
                element("td", where),
                element(
                    "td",
                    _met_at(strip, path.vertices) if strip is not None and path is not None and verdict.spans else "",
                ),
                element("td", "" if alone is None else _verdict(alone)),
            )
        )
    return table(("constraint", "holds", "where", "met at vertex", "greedy"), rows)


def _met_at(strip: Strip, vertices: Sequence[int]) -> str:
    """The vertices where a saying of the phrase ends."""
    ends = [
        vertex
        for vertex, state, after in zip(vertices, strip.states, (*strip.states[1:], "met"), strict=True)
        if state == "saying" and after != "saying"
    ]
    return ", ".join(map(str, ends))


def _verdict(good: bool) -> Markup:
    return element("span", "yes" if good else "no", class_="cd-good" if good else "cd-broken")


def _best(result: Result) -> Markup:
    colours = colours_of(result.constraints)
    rows = [
        element(
            "tr",
            element("td", str(rank)),
            element("td", marked(found.text, result.constraints, colours) if found.text == result.text else found.text),
            element("td", f"{found.cost:.3f}", class_="cd-number"),
            element("td", f"{found.objective:.3f}", class_="cd-number"),
            element("td", str(found.length), class_="cd-number"),
        )
        for rank, found in enumerate(result.n_best, start=1)
    ]
    notes = [element("p", f"left out, for it took too long: {habit}") for habit in result.left_out]
    return joined(table(("", "text", "cost", "objective", "length"), rows), *notes)


def _times(result: Result) -> Markup:
    total = sum(result.ms.values()) or 1.0
    rows = [
        element(
            "tr",
            element("td", stage),
            element("td", f"{ms:.2f} ms", class_="cd-number"),
            element(
                "td", element("span", class_="cd-share", style=f"width: {100 * ms / total:.1f}%"), class_="cd-wide"
            ),
        )
        for stage, ms in result.ms.items()
    ]
    return table(("stage", "time", "share"), rows)
