"""Where texts came from: shares of the graph, of clauses, of templates and of plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controldag.metrics.measure import Measure, percentage

ORIGINS = ("graph", "clauses", "templates", "plain")
ORIGIN_FIGURES = tuple(f"origin_{origin}" for origin in ORIGINS)


def origin_measures(origins: Sequence[str]) -> Iterator[Measure]:
    """`origin_graph` and so on: percentages of texts; none where no text has an origin that is known.

    A request that failed has no origin, and counts among the texts.
    """
    if not any(origins):
        return
    for origin, figure in zip(ORIGINS, ORIGIN_FIGURES, strict=True):
        taken = [each == origin for each in origins]
        # More from the graph is better; of everything else, less.
        yield percentage(figure, "as the system says", taken, lower_is_better=origin != "graph")
