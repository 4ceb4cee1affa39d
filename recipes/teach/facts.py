"""Invented facts: relations that are described somewhere, with their own objects, said plainly of one subject."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from controldag.data.records import Example, Triple
from recipes.teach.services import said_plainly

_MOST = 4
_STYLES = ("spaced", "camel", "snake", "upper")


def invented_facts(known: Sequence[Example], count: int, chance: random.Random) -> Iterator[Example]:
    """So many sets of one to four facts of one subject with their plain texts; relations and objects are of `known`."""
    triples = [triple for example in known for triple in example.triples]
    made = 0
    while made < count:
        chosen = chance.sample(triples, chance.randint(1, min(_MOST, len(triples))))
        subject, style = chosen[0].subject, chance.choice(_STYLES)
        facts = {each.relation: Triple(subject, styled(each.relation, style), each.object) for each in chosen}
        if len({fact.object for fact in facts.values()} | {subject}) <= len(facts):
            continue
        example = Example("", triples=tuple(facts.values()))
        text = said_plainly(example, None)
        if text:
            made += 1
            yield replace(example, id=f"facts/{made}", references=(text,))


def styled(relation: str, style: str) -> str:
    """A relation written in words, `likeThis`, `like_this` or `LIKE_THIS`."""
    words = relation.replace("_", " ").split()
    if style == "camel":
        return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    if style == "snake":
        return "_".join(words)
    return "_".join(words).upper() if style == "upper" else " ".join(words)
