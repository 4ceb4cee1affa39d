"""The one constraint type: leaves that read UTF-8 bytes, composed with `&`, `|` and `~`.

Every node holds the engine's compiled form (`core`) beside the plain description that `constraints.check` reads.
"""

from __future__ import annotations

from dataclasses import dataclass

from controldag import _core
from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a text must satisfy. Compose with `&`, `|`, `~`; `soft()` turns it into a preference."""

    core: _core.Constraint

    def __and__(self, other: Constraint) -> Constraint:
        return All(_core.all_of([self.core, other.core]), (self, other))

    def __or__(self, other: Constraint) -> Constraint:
        return Any_(_core.one_of([self.core, other.core]), (self, other))

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
        return constraints[0]
    return All(_core.all_of([c.core for c in constraints]), constraints)


def conjuncts(constraint: Constraint | None) -> tuple[Constraint, ...]:
    """The members of the top-level conjunction, flattened."""
    if constraint is None:
        return ()
    if isinstance(constraint, All):
        return tuple(member for child in constraint.members for member in conjuncts(child))
    return (constraint,)
