"""One request laid open: the model's graph, the path taken through it and the greedy one, constraints, time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from controldag.constraints import Constraint
from controldag.constraints.check import checked
from controldag.dag import Dag
from controldag.drawing.choose import choose
from controldag.drawing.graph import Graph, Strip
from controldag.drawing.markup import Markup, joined
from controldag.drawing.svg import picture
from controldag.generation.result import Result
from controldag.inspection.evidence import Judgement
from controldag.inspection.page import Content, body, page
from controldag.inspection.routes import path_of, places_of, route_of
from controldag.inspection.states import strips_of
from controldag.inspection.view import Other, View
from controldag.lattice import prune
from controldag.search.greedy import greedy
from controldag.search.result import Hypothesis

DEFAULT_VIEW = View()
Judge = Callable[[Hypothesis], Judgement]


@dataclass(frozen=True)
class Inspection:
    """What happened to one request.

    model, input: what was asked, and whom. greedy: what the model would have said alone (None: nothing), and
    `judgement` what is to be said of that. graph: what is drawn, in so many `columns`. others: what other decoders say.
    """

    model: str
    input: str
    result: Result
    greedy: Hypothesis | None
    judgement: Judgement
    graph: Graph
    columns: int = 8
    others: tuple[Other, ...] = ()

    @cached_property
    def svg(self) -> Markup:
        """The picture of the graph alone."""
        return picture(self.graph, f"{self.model}: {self.result.text}", self.columns)

    @cached_property
    def html(self) -> Markup:
        """The whole page: no script is needed to read it, and nothing is fetched."""
        return page(self._content)

    def _repr_html_(self) -> str:
        """The page's content, for notebooks."""
        return joined(*body(self._content))

    @property
    def _content(self) -> Content:
        said = "" if self.greedy is None else self.greedy.text
        return Content(self.model, self.input, self.result, said, self.judgement, self.graph.strips, self.svg)


def inspect_dag(
    dag: Dag,
    result: Result,
    constraint: Constraint | None,
    *,
    about: tuple[str, str],
    judge: Judge | None = None,
    view: View = DEFAULT_VIEW,
) -> Inspection:
    """What happened between this Dag and this result of it. `about`: the model's name, and the input as text.

    `judge`: what is to be said of the greedy text; default: which constraints it satisfies.

    A text that is not the graph's own (said plainly, say) has no route and no strips.
    """
    chosen = path_of(result)
    alone = greedy(prune(dag, 1, 1, trusted=True))
    routes = [] if chosen is None else [route_of(dag, chosen, "chosen")]
    if alone is not None:
        routes.append(route_of(dag, alone, "greedy"))
    routes += [route_of(dag, other, "other") for other in result.n_best if other is not chosen and other.vertices]
    strips: tuple[Strip, ...] = ()
    if chosen is not None:
        met = checked(constraint, chosen.text, chosen.tokens)
        strips = strips_of(constraint, met, chosen, places_of(dag, chosen.tokens))
    graph = choose(dag.sketch(), view.caps, routes, strips)
    judgement = Judgement()
    if alone is not None:
        judgement = judge(alone) if judge else Judgement(checked(constraint, alone.text, alone.tokens))
    return Inspection(*about, result, alone, judgement, graph, view.columns)
