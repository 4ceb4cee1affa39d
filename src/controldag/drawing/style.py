"""The look of pictures, light and dark: plain rules, since not every SVG reader knows variables."""

from __future__ import annotations

COLOURS = (
    ("#1b7045", "#5fd08f"),
    ("#7d3fae", "#c9a0f0"),
    ("#0a6f7a", "#4fd0dc"),
    ("#b02a67", "#f48fbc"),
    ("#6b6609", "#d6cf5c"),
    ("#8a4f1d", "#e0aa78"),
    ("#33518f", "#9db8f2"),
    ("#9b2f2f", "#ef9a9a"),
)
"""By constraint: light and dark. The chosen route is blue and the greedy one orange; no constraint is."""


def colour_class(colour: int | None) -> str:
    """The class of things in the colour of that number; None: grey. Colours come again where there are many."""
    return "cd-grey" if colour is None else f"cd-c{colour % len(COLOURS)}"


def _coloured(dark: int) -> str:
    return "\n".join(f".cd-c{i} {{ color: {pair[dark]}; }}" for i, pair in enumerate(COLOURS))


_LIGHT = f"""
.cd-page {{ fill: #ffffff; stroke: #d5dae1; }}
.cd-box {{ fill: #ffffff; stroke: #b9c2cd; }}
.cd-box-chosen {{ fill: #f2f7fd; stroke: #2f6db3; }}
.cd-box-greedy {{ fill: #fff8f2; stroke: #c2570c; }}
.cd-end {{ fill: #e8ecf1; stroke: #6b7684; }}
.cd-text {{ fill: #16202c; }}
.cd-faint {{ fill: #5c6876; }}
.cd-bar {{ fill: #dfe6ee; }}
.cd-bar-chosen {{ fill: #bcd7f3; }}
.cd-edge {{ stroke: #5c6876; }}
.cd-grey {{ color: #5c6876; }}
.cd-chosen {{ stroke: #2f6db3; }}
.cd-greedy {{ stroke: #c2570c; }}
.cd-open {{ stroke: #b9c2cd; }}
{_coloured(0)}
"""

_DARK = f"""
.cd-page {{ fill: #10161d; stroke: #303a46; }}
.cd-box {{ fill: #18202a; stroke: #44515f; }}
.cd-box-chosen {{ fill: #14273b; stroke: #6aa9ee; }}
.cd-box-greedy {{ fill: #2b1e14; stroke: #f0975a; }}
.cd-end {{ fill: #27323e; stroke: #8a96a5; }}
.cd-text {{ fill: #f0f4f8; }}
.cd-faint {{ fill: #a5b1bf; }}
.cd-bar {{ fill: #2a3643; }}
.cd-bar-chosen {{ fill: #245283; }}
.cd-edge {{ stroke: #8a96a5; }}
.cd-grey {{ color: #a5b1bf; }}
.cd-chosen {{ stroke: #6aa9ee; }}
.cd-greedy {{ stroke: #f0975a; }}
.cd-open {{ stroke: #44515f; }}
{_coloured(1)}
"""

PICTURE = f"""
.cd text {{ font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; font-size: 12px; }}
.cd .cd-small {{ font-size: 10px; }}
.cd .cd-strong {{ font-weight: 600; }}
.cd .cd-line {{ fill: none; stroke-linecap: round; }}
.cd .cd-in-colour {{ stroke: currentColor; }}
.cd .cd-fill {{ fill: currentColor; }}
{_LIGHT}
@media (prefers-color-scheme: dark) {{
{_DARK}
}}
"""
"""The style of a picture. Every class begins with `cd`, since a style inside a page holds for the whole page."""
