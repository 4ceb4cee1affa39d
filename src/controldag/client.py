"""A client of `controldag serve`: asks, waits when the service is busy, and gives plain values."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from controldag.errors import ControlDagError, MissingDependency

try:
    import httpx
except ImportError as error:
    raise MissingDependency.of("httpx", "client", "The client") from error

# Beyond it, whoever asks should know that the service is overloaded.
_LONGEST_PAUSE = 30.0


class RemoteError(ControlDagError):
    """What the service says is wrong. kind: see docs/serving.md. conflict: constraints that exclude each other."""

    def __init__(self, status: int, fault: Mapping[str, Any], *, item: str = "", request_id: str = "") -> None:
        super().__init__(str(fault.get("message", "")), remedy=str(fault.get("remedy", "")))
        self.status = status
        self.kind = str(fault.get("kind", ""))
        self.conflict = tuple(fault.get("conflict", ()))
        self.id = item
        self.request_id = request_id


@dataclass(frozen=True, slots=True)
class Answer:
    """One text.

    n_best: all texts asked for, this one first. details: everything the service told about it. origin: where the text
    is from (`graph`, `clauses`, `templates`, `plain`). verified: whether the verifier accepts it; None where it was
    not asked.
    """

    id: str
    text: str
    n_best: tuple[str, ...]
    details: Mapping[str, Any] = field(repr=False, compare=False)
    origin: str = ""
    verified: bool | None = None


class Client:
    """A connection to one service. Items are mappings as docs/serving.md describes them.

    retries: how often a request that finds the service busy (503) is sent again, each time after the pause that the
    service asks for. seconds: how long to wait for an answer.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8000", *, token: str = "", retries: int = 5, seconds: float = 60.0
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=seconds)
        self._retries = retries

    def generate(self, item: Mapping[str, Any], *, model: str = "", deadline_ms: int | None = None) -> Answer:
        """The text of one item; raises RemoteError where there is none."""
        answer = self.generate_batch([item], model=model, deadline_ms=deadline_ms)[0]
        if isinstance(answer, RemoteError):
            raise answer
        return answer

    def generate_batch(
        self, items: Sequence[Mapping[str, Any]], *, model: str = "", deadline_ms: int | None = None
    ) -> list[Answer | RemoteError]:
        """By item, in order: its text or its error. Raises RemoteError where the request as a whole is refused."""
        body = {"items": list(items), "model": model, "deadline_ms": deadline_ms}
        status, told = self._ask("POST", "/v1/generate", body)
        if "results" not in told:
            raise _refusal(status, told)
        return [_answer(status, result, told["request_id"]) for result in told["results"]]

    def inspect(
        self, item: Mapping[str, Any], *, model: str = "", vertices: int = 48, picture: bool = False
    ) -> dict[str, Any]:
        """What happened to one item: input, result, greedy text, graph and, if asked for, its SVG."""
        body = {"item": dict(item), "model": model, "vertices": vertices, "picture": picture}
        return self._told("POST", "/v1/inspect", body)

    def models(self) -> dict[str, Any]:
        """The models that are served, the default first, and the limits."""
        return self._told("GET", "/v1/models")

    def ready(self) -> bool:
        """Whether the service is there and takes requests."""
        try:
            return self._http.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _told(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        status, told = self._ask(method, path, body)
        if status != 200:
            raise _refusal(status, told)
        return told

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        left = self._retries
        while True:
            answer = self._http.request(method, path, json=body)
            if answer.status_code != 503 or left <= 0:
                return answer.status_code, _object(answer)
            left -= 1
            time.sleep(_pause(answer))


def _pause(answer: httpx.Response) -> float:
    """As long as the service asks for, and a little more by chance, so that clients do not come back all at once."""
    try:
        asked = float(answer.headers.get("retry-after", "1"))
    except ValueError:
        asked = 1.0
    return min(_LONGEST_PAUSE, max(0.0, asked)) * random.uniform(1.0, 1.25)


def _object(answer: httpx.Response) -> dict[str, Any]:
    try:
        told = answer.json()
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise RemoteError(answer.status_code, {"kind": "NotAService", "message": "The answer is no JSON object."})
    return told


def _refusal(status: int, told: Mapping[str, Any]) -> RemoteError:
    return RemoteError(status, told.get("error", {}), request_id=str(told.get("request_id", "")))


def _answer(status: int, result: Mapping[str, Any], request_id: str) -> Answer | RemoteError:
    if "error" in result:
        return RemoteError(status, result["error"], item=result["id"], request_id=request_id)
    return Answer(
        id=result["id"],
        text=result["text"],
        n_best=tuple(dict.fromkeys((result["text"], *(each["text"] for each in result["n_best"])))),
        details=result,
        origin=result["origin"],
        verified=result["verified"],
    )
