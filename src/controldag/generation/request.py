"""What one text is asked for: acts or triples, and how they are checked before anything else looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controldag.constraints import Constraint, Length
from controldag.data.records import Act, Example, Triple
from controldag.errors import InvalidInput, utf8
from controldag.generation.settings import check_trust

What = Example | Sequence[Act] | Sequence[Triple]
MOST_TEXTS = 1_000
"""Of one request: what a search for more of them takes grows faster than their number."""


@dataclass(frozen=True, slots=True)
class Request:
    """One text to generate.

    constraint: joins what the input itself demands. length: instead of the checkpoint's. decoder: by name, instead
    of the checkpoint's, and not verified. id: comes back with errors and in JSON lines. trust: see the settings.
    """

    what: What
    service: str = ""
    constraint: Constraint | None = None
    length: Length | None = None
    n_best: int = 1
    decoder: str = ""
    id: str = field(default="", kw_only=True)
    trust: str = field(default="", kw_only=True)

    def example(self) -> Example:
        """The input as a checked Example."""
        found = self.what if isinstance(self.what, Example) else _example(self.what, self.service, self.id)
        if not 1 <= self.n_best <= MOST_TEXTS:
            raise InvalidInput.of("n_best", f"be from 1 to {MOST_TEXTS:,}", self.n_best)
        if not found.acts and not found.triples:
            raise InvalidInput.of("input", "hold at least one act or triple", [], remedy="Write ACT(slot=value).")
        if self.trust:
            check_trust(self.trust)
        _refuse_unspeakable_texts(found)
        refuse_unspeakable("id", self.id)
        return found


def _example(what: Sequence[Act] | Sequence[Triple], service: str, identifier: str) -> Example:
    if isinstance(what, (Act, Triple)):
        raise InvalidInput.of("input", "be a list of acts or triples", what, remedy="Put it into a list.")
    members = tuple(what)
    acts = tuple(each for each in members if isinstance(each, Act))
    triples = tuple(each for each in members if isinstance(each, Triple))
    if len(acts) + len(triples) != len(members) or (acts and triples):
        raise InvalidInput.of("input", "hold acts only or triples only", members, remedy="Use Act or Triple.")
    return Example(identifier, acts=acts, triples=triples, service=service)


def refuse_unspeakable(name: str, text: str) -> None:
    """NUL bytes and lone surrogates cannot be part of a text; everything else can."""
    utf8(name, text)
    if "\0" in text:
        raise InvalidInput.of(name, "hold no NUL byte", text, remedy="Remove it.")


def _refuse_unspeakable_texts(example: Example) -> None:
    for name, value in _texts(example):
        if not isinstance(value, str):
            raise InvalidInput.of(name, "be a string", value)
        refuse_unspeakable(name, value)


def _texts(example: Example) -> Iterable[tuple[str, str]]:
    yield "service", example.service
    for act in example.acts:
        if isinstance(act.values, str):
            raise InvalidInput.of("values", "be a list of strings", act.values, remedy="Write [value].")
        if not act.act:
            raise InvalidInput.of("act", "have a name", act, remedy="Write OFFER, say.")
        yield "act", act.act
        yield "slot", act.slot
        yield from (("value", value) for value in act.values)
    for triple in example.triples:
        yield "subject", triple.subject
        yield "relation", triple.relation
        yield "object", triple.object
