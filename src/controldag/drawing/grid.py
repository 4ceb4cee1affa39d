"""From cells to coordinates: bands below one another, each with its rows of boxes and room for strips below them."""

from __future__ import annotations

from dataclasses import dataclass

from controldag.drawing.layout import Layout

BOX_WIDTH, GAP = 124.0, 26.0
BOX_HEIGHT, ROW_GAP = 76.0, 34.0
END_WIDTH = 44.0
MARGIN = 22.0
# Above the uppermost row of a band, for lines that pass over boxes.
_HEADROOM = 26.0
_FIRST_STRIP, _STRIP, _BAND_GAP = 30.0, 14.0, 12.0


@dataclass(frozen=True, slots=True)
class Grid:
    """Coordinates of a layout with `strips` strips below each band; the `ends` are narrower than other vertices."""

    layout: Layout
    ends: tuple[int, int]
    strips: int

    @property
    def width(self) -> float:
        columns = min(self.layout.columns, self.layout.band_columns)
        return 2 * MARGIN + columns * (BOX_WIDTH + GAP) - GAP

    @property
    def height(self) -> float:
        return self.top(self.layout.bands)

    def top(self, band: int) -> float:
        """The upper edge of a band; for the number of bands, the lower edge of the last one."""
        return sum(self._boxes_height(b) + self._strips_height(b) + _BAND_GAP for b in range(band))

    def left(self, vertex: int) -> float:
        x = MARGIN + self.layout.cells[vertex].column % self.layout.band_columns * (BOX_WIDTH + GAP)
        return x + (BOX_WIDTH - END_WIDTH if vertex == self.ends[0] else 0.0)

    def right(self, vertex: int) -> float:
        return self.left(vertex) + (END_WIDTH if vertex in self.ends else BOX_WIDTH)

    def middle(self, vertex: int) -> float:
        return self.row_middle(self.layout.band(vertex), self.layout.cells[vertex].row)

    def row_middle(self, band: int, row: int) -> float:
        rows_above = row - self.layout.rows(band).start
        return self.top(band) + _HEADROOM + rows_above * (BOX_HEIGHT + ROW_GAP) + 0.5 * BOX_HEIGHT

    def strip_line(self, band: int, strip: int) -> float:
        """The height of a strip's line; in the first band there is a label above it."""
        first = band == 0
        step = _FIRST_STRIP if first else _STRIP
        return self.top(band) + self._boxes_height(band) + strip * step + (22.0 if first else 6.0)

    def _boxes_height(self, band: int) -> float:
        return _HEADROOM + len(self.layout.rows(band)) * (BOX_HEIGHT + ROW_GAP) - ROW_GAP + 12.0

    def _strips_height(self, band: int) -> float:
        return self.strips * (_FIRST_STRIP if band == 0 else _STRIP)
