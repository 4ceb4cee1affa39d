"""The one constraint type: leaves that read UTF-8 bytes, composed with `&`, `|` and `~`.

Every node holds the engine's compiled form (`core`) beside the plain description that `constraints.check` reads.
"""

from __future__ import annotations

from dataclasses import dataclass

from controldag import _core
from controldag.errors import InvalidInput

_REMEDY = "Make it with contains, any_of, in_order, vocabulary or pattern."


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a text must satisfy. Compose with `&`, `|`, `~`; `soft()` turns it into a preference."""

    core: _core.Constraint

    def __post_init__(self) -> None:
        if not isinstance(self.core, _core.Constraint):
            raise InvalidInput.of("core", "be the engine's form of a constraint", self.core, remedy=_REMEDY)

    def __and__(self, other: Constraint) -> Constraint:
        return all_of(self, other)

    def __or__(self, other: Constraint) -> Constraint:
        members = _checked((self, other))
        core = _core.one_of([member.core for member in members])
        return Any_(core, _spliced(members, Any_))

    def __invert__(self) -> Constraint:
        return Not(_core.negation(self.core), self)

    def soft(self, penalty: float) -> Constraint:
        """The same as a preference: a text that violates it costs `penalty` (>= 0) more. Only under `&`."""
        return Soft(_core.soft(self.core, penalty), self, penalty)

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.core.label

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class All(Constraint):
    members: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Any_(Constraint):  # noqa: N801 - `Any` is taken
    members: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class Not(Constraint):
    member: Constraint


@dataclass(frozen=True, slots=True)
class Soft(Constraint):
    member: Constraint
    penalty: float


def all_of(*constraints: Constraint) -> Constraint:
    """Their conjunction."""
    if not constraints:
        raise InvalidInput.of("constraints", "not be empty", constraints)
    if len(constraints) == 1:
        return _checked(constraints)[0]
    core = _core.all_of([member.core for member in _checked(constraints)])  # refuses what is too large
    return All(core, _spliced(constraints, All))


def conjuncts(constraint: Constraint | None) -> tuple[Constraint, ...]:
    """The members of the top-level conjunction, none of which is one."""
    if constraint is None:
        return ()
    return _spliced(_checked((constraint,)), All)


def _checked(constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    for each in constraints:
        if not isinstance(each, Constraint):
            raise InvalidInput.of("constraint", "be a constraint", each, remedy=_REMEDY)
    return constraints


def _spliced(constraints: tuple[Constraint, ...], kind: type[All | Any_]) -> tuple[Constraint, ...]:
    """The constraints, with the members of each of this kind in its place: long chains of `&` or `|` stay flat."""
    members: list[Constraint] = []
    for each in constraints:
        if isinstance(each, kind):
            members.extend(each.members)
        else:
            members.append(each)
    return tuple(members)
