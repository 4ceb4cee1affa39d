"""The nearest training template, slots filled: what copying from training data achieves, without any model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controldag.data.phrases import SLOT_OF_INTENTS
from controldag.data.records import Example
from controldag.data.templates import generic_sentence
from controldag.errors import ControlDagError, InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch

NAME = "nearest-template"
# Values that steer the wording instead of being said: they belong to what is said, not to what is filled in.
_SWITCHES = frozenset({"True", "False", "dontcare", "yes", "no"})

Kind = tuple[str, ...]  # an act with its slot, or a relation, and a value that steers
Piece = str | tuple[Kind, int, str]  # a text, or the place of a value: of which kind, which of them, which role


@dataclass(frozen=True, slots=True)
class _Known:
    """Templates of one multiset of kinds, by how often they occur, over all services and by service."""

    overall: Counter[tuple[Piece, ...]] = field(default_factory=Counter)
    by_service: dict[str, Counter[tuple[Piece, ...]]] = field(default_factory=dict)


class NearestTemplate:
    """Says an input as the training data most often says the same kinds of acts (or relations).

    Of inputs with other kinds the most alike is taken (Jaccard index) whose template can be filled.
    """

    def __init__(self, examples: Iterable[Example]) -> None:
        self._known: dict[tuple[Kind, ...], _Known] = {}
        self._nearest: dict[tuple[tuple[Kind, ...], str], tuple[Piece, ...] | None] = {}
        for example in examples:
            values = _values(example)
            for reference in example.references:
                template = _template(reference, values)
                if template is not None:
                    known = self._known.setdefault(_kinds(example), _Known())
                    known.overall[template] += 1
                    known.by_service.setdefault(example.service, Counter())[template] += 1
        if not self._known:
            raise InvalidInput("The training data holds no template.", remedy="Name training data with references.")

    def text(self, example: Example) -> str:
        """The filled template; where none can be filled, a plain sentence for each act or triple."""
        values = _values(example)
        kinds = _kinds(example)
        key = (kinds, example.service)
        if key not in self._nearest:
            self._nearest[key] = self._find(kinds, example.service, set(values))
        template = self._nearest[key]
        if template is None:
            return _plain(example)
        return "".join(piece if isinstance(piece, str) else values[piece] for piece in template)

    def generate_batch(self, requests: Sequence[Request]) -> list[Result | ControlDagError]:
        """By request its text, or the error that it met."""
        return [self._said(request) for request in requests]

    def _said(self, request: Request) -> Result | ControlDagError:
        watch = Stopwatch()
        try:
            with watch.stage("templates"):
                example = request.example()
                text = self.text(example)
        except ControlDagError as error:
            return error
        return Result(text, NAME, 0.0, 0.0, 0, ms=watch.ms, id=request.id or example.id, origin="templates")

    def _find(
        self, kinds: tuple[Kind, ...], service: str, places: set[tuple[Kind, int, str]]
    ) -> tuple[Piece, ...] | None:
        exact = self._known.get(kinds)
        if exact is not None:
            return _commonest(exact.by_service.get(service) or exact.overall)
        wanted = Counter(kinds)
        likeness = {other: _likeness(wanted, Counter(other)) for other in self._known}
        alike = [other for other in self._known if likeness[other] > 0]
        for other in sorted(alike, key=lambda other: (-likeness[other], len(other), other)):
            known = self._known[other]
            for counts in (known.by_service.get(service), known.overall):
                fitting = Counter({t: n for t, n in (counts or {}).items() if _places(t) <= places})
                if fitting:
                    return _commonest(fitting)
        return None


def _kinds(example: Example) -> tuple[Kind, ...]:
    """What is said, without the values that are filled in, sorted."""
    acts = [(act.act, act.slot, *("@" if _is_said(act.slot, v) else v for v in act.values)) for act in example.acts]
    return tuple(sorted([*acts, *((triple.relation,) for triple in example.triples)]))


def _is_said(slot: str, value: str) -> bool:
    return slot != SLOT_OF_INTENTS and value not in _SWITCHES


def _plain(example: Example) -> str:
    facts = [f"{t.subject} {t.relation.lower()} {t.object}.".replace("_", " ") for t in example.triples]
    return " ".join([*map(generic_sentence, example.acts), *facts])


def _values(example: Example) -> dict[tuple[Kind, int, str], str]:
    """The values to fill in, by their place: kind, which of several of that kind, and which value or role."""
    met: Counter[Kind] = Counter()
    values: dict[tuple[Kind, int, str], str] = {}
    for act in example.acts:
        kind: Kind = (act.act, act.slot)
        for number, value in enumerate(act.values):
            if _is_said(act.slot, value):
                values[kind, met[kind], str(number)] = value
        met[kind] += 1
    for triple in example.triples:
        kind = (triple.relation,)
        for role, value in (("subject", triple.subject), ("object", triple.object)):
            if value not in _SWITCHES and not value.startswith("["):
                values[kind, met[kind], role] = value.replace("_", " ")
        met[kind] += 1
    return values


def _template(reference: str, values: dict[tuple[Kind, int, str], str]) -> tuple[Piece, ...] | None:
    """The reference with its values' places; None where a value is not in it. Longer values are looked for first."""
    pieces: list[Piece] = [reference]
    for place, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if any(values[piece] == value for piece in pieces if not isinstance(piece, str)):
            continue  # said once for both
        pattern = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
        cut: list[Piece] = []
        for piece in pieces:
            parts = pattern.split(piece) if isinstance(piece, str) else [piece]
            for number, part in enumerate(parts):
                cut += [place, part] if number else [part]
        if len(cut) == len(pieces):
            return None
        pieces = cut
    return tuple(pieces)


def _places(template: tuple[Piece, ...]) -> set[tuple[Kind, int, str]]:
    return {piece for piece in template if not isinstance(piece, str)}


def _likeness(one: Counter[Kind], other: Counter[Kind]) -> float:
    return (one & other).total() / (one | other).total()


def _commonest(counts: Counter[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """The most frequent template; of several the first by its text, so that the choice does not depend on order."""
    most = max(counts.values())
    return min((template for template, count in counts.items() if count == most), key=repr)
