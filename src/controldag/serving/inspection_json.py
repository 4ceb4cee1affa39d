"""An inspection as plain values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from controldag.inspection.evidence import Judgement
from controldag.inspection.inspection import Inspection

Invented = Callable[[str], Sequence[tuple[int, int]]]


def as_json(inspection: Inspection, invented: Invented, *, picture: bool) -> dict[str, Any]:
    """Input, result, what others say with the places of what they `invented`, graph, and the drawing if asked for."""
    graph, greedy = inspection.graph, inspection.greedy
    return {
        "model": inspection.model,
        "input": inspection.input,
        "result": inspection.result.as_dict(),
        "greedy": None if greedy is None else _judged(greedy.text, inspection.judgement, invented),
        "others": [
            {"decoder": each.decoder, **_judged(each.text, each.judgement, invented)} for each in inspection.others
        ],
        "graph": {
            "size": graph.size,
            "note": graph.note,
            "vertices": [asdict(vertex) for vertex in graph.vertices],
            "edges": [asdict(edge) for edge in graph.edges],
            "routes": [asdict(route) for route in graph.routes],
            "strips": [asdict(strip) for strip in graph.strips],
        },
        "svg": str(inspection.svg) if picture else None,
    }


def _judged(text: str, judgement: Judgement, invented: Invented) -> dict[str, Any]:
    verified = judgement.verification
    return {
        "text": text,
        "constraints": [each.as_dict() for each in judgement.verdicts],
        "verified": None if verified is None else verified.accepted,
        "acts": [] if verified is None else [each.as_dict() for each in verified.acts],
        "nothing_else": None if verified is None else verified.nothing_else,
        "whole_english": None if verified is None else verified.whole,
        "invented": [list(place) for place in invented(text)],
    }
