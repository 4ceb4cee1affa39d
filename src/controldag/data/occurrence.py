"""Exact-occurrence rules of triples: which subjects and objects people always repeat, learned from training data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from controldag.data.phrases import is_table_marker
from controldag.data.records import Example, Triple
from controldag.errors import DataError, InvalidInput
from controldag.files import read_json, write_json

Role = Literal["subject", "object"]
FORMAT = "controldag-occurrence-rules/1"
DEFAULT_MINIMUM_SUPPORT = 10


class RelationRole(NamedTuple):
    """A position that values stand in: subject or object of a relation."""

    relation: str
    role: Role


@dataclass(frozen=True, slots=True)
class OccurrenceRules:
    """Places whose value stood in every training reference, ignoring case, with how many pairs showed it.

    The paper matches case; we do not, since references write `riverside` and `Riverside` alike.
    """

    support: Mapping[RelationRole, int]
    minimum_support: int = DEFAULT_MINIMUM_SUPPORT
    source: str = ""
    _places: frozenset[RelationRole] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "support", MappingProxyType(dict(self.support)))
        object.__setattr__(self, "_places", frozenset(self.support))

    def __len__(self) -> int:
        return len(self.support)

    @classmethod
    def learn(
        cls, examples: Iterable[Example], *, minimum_support: int = DEFAULT_MINIMUM_SUPPORT, source: str = ""
    ) -> OccurrenceRules:
        """The rules that no pair of a triple and a reference of its entry breaks, seen in enough pairs."""
        if minimum_support < 1:
            raise InvalidInput.of("minimum_support", "be at least 1", minimum_support)
        pairs: Counter[RelationRole] = Counter()
        broken: set[RelationRole] = set()
        for example in examples:
            references = [reference.lower() for reference in example.references]
            for place, value in _values(example.triples):
                pairs[place] += len(references)
                if not all(value.lower() in reference for reference in references):
                    broken.add(place)
        kept = {
            place: count for place, count in sorted(pairs.items()) if count >= minimum_support and place not in broken
        }
        return cls(kept, minimum_support=minimum_support, source=source)

    def required(self, example: Example) -> tuple[str, ...]:
        """The phrases a text for this input must contain (ignoring case), each once, in input order."""
        wanted = (value for place, value in _values(example.triples) if place in self._places)
        return tuple(dict.fromkeys(wanted))

    def save(self, path: str | Path) -> None:
        """Writes the rules as JSON, with the settings and the support of each."""
        rules = [{"relation": p.relation, "role": p.role, "support": n} for p, n in sorted(self.support.items())]
        write_json(
            path,
            {"format": FORMAT, "minimum_support": self.minimum_support, "source": self.source, "rules": rules},
        )

    @classmethod
    def load(cls, path: str | Path) -> OccurrenceRules:
        """The rules of a file that `save` wrote; a file that was changed into nonsense is refused."""
        content = _read_object(path)
        if content.get("format") != FORMAT:
            raise _bad(path, "format", f"must be {FORMAT!r}, but is {content.get('format')!r}")
        minimum = _positive(path, "minimum_support", content.get("minimum_support"))
        source = content.get("source")
        if not isinstance(source, str):
            raise _bad(path, "source", "must be a string")
        rules = content.get("rules")
        if not isinstance(rules, list):
            raise _bad(path, "rules", "must be a list")
        support: dict[RelationRole, int] = {}
        for index, rule in enumerate(rules):
            place, count = _rule(path, f"rules[{index}]", rule)
            if place in support:
                raise _bad(path, f"rules[{index}]", f"repeats the rule for {place.role} of {place.relation!r}")
            if count < minimum:
                raise _bad(path, f"rules[{index}].support", f"must be at least {minimum}, but is {count}")
            support[place] = count
        return cls(support, minimum_support=minimum, source=source)


def _values(triples: Iterable[Triple]) -> Iterator[tuple[RelationRole, str]]:
    """Each subject and object with its place, `_` read as a blank; table markers and empty values left out."""
    for triple in triples:
        if triple.subject and not is_table_marker(triple.subject):
            yield RelationRole(triple.relation, "subject"), triple.subject.replace("_", " ")
        if triple.object and not is_table_marker(triple.object):
            yield RelationRole(triple.relation, "object"), triple.object.replace("_", " ")


def _read_object(path: str | Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except FileNotFoundError:
        raise DataError("there is no such file.", path=path, remedy="Make it with `controldag data rules`.") from None
    except ValueError as error:
        raise _bad(path, "", f"is not JSON in UTF-8 ({error})") from error
    if not isinstance(content, dict):
        raise _bad(path, "", "must hold one JSON object")
    return content


def _rule(path: str | Path, where: str, rule: object) -> tuple[RelationRole, int]:
    if not isinstance(rule, dict):
        raise _bad(path, where, "must be an object")
    relation, role = rule.get("relation"), rule.get("role")
    if not isinstance(relation, str) or not relation:
        raise _bad(path, f"{where}.relation", "must be a string that is not empty")
    support = _positive(path, f"{where}.support", rule.get("support"))
    if role == "subject":
        return RelationRole(relation, "subject"), support
    if role == "object":
        return RelationRole(relation, "object"), support
    raise _bad(path, f"{where}.role", f"must be 'subject' or 'object', but is {role!r}")


def _positive(path: str | Path, where: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _bad(path, where, f"must be a whole number of at least 1, but is {value!r}")
    return value


def _bad(path: str | Path, where: str, reason: str) -> DataError:
    return DataError(f"{reason}.", path=path, field=where, remedy="Write it again with `controldag data rules`.")
