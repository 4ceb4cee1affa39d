"""The words of a service's schema, and how many of them another service has: whether two are of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from controldag.data.schema import Service

_WORD = re.compile("[a-z]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = ("ing", "ies", "ed", "es", "s", "e", "y")
# Shorter words are mostly of, the, is; and every schema speaks of its user.
_SHORTEST = 4
_EVERYWHERE = frozenset(
    ("user", "whether", "name", "with", "that", "this", "which", "from", "your", "when", "where", "what")
)


def service_words(service: Service) -> frozenset[str]:
    """The words of its description, slots and intents, without endings."""
    texts = [service.description]
    for slot in service.slots.values():
        texts += [slot.name, slot.description]
    for intent in service.intents:
        texts += [intent.name, intent.description]
    return frozenset(_base(word) for text in texts for word in _words(text))


def kinship(service: Service, others: Iterable[frozenset[str]]) -> float:
    """The largest share of its words that one of the others has; 0 where there are none."""
    own = _words_once(_Same(service))
    return max((len(own & other) / len(own) for other in others), default=0.0) if own else 0.0


class _Same:
    """A service, equal to itself alone."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def __hash__(self) -> int:
        return id(self.service)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.service is self.service


@lru_cache(maxsize=64)
def _words_once(same: _Same) -> frozenset[str]:
    """They are asked for again and again for one text, and a schema may have any number of slots."""
    return service_words(same.service)


def _words(text: str) -> list[str]:
    found = _WORD.findall(_CAMEL.sub(" ", text).lower())
    return [word for word in found if len(word) >= _SHORTEST and word not in _EVERYWHERE]


def _base(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
