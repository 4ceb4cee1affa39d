"""HTML and SVG by construction: whatever is not markup already is escaped on its way in."""

from __future__ import annotations

import html
import re

# What XML 1.0 cannot hold even escaped: control characters, surrogates, the two non-characters.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is markup and stands as it is."""

    __slots__ = ()


def visible(text: str) -> str:
    """The text with a picture in place of every character that markup cannot hold: `␊` for a newline."""
    return _UNWRITABLE.sub(_picture, text)


def element(name: str, *children: str, **attributes: str | float | None) -> Markup:
    """`<name attribute="...">children</name>`; `class_` and `stroke_width` lose and change their underscores.

    Children and values that are not Markup are escaped; attributes that are None are left out.
    """
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{shown}>{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """The children after one another, escaped where they are not Markup."""
    return Markup("".join(child if isinstance(child, Markup) else _escaped(child) for child in children))


def _escaped(text: str) -> str:
    return html.escape(visible(text), quote=True)


def _written(value: str | float) -> str:
    """Numbers with two digits after the point at most, so that pictures are small and the same everywhere."""
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    return (
        chr(0x2400 + code) if code < 0x20 else "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\N{REPLACEMENT CHARACTER}"
    )
