"""The lines between vertices: clear ones for routes, which go round boxes, and plain curves for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from controldag.drawing.graph import Edge
from controldag.drawing.grid import BOX_HEIGHT, GAP, MARGIN, Grid

_OVER = 0.5 * BOX_HEIGHT + 14.0
_STUB = 14.0


def curve(grid: Grid, edge: Edge) -> str:
    """A plain curve, bowed aside where a box of the same row stands between; across bands, only its two ends."""
    x0, y0 = grid.right(edge.source), grid.middle(edge.source)
    x1, y1 = grid.left(edge.target), grid.middle(edge.target)
    if grid.layout.band(edge.source) != grid.layout.band(edge.target):
        return f"M{x0:.1f} {y0:.1f}h{_STUB:g}M{x1 - _STUB:.1f} {y1:.1f}h{_STUB:g}"
    begin, end = grid.layout.cells[edge.source], grid.layout.cells[edge.target]
    blocked = y0 == y1 and not grid.layout.free(begin.column, end.column, begin.row)
    aside = (1 if begin.row > 0 else -1) * _OVER * 4 / 3 if blocked else 0.0
    reach = min(0.5 * (x1 - x0), 3 * GAP)
    return f"M{x0:.1f} {y0:.1f}C{x0 + reach:.1f} {y0 + aside:.1f} {x1 - reach:.1f} {y1 + aside:.1f} {x1:.1f} {y1:.1f}"


def way_round(grid: Grid, edge: Edge, shift: float, *, above: bool) -> str:
    """A line of a route, moved down by `shift`: it changes rows in gaps only and passes no box.

    It keeps to a row of its ends that is free, or else goes just above (or below) the boxes. Where the route goes on
    in another band, it leaves at the right margin and comes back at the left one, as lines of text do.
    """
    return "".join(_part(grid, edge, piece, shift, above=above) for piece in _pieces(grid, edge))


class _Piece(NamedTuple):
    """The part of a line in one band: its columns (both left out), and whether it touches source and target."""

    band: int
    begin: int
    end: int
    leaves: bool
    arrives: bool


def _pieces(grid: Grid, edge: Edge) -> Iterator[_Piece]:
    layout = grid.layout
    source, target = layout.cells[edge.source].column, layout.cells[edge.target].column
    first, last = layout.band(edge.source), layout.band(edge.target)
    for band in range(first, last + 1):
        begin = source if band == first else band * layout.band_columns - 1
        end = target if band == last else (band + 1) * layout.band_columns
        yield _Piece(band, begin, end, band == first, band == last)


def _part(grid: Grid, edge: Edge, piece: _Piece, shift: float, *, above: bool) -> str:
    level = _level(grid, edge, piece, above=above) + shift
    x0, y0 = (grid.right(edge.source), grid.middle(edge.source) + shift) if piece.leaves else (4.0, level)
    x1, y1 = (grid.left(edge.target), grid.middle(edge.target) + shift) if piece.arrives else (grid.width - 4.0, level)
    if x1 - x0 <= 2 * GAP:
        return f"M{x0:.1f} {y0:.1f}" + _bend(x0, y0, x1, y1)
    out, back = x0 + min(GAP, x1 - x0), x1 - min(GAP, MARGIN if not piece.leaves else GAP)
    return f"M{x0:.1f} {y0:.1f}{_bend(x0, y0, out, level)}H{back:.1f}{_bend(back, level, x1, y1)}"


def _level(grid: Grid, edge: Edge, piece: _Piece, *, above: bool) -> float:
    """The height at which the line can run through its columns without meeting a box."""
    ends = (edge.source, edge.target)
    rows = [grid.layout.cells[vertex].row for vertex in ends]
    used = grid.layout.rows(piece.band)
    for row in rows:
        if row in used and grid.layout.free(piece.begin, piece.end, row):
            return grid.row_middle(piece.band, row)
    edge_row = max(used.start, min(rows)) if above else min(used.stop - 1, max(rows))
    return grid.row_middle(piece.band, edge_row) + (-_OVER if above else _OVER)


def _bend(x0: float, y0: float, x1: float, y1: float) -> str:
    if y0 == y1:
        return f"H{x1:.1f}"
    half = 0.5 * (x0 + x1)
    return f"C{half:.1f} {y0:.1f} {half:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
