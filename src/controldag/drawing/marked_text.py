"""A text with the places marked where its constraints are met."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from controldag.drawing.markup import Markup, element, joined
from controldag.drawing.style import colour_class


class Placed(Protocol):
    """Something that stands at places (`text[begin:end]`) of a text."""

    @property
    def words(self) -> str: ...
    @property
    def spans(self) -> tuple[tuple[int, int], ...]: ...


def marked(text: str, placed: Sequence[Placed], colours: Sequence[int | None] = ()) -> Markup:
    """The text with a `<mark>` at every place, in the colour of what stands there (of the first where several do)."""
    cuts = {0, len(text), *(cut for each in placed for span in each.spans for cut in span)}
    parts: list[str] = []
    for begin, end in pairwise(sorted(cuts)):
        here = [i for i, each in enumerate(placed) if any(b <= begin and end <= e for b, e in each.spans)]
        piece = text[begin:end]
        if here:
            labels = ", ".join(placed[i].words for i in here)
            colour = colours[here[0]] if colours else here[0]
            parts.append(element("mark", piece, class_=colour_class(colour), title=labels))
        else:
            parts.append(piece)
    return joined(*parts)
