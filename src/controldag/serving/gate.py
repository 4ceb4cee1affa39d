"""What every request passes on its way in and out: id, token, size and pace of the body, log and figures."""

from __future__ import annotations

import asyncio
import hmac
import re
import time
import uuid
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controldag.serving.faults import InternalFault, Refused, described, headers_of, status_of
from controldag.serving.logs import JsonLog
from controldag.serving.options import ServiceOptions

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# The API's own answers hold nothing to run or show; the page brings a policy of its own.
_POLICY = "default-src 'none'; frame-ancestors 'none'"
_GUARDED = ("/v1/", "/metrics")
_WORK = ("/v1/generate", "/v1/inspect")


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(
        self, app: ASGIApp, *, options: ServiceOptions, log: JsonLog, check_room: Callable[[str], None]
    ) -> None:
        """`check_room` raises Refused where there is no room for anything of the client that it is given."""
        self._app = app
        self._check_room = check_room
        self._options = options
        self._metrics = log.metrics
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope)
        begin = time.perf_counter()
        try:
            self._check_token(scope)
            whole = await self._body(scope, receive)
            if scope["method"] == "POST" and scope["path"] in _WORK:
                # Before the body is read as JSON: under a flood, refusing is most of the work.
                self._check_room(client_of(scope))
            await self._app(scope, whole, visit.sending(send))
        except Refused as refusal:
            self._metrics.rejected.labels(_reason(refusal)).inc()
            await visit.refuse(refusal, scope, receive, send)
        except Exception as error:
            self._log.fault(error, request_id=visit.id)
            if visit.status:
                raise  # the answer has begun: all that is left is to break it off
            await visit.refuse(InternalFault("An internal error."), scope, receive, send)
        finally:
            self._record(visit, scope, time.perf_counter() - begin)

    def _check_token(self, scope: Scope) -> None:
        if not self._options.token or not scope["path"].startswith(_GUARDED):
            return
        kind, _, shown = Headers(scope=scope).get("authorization", "").partition(" ")
        expected = self._options.token.encode()
        if not hmac.compare_digest(shown.strip().encode("utf-8", "replace"), expected) or kind.lower() != "bearer":
            raise Refused(401, "A valid token is needed.", remedy="Send `Authorization: Bearer TOKEN`.")

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """The body, once it is whole, small enough and in time, as the application receives it."""
        most = self._options.limits.body_bytes
        told = Headers(scope=scope).get("content-length", "0")
        if told.isascii() and told.isdigit() and (len(told) > 18 or int(told) > most):
            raise _too_big(most)
        try:
            async with asyncio.timeout(self._options.body_seconds):
                body = await _read(receive, most)
        except TimeoutError:
            raise Refused(408, "The request took too long to arrive.", remedy="Send it faster.") from None
        return _replay(body, receive)

    def _record(self, visit: _Visit, scope: Scope, seconds: float) -> None:
        # Who is refused at the gate has not come to a route.
        known = scope["path"] if scope["path"] in _WORK else "other"
        route = getattr(scope.get("route"), "path", known)
        status = visit.status or 499  # the client went away before the answer began
        self._metrics.requests.labels(route, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        fields = scope.get("state", {}).get("log", {})
        self._log.write(
            "request",
            level="error" if status >= 500 and status not in (503, 504) else "info",
            request_id=visit.id,
            method=scope["method"] if scope["method"] in _METHODS else "other",
            route=route,
            status=status,
            ms=round(1000 * seconds, 3),
            **fields,
        )


_METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"}


def client_of(scope: Scope) -> str:
    """Who asks: its address, or the one that a proxy on this machine tells (`X-Forwarded-For`)."""
    return str(scope["client"][0]) if scope.get("client") else ""


class _Visit:
    """One request: its id, and the status of its answer once that has begun."""

    def __init__(self, scope: Scope) -> None:
        given = Headers(scope=scope).get("x-request-id", "")
        self.id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        self.status = 0
        scope.setdefault("state", {})["request_id"] = self.id

    def sending(self, send: Send) -> Send:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = self.id
                headers["x-content-type-options"] = "nosniff"
                headers.setdefault("content-security-policy", _POLICY)
                headers.setdefault("cache-control", "no-store")
                headers.setdefault("referrer-policy", "no-referrer")
            await send(message)

        return with_headers

    async def refuse(self, error: Refused | InternalFault, scope: Scope, receive: Receive, send: Send) -> None:
        await error_response(error, self.id)(scope, receive, self.sending(send))


def error_response(error: Exception, request_id: str) -> JSONResponse:
    """The answer to a request that is not served as a whole."""
    known = error if isinstance(error, (Refused, InternalFault)) else InternalFault("An internal error.")
    headers = headers_of(known)
    if status_of(known) == 401:
        headers["www-authenticate"] = "Bearer"
    # A client that was still sending must not take what it sends for a next request.
    if status_of(known) in (408, 413):
        headers["connection"] = "close"
    return JSONResponse({"error": described(known), "request_id": request_id}, status_of(known), headers)


async def _read(receive: Receive, most: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > most:
            raise _too_big(most)
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    sent: list[bool] = []

    async def again() -> Message:
        if sent:
            return await receive()
        sent.append(True)
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_big(most: int) -> Refused:
    return Refused(413, f"A request must have at most {most:,} bytes.", remedy="Send fewer items.")


def _reason(refusal: Refused) -> str:
    names: dict[int, str] = {401: "token", 408: "slow", 413: "size"}
    return names.get(refusal.status, type(refusal).__name__.lower())
