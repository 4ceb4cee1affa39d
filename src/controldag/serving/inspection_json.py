"""An inspection as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from controldag.constraints.check import Checked
from controldag.inspection.inspection import Inspection


def as_json(inspection: Inspection, invented: Sequence[tuple[int, int]], *, picture: bool) -> dict[str, Any]:
    """Input, result, what greedy says with the places of what it `invented`, graph, and the drawing if asked for."""
    graph, greedy = inspection.graph, inspection.greedy
    verified = inspection.judgement.verification
    return {
        "model": inspection.model,
        "input": inspection.input,
        "result": inspection.result.as_dict(),
        "greedy": None
        if greedy is None
        else {
            "text": greedy.text,
            "constraints": [_verdict(each) for each in inspection.judgement.verdicts],
            "verified": None if verified is None else verified.accepted,
            "acts": [] if verified is None else [each.as_dict() for each in verified.acts],
            "nothing_else": None if verified is None else verified.nothing_else,
            "whole_english": None if verified is None else verified.whole,
            "invented": [list(place) for place in invented],
        },
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


def _verdict(each: Checked) -> dict[str, Any]:
    return {"label": each.label, "satisfied": each.satisfied, "spans": [list(span) for span in each.spans]}
