"""What one text is asked for: acts or triples, and how they are checked before anything else looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controldag.checkpoint.settings import check_trust
from controldag.constraints import Constraint, Length, all_of
from controldag.data.act_syntax import parse_input
from controldag.data.records import Act, Example, Triple
from controldag.errors import InvalidInput, utf8
from controldag.generation.length_wish import length_wish

What = Example | Sequence[Act | Triple | str]
"""Acts or triples, as values or as people type them: `OFFER(city=San Jose)`, `Alan Bean | occupation | astronaut`."""
HowLong = Length | int | str
MOST_TEXTS = 1_000
"""Of one request: what a search for more of them takes grows faster than their number."""


@dataclass(frozen=True, slots=True)
class Request:
    """One text to generate.

    constraint: joins what the input itself demands. length: instead of the checkpoint's: a `Length`, or as
    `length_wish` reads it (`18`, `"=18"`, `"8-12 words"`). decoder: by name, instead of the checkpoint's, and not
    verified. id: comes back with errors and in JSON lines. trust: see the settings.
    """

    what: What
    service: str = ""
    constraint: Constraint | None = None
    length: HowLong | None = None
    n_best: int = 1
    decoder: str = ""
    id: str = field(default="", kw_only=True)
    trust: str = field(default="", kw_only=True)

    def example(self) -> Example:
        """The input as a checked Example; everything else about the request is checked as well."""
        found = self.what if isinstance(self.what, Example) else _example(self.what, self.service, self.id)
        if type(self.n_best) is not int or not 1 <= self.n_best <= MOST_TEXTS:
            raise InvalidInput.of("n_best", f"be from 1 to {MOST_TEXTS:,}", self.n_best)
        if not found.acts and not found.triples:
            raise InvalidInput.of("input", "hold at least one act or triple", [], remedy="Write ACT(slot=value).")
        for name in ("decoder", "id", "trust"):
            if not isinstance(getattr(self, name), str):
                raise InvalidInput.of(name, "be a string", getattr(self, name))
        if self.trust:
            check_trust(self.trust)
        _ = self.wanted  # checks constraint and length
        _refuse_unspeakable_texts(found)
        refuse_unspeakable("id", self.id)
        return found

    @property
    def wanted(self) -> Constraint | None:
        """The constraint, with the number of words where `length` asks for one."""
        if self.constraint is not None and not isinstance(self.constraint, Constraint):
            remedy = f"Write contains({self.constraint!r})." if isinstance(self.constraint, str) else "See docs/api.md."
            raise InvalidInput.of("constraint", "be a constraint", self.constraint, remedy=remedy)
        members = [each for each in (self.constraint, length_wish(self.length).words) if each is not None]
        return all_of(*members) if members else None

    @property
    def bounds(self) -> Length | None:
        """What `length` asks of the number of tokens."""
        return length_wish(self.length).tokens


def request_for(given: Request | What) -> Request:
    """`given`, or a request for it where it is an input alone; InvalidInput where it is neither."""
    if isinstance(given, Request):
        return given
    if isinstance(given, Example) or (isinstance(given, Sequence) and not isinstance(given, (str, bytes))):
        return Request(given)
    raise InvalidInput.of("request", "be a Request, or acts or triples", given, remedy="Write Request(acts, service).")


def _example(what: Sequence[Act | Triple | str], service: str, identifier: str) -> Example:
    if isinstance(what, (Act, Triple, str)) or not isinstance(what, Iterable):
        raise InvalidInput.of("input", "be a list of acts or triples", what, remedy="Put it into a list.")
    members = tuple(parse_input(each) if isinstance(each, str) else each for each in what)
    acts = tuple(each for each in members if isinstance(each, Act))
    triples = tuple(each for each in members if isinstance(each, Triple))
    if acts and triples:
        raise InvalidInput("Acts and triples cannot be mixed in one input.", remedy="Give one kind.")
    if len(acts) + len(triples) != len(members):
        raise InvalidInput.of("input", "hold acts or triples only", members, remedy="Use Act, Triple or their text.")
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
