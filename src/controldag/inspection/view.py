"""How a request is to be looked at, and what other decoders say to it."""

from __future__ import annotations

from dataclasses import dataclass

from controldag.drawing.choose import Caps
from controldag.inspection.evidence import Judgement


@dataclass(frozen=True, slots=True)
class View:
    """How much of the graph is told (`caps`), how many columns of it are drawn beside each other, whom to compare."""

    caps: Caps = Caps()  # noqa: RUF009 - it is frozen
    columns: int = 8
    compare: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Other:
    """What a decoder says that promises nothing, and what is to be said of that."""

    decoder: str
    text: str
    judgement: Judgement
