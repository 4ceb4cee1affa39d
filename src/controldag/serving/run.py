"""The service on a port, until it is told to stop: it then takes nothing new and finishes what it accepted."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Sequence
from functools import partial
from types import FrameType

import uvicorn

from controldag.errors import InvalidInput
from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.serving.app import make_app
from controldag.serving.http import HEADER_BYTES, BoundedHttp, Connections
from controldag.serving.logs import ForwardingHandler, JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions
from controldag.serving.samples import examples_of

# Beyond the deadline of the last request: for its answer to get out.
_LAST_SECONDS = 5
_WAITING_CONNECTIONS = 1024


def run(models: Sequence[ControlDag], options: ServiceOptions, *, host: str, port: int) -> None:
    """Serves until SIGTERM or SIGINT. Port 0: any that is free; the log says which."""
    log = JsonLog(Metrics())
    listener = _listener(host, port)
    for model in models:
        warm_up(model)
    _forward_logs(log)
    app = make_app(models, options, log=log)
    config = uvicorn.Config(
        app,
        http=partial(BoundedHttp, Connections(options.body_seconds)),  # type: ignore[arg-type]
        ws="none",
        h11_max_incomplete_event_size=HEADER_BYTES,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=_WAITING_CONNECTIONS,
        timeout_graceful_shutdown=int(options.deadline_ms / 1000 + options.body_seconds) + _LAST_SECONDS,
    )
    # uvicorn raises the signal again once all is answered; being stopped is no failure.
    signal.signal(signal.SIGTERM, _leave)
    bound = listener.getsockname()
    log.write("listening", host=bound[0], port=bound[1], url=f"http://{host}:{bound[1]}/")
    uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # From here on clients may come; who comes before the service is ready waits.
        listener.listen(_WAITING_CONNECTIONS)
    except (OSError, OverflowError) as error:
        raise InvalidInput.of("host and port", f"be free to listen on ({error})", f"{host}:{port}") from error
    return listener


def warm_up(model: ControlDag) -> None:
    """The first text of a model has costs of its own; they should not be a user's."""
    model.generate_batch([request_of(each, Request(())) for each in examples_of(model)])


def _forward_logs(log: JsonLog) -> None:
    logger = logging.getLogger("uvicorn")
    logger.handlers = [ForwardingHandler(log)]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
