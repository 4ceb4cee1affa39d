"""Every error a user can meet, each with what is wrong and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class ControlDagError(Exception):
    """Base of all errors raised on purpose; `remedy` says what the user can do."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(f"{message} {remedy}".rstrip())
        self.message = message
        self.remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process borders: one comes back as it was, and not by calling its class with a finished text."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[ControlDagError], args: tuple[Any, ...]) -> ControlDagError:
    error = kind.__new__(kind)
    error.args = args
    return error


class InvalidInput(ControlDagError, ValueError):
    """An argument, option or file breaks a rule."""

    @classmethod
    def of(cls, argument: str, rule: str, value: object, *, remedy: str = "") -> InvalidInput:
        """“`emissions` must be at least 1, but is 0. <remedy>”"""
        shown = repr(value)
        if len(shown) > 120:
            shown = shown[:117] + "..."
        return cls(f"`{argument}` must {rule}, but is {shown}.", remedy=remedy)


def utf8(argument: str, text: str) -> bytes:
    """`text` in UTF-8; InvalidInput where it holds lone surrogates, which have none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidInput.of(argument, "be text without lone surrogates", text) from None


class OddInput(UserWarning):
    """Something about an input is probably not meant; a text was generated all the same."""


class DataError(InvalidInput):
    """A record of a data file breaks a rule: names file, line (or entry), field and remedy."""

    def __init__(
        self, message: str, *, path: str | Path, line: int | None = None, field: str = "", remedy: str = ""
    ) -> None:
        where = f"{path}:{line}" if line is not None else f"{path}"
        what = f"field `{field}`: " if field else ""
        super().__init__(f"{where}: {what}{message}", remedy=remedy)
        self.path = str(path)
        self.line = line
        self.field = field
        self.reason = message


class MissingDependency(ControlDagError, ImportError):
    """An optional part was asked for and is not installed."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingDependency:
        from controldag.extras import install_command

        return cls(f"{purpose} needs {package}.", remedy=f"Install it with: {install_command(extra)}")


class LatticeTooLarge(ControlDagError):
    """A search needs more states or memory than its limits allow; says how many and what to change."""

    def __init__(self, what: str, needed: int, limit: int) -> None:
        super().__init__(
            f"{what} passed its limit of {limit:,} (at {needed:,}).",
            remedy="Prune harder (fewer emissions and transitions), ask for fewer phrases, a simpler pattern or a "
            "tighter length, or raise `limits`.",
        )
        self.needed = needed
        self.limit = limit


class SearchTooLong(ControlDagError):
    """No text was found in time, and whether there is one is not known."""

    def __init__(self, seconds: float) -> None:
        had = f"{max(seconds, 0.0):.3g} s"
        super().__init__(
            f"The search found nothing in its {had}; whether any text satisfies the constraints is not known.",
            remedy="Drop or relax a constraint, or raise `limits`.",
        )


class Infeasible(ControlDagError):
    """No text of the lattice satisfies the constraints.

    conflict: an irreducible set (dropping any one of them makes the rest feasible) where `minimised` is true, else all.
    in_words: the same for people who do not read code.
    """

    def __init__(
        self, conflict: tuple[str, ...], *, minimised: bool, remedy: str = "", in_words: tuple[str, ...] = ()
    ) -> None:
        names = ", ".join(conflict) if conflict else "the length bounds alone"
        together = "cannot be satisfied together" if len(conflict) > 1 else "cannot be satisfied"
        doubt = "" if minimised else " (not minimised: a limit came first)"
        super().__init__(
            f"No text satisfies the constraints: {names} {together}{doubt}.",
            remedy=remedy or "Drop or relax one of them, allow another length, or widen the pruning.",
        )
        self.conflict = conflict
        self.in_words = in_words or conflict
        self.minimised = minimised
