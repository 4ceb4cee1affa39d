"""Acts and triples as people type them: `OFFER(city=San Jose)`, `Alan Bean | occupation | astronaut`."""

from __future__ import annotations

import re

from controldag.data.records import Act, Example, Triple
from controldag.errors import InvalidInput

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# How an act with several values begins, and a triple about `Bistro (West)` does not.
_ACT_LIKE = re.compile(r"\s*[A-Za-z][A-Za-z0-9_]*\s*\(\s*[A-Za-z0-9_]*\s*=")
_FORM = "Write ACT, ACT(slot), ACT(slot=value) or ACT(slot=value|value)."


def parse_input(text: str) -> Act | Triple:
    """The act or triple in `text`: a triple where two `|` stand in it and it does not begin like an act."""
    if text.count("|") >= 2 and not _ACT_LIKE.match(text):
        return parse_triple(text)
    return parse_act(text)


def written(example: Example) -> tuple[str, ...]:
    """Each act or triple of an example as `parse_input` reads it."""
    return (*map(write_act, example.acts), *map(write_triple, example.triples))


def parse_act(text: str) -> Act:
    """The act in `text`; `\\|` is a `|` inside a value. InvalidInput marks the place of a syntax error with `▸`."""
    name = _NAME.match(text)
    if name is None:
        raise _wrong(text, 0, "an act begins with its name")
    at = name.end()
    if at == len(text):
        return Act(name[0])
    if text[at] != "(":
        raise _wrong(text, at, "`(` or the end of the act has to follow its name")
    end = len(text) - 1
    if text[end] != ")":
        raise _wrong(text, len(text), "`)` has to close the act")
    slot = _NAME.match(text, at + 1)
    if slot is None:
        if end == at + 1:
            return Act(name[0])
        if text[at + 1] != "=":
            raise _wrong(text, at + 1, "a slot's name has to follow `(`")
    stop = at + 1 if slot is None else slot.end()
    named = "" if slot is None else slot[0]
    if stop == end:
        return Act(name[0], named)
    if text[stop] != "=":
        raise _wrong(text, stop, "`=` or `)` has to follow the slot")
    return Act(name[0], named, _values(text, stop + 1, end))


def write_act(act: Act) -> str:
    """The act as people type it, which `parse_act` reads back; values must not begin or end with a blank or `\\`."""
    values = "|".join(value.replace("|", "\\|") for value in act.values)
    if not values:
        return f"{act.act}({act.slot})" if act.slot else act.act
    return f"{act.act}({act.slot}={values})"


def write_triple(triple: Triple) -> str:
    """The triple as people type it, which `parse_triple` reads back."""
    return " | ".join(part.replace("|", "\\|") for part in (triple.subject, triple.relation, triple.object))


def _values(text: str, begin: int, end: int) -> tuple[str, ...]:
    values = []
    at = begin
    for part in re.split(r"(?<!\\)\|", text[begin:end]):
        if not part.strip():
            raise _wrong(text, at, "a value has to stand here")
        values.append(part.strip().replace("\\|", "|"))
        at += len(part) + 1
    return tuple(values)


def parse_triple(text: str) -> Triple:
    """The triple in `subject | relation | object`; InvalidInput marks the place of a syntax error with `▸`."""
    parts = re.split(r"(?<!\\)\|", text)
    at = 0
    for number, part in enumerate(parts):
        if number == 3:
            raise _wrong(text, at - 1, "a triple has three parts", _TRIPLE)
        if not part.strip():
            raise _wrong(text, at, "a part of the triple has to stand here", _TRIPLE)
        at += len(part) + 1
    if len(parts) < 3:
        raise _wrong(text, len(text), "a triple has three parts", _TRIPLE)
    subject, relation, object_ = (part.strip().replace("\\|", "|") for part in parts)
    return Triple(subject, relation, object_)


_TRIPLE = "Write subject | relation | object."


def _wrong(text: str, at: int, rule: str, remedy: str = _FORM) -> InvalidInput:
    front, back = text[max(0, at - 40) : at], text[at : at + 40]
    cut = ("…" if at > 40 else "", "…" if len(text) > at + 40 else "")
    return InvalidInput(f"Syntax error at character {at + 1}, {cut[0]}{front}▸{back}{cut[1]}: {rule}.", remedy=remedy)
