"""What the checkers take for the input: the words a person gave, whatever the model reads them as."""

from __future__ import annotations

from collections.abc import Iterator

from controldag.data.records import Example


def input_texts(example: Example) -> tuple[str, ...]:
    """All values of acts; subject, relation and object of triples, as written and with `_` read as a blank."""
    return tuple(dict.fromkeys(_texts(example)))


def _texts(example: Example) -> Iterator[str]:
    for act in example.acts:
        yield from act.values
    for triple in example.triples:
        for part in (triple.subject, triple.relation, triple.object):
            yield part
            yield part.replace("_", " ")
