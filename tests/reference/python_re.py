r"""Whether a text matches a pattern, by Python's own `re`, which backtracks: for short texts only.

Python's `\w`, `\b` and `$` mean something else (Unicode letters, a newline at the end): they are written out.
Bytes that are no UTF-8 come as lone surrogates: word characters to `\b`, but members of no set.
Python's IGNORECASE also takes a few letters for one another that differ in lower case (`ſ` and `s`).
"""

from __future__ import annotations

import re
from functools import lru_cache

_STRAY = r"\ud800-\udfff"
_WORD = r"0-9A-Za-z_\x80-\U0010ffff"
_NOT_WORD = r"\x00-/:-@\[-\^`{-\x7f"
_IN_CLASS = {
    "d": "0-9",
    "D": r"\x00-/:-\ud7ff\ue000-\U0010ffff",
    "w": r"0-9A-Za-z_\x80-\ud7ff\ue000-\U0010ffff",
    "W": _NOT_WORD,
    "s": r" \t\n\r\f\v",
    "S": r"\x00-\x08\x0e-\x1f!-\ud7ff\ue000-\U0010ffff",
}
_OUTSIDE = {
    **{name: f"[{members}]" for name, members in _IN_CLASS.items()},
    "b": f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
}


def matches(regex: str, text: str, *, full: bool = False, ignore_case: bool = False) -> bool:
    """Whether the text is (`full`) or holds a match."""
    compiled = _compiled(regex, ignore_case)
    return bool(compiled.fullmatch(text) if full else compiled.search(text))


@lru_cache(maxsize=1024)
def _compiled(regex: str, ignore_case: bool) -> re.Pattern[str]:
    return re.compile(as_python(regex), re.IGNORECASE if ignore_case else 0)


def as_python(regex: str) -> str:
    """The expression in Python's notation."""
    parts: list[str] = []
    in_class, at = False, 0
    while at < len(regex):
        sign = regex[at]
        at += 1
        if sign == "\\":
            escaped = regex[at]
            at += 1
            parts.append((_IN_CLASS if in_class else _OUTSIDE).get(escaped, sign + escaped))
        elif in_class:
            in_class = sign != "]"
            parts.append("\\[" if sign == "[" else sign)
        elif sign == "[":
            # A `]` or `^]` right after the bracket is a member.
            head = re.match(r"\^?\]?", regex[at:])
            assert head is not None
            at += head.end()
            negated = head.group().startswith("^")
            parts.append(f"[^{_STRAY}" if negated else "[")
            parts.append("\\]" if head.group().endswith("]") else "")
            in_class = True
        else:
            parts.append({"$": r"\Z", ".": rf"[^\n{_STRAY}]"}.get(sign, sign))
    return "".join(parts)
