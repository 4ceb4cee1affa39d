"""What a finished text satisfies of all that was demanded, the length that a request asks for included."""

from __future__ import annotations

from controldag.constraints import Length, all_of, conjuncts
from controldag.constraints.check import Checked, checked
from controldag.generation.demands import Demands


def verdicts(
    demands: Demands,
    asked: Length | None,
    text: str,
    length: int,
    *,
    tokens: tuple[int, ...] = (),
    known_words: bool = True,
) -> tuple[Checked, ...]:
    """Required phrases and the user's constraints first, then the length asked for, then the list of words.

    `known_words`: whether that list binds the text; it does not where words come from the schema.
    """
    wanted = [*conjuncts(demands.lexical), *conjuncts(demands.extra)]
    members = [*wanted, *(conjuncts(demands.allowed) if known_words else ())]
    found = checked(all_of(*members) if members else None, text, tokens)
    bounds: tuple[Checked, ...] = ()
    if asked is not None and asked.label:
        bounds = (Checked(asked.label, asked.allows(length), words=asked.in_words),)
    return (*found[: len(wanted)], *bounds, *found[len(wanted) :])
