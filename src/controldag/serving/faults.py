"""What can go wrong with a request, as status codes and as JSON that tells no path and no traceback."""

from __future__ import annotations

from typing import Any

from controldag.errors import ControlDagError, Infeasible, InvalidInput, LatticeTooLarge, SearchTooLong
from controldag.generation.result import NothingFound


class Refused(ControlDagError):
    """The request as a whole is not served: `status` says why."""

    def __init__(self, status: int, message: str, *, remedy: str = "", retry_after: int | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.status = status
        self.retry_after = retry_after


class Busy(Refused):
    """There is no room in the queue, or what is in it would outlast the deadline."""

    def __init__(self, retry_after: int, items: int = 1) -> None:
        remedy = "Try again later." if items == 1 else "Send fewer items at a time, or try again later."
        super().__init__(503, "The service is busy.", remedy=remedy, retry_after=retry_after)


class Stopping(Refused):
    """The service is being stopped and takes nothing new."""

    def __init__(self) -> None:
        super().__init__(503, "The service is stopping.", remedy="Ask another instance.", retry_after=5)


class DeadlineExceeded(ControlDagError):
    """The deadline came before the text."""


class InternalFault(ControlDagError):
    """A bug of ours; the log has more."""


def too_late(ms: float) -> DeadlineExceeded:
    return DeadlineExceeded(f"No text within {ms:,.0f} ms.", remedy="Ask for less at once, or allow more time.")


def status_of(error: ControlDagError) -> int:
    """The status code that stands for this error."""
    match error:
        case Refused():
            return error.status
        case DeadlineExceeded():
            return 504
        case InvalidInput() | Infeasible() | LatticeTooLarge() | SearchTooLong() | NothingFound():
            return 422
        case _:
            return 500


def headers_of(error: ControlDagError) -> dict[str, str]:
    """What else an answer with this error's status tells: when to come back."""
    if isinstance(error, Refused) and error.retry_after is not None:
        return {"retry-after": str(error.retry_after)}
    return {}


_NONE: dict[str, list[str]] = {"conflict": [], "conflict_in_words": []}


def described(error: ControlDagError) -> dict[str, Any]:
    """The error as JSON. Of our own bugs it tells nothing but that they are there."""
    if status_of(error) == 500:
        return {"kind": "InternalFault", "message": "An internal error.", "remedy": "Please report it.", **_NONE}
    told = {"kind": type(error).__name__, "message": error.message, "remedy": error.remedy}
    if not isinstance(error, Infeasible):
        return {**told, **_NONE}
    return {**told, "conflict": list(error.conflict), "conflict_in_words": list(error.in_words)}
