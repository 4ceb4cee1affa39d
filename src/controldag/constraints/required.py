"""Required phrases are allowed words: what a text must say, its vocabulary must not forbid."""

from __future__ import annotations

from controldag.constraints.algebra import Constraint, all_of, conjuncts
from controldag.constraints.lexical import Stages
from controldag.constraints.vocabulary import Vocabulary, vocabulary


def with_required_entities(constraint: Constraint | None) -> Constraint | None:
    """The constraint, with the phrases that its top-level conjunction requires among its vocabulary's entities.

    A phrase of a required `contains`, `any_of` or `in_order` joins as written, unless it begins or ends with a blank
    (it is then part of no whole name). Phrases under `|`, `~` or `soft` do not: they are not required.
    """
    members = conjuncts(constraint)
    required = [
        phrase.text
        for member in members
        if isinstance(member, Stages)
        for stage in member.stages
        for phrase in stage
        if phrase.text == phrase.text.strip(" ")
    ]
    if not required:
        return constraint
    changed = False
    joined: list[Constraint] = []
    for member in members:
        if isinstance(member, Vocabulary) and not member.entity_set.issuperset(required):
            numbers = "any" if member.numbers is None else member.numbers
            names = (*member.entities, *required)
            member = vocabulary(member.words, entities=names, numbers=numbers, genitives=member.genitives)
            changed = True
        joined.append(member)
    return all_of(*joined) if changed else constraint
