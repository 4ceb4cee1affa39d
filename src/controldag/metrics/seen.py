"""Which services and relations training showed: what a text is about is seen or unseen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from controldag.data.records import Example


@dataclass(frozen=True, slots=True)
class Seen:
    """The services of acts and the relations of triples that occur in training data."""

    services: frozenset[str]
    relations: frozenset[str]

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Seen:
        """Those of these examples."""
        services: set[str] = set()
        relations: set[str] = set()
        for example in examples:
            if example.acts:
                services.add(example.service)
            relations.update(triple.relation for triple in example.triples)
        return cls(frozenset(services), frozenset(relations))

    def __contains__(self, example: Example) -> bool:
        """Whether the example's service, or every one of its relations, is among them."""
        if example.acts:
            return example.service in self.services
        return all(triple.relation in self.relations for triple in example.triples)
