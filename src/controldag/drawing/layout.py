"""Where vertices stand: left to right in their order, the chosen route in one row, the greedy one above it.

Where none was chosen, the greedy one stands there.
"""

from __future__ import annotations

from dataclasses import dataclass

from controldag.drawing.graph import Graph

# Vertices of neither route stand in these rows: below the chosen one, which is row 0.
_ROWS_BELOW = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Cell:
    """A place: column from the left (bands of columns follow like lines of text), row from the chosen route."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The cell of every drawn vertex, and how many columns a band has."""

    cells: dict[int, Cell]
    band_columns: int

    @property
    def columns(self) -> int:
        return 1 + max(cell.column for cell in self.cells.values())

    @property
    def bands(self) -> int:
        return -(-self.columns // self.band_columns)

    def band(self, vertex: int) -> int:
        """The band that a vertex stands in."""
        return self.cells[vertex].column // self.band_columns

    def rows(self, band: int) -> range:
        """The rows in use in a band, row 0 always among them."""
        used = [cell.row for cell in self.cells.values() if cell.column // self.band_columns == band]
        return range(min(0, *used), max(0, *used) + 1)

    def free(self, begin: int, end: int, row: int) -> bool:
        """Whether no vertex stands in that row in the columns between `begin` and `end`, both left out."""
        return not any(cell.row == row and begin < cell.column < end for cell in self.cells.values())


def lay_out(graph: Graph, band_columns: int) -> Layout:
    """Columns follow the order of vertices; neighbours share one where no transition joins them and rows allow it.

    A band has `band_columns` at most; all have about the same number.
    """
    linked = {(edge.source, edge.target) for edge in graph.edges}
    linked |= {(edge.source, edge.target) for route in graph.routes for edge in route.edges}
    fixed = _rows_of_routes(graph)
    cells: dict[int, Cell] = {}
    column, members = -1, list[int]()
    for vertex in (each.index for each in graph.vertices):
        row = _row(fixed.get(vertex), {cells[member].row for member in members})
        if row is None or not members or any((member, vertex) in linked for member in members):
            column, members = column + 1, []
            row = fixed.get(vertex, _ROWS_BELOW[0])
        members.append(vertex)
        cells[vertex] = Cell(column, row)
    bands = -(-(column + 1) // band_columns)
    return Layout(cells, -(-(column + 1) // bands))


def _rows_of_routes(graph: Graph) -> dict[int, int]:
    """The rows of vertices that have to stand in a certain one: the ends, and those of the two routes."""
    rows = {graph.vertices[0].index: 0, graph.vertices[-1].index: 0}
    chosen = any(route.kind == "chosen" for route in graph.routes)
    for kind, row in (("chosen", 0), ("greedy", -1 if chosen else 0)):
        for route in graph.routes:
            if route.kind == kind:
                for vertex in route.vertices:
                    rows.setdefault(vertex, row)
    return rows


def _row(fixed: int | None, taken: set[int]) -> int | None:
    """The row for a vertex in a column whose rows `taken` are; None where the column has no room for it."""
    wanted = _ROWS_BELOW if fixed is None else (fixed,)
    return next((row for row in wanted if row not in taken), None)
