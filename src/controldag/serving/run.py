"""The service on a port, until it is told to stop: it then takes nothing new and finishes what it accepted."""

from __future__ import annotations

import gc
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType

import uvicorn

from controldag.generation.json_requests import request_of
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.serving import heap
from controldag.serving.app import make_app
from controldag.serving.http import HEADER_BYTES, BoundedHttp, Connections
from controldag.serving.listen import WAITING_CONNECTIONS, listener
from controldag.serving.logs import ForwardingHandler, JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions
from controldag.serving.samples import examples_of

# Beyond the deadline of the last request: for its answer to get out.
_LAST_SECONDS = 5


def run(models: Sequence[ControlDag], options: ServiceOptions, *, host: str, port: int) -> None:
    """Serves until SIGTERM or SIGINT. Port 0: any that is free; the log says which."""
    log = JsonLog(Metrics())
    taking = listener(host, port)
    serve_on(taking, models, options, log, ready=lambda: say_where(log, taking, host))


def serve_on(
    taking: socket.socket,
    models: Sequence[ControlDag],
    options: ServiceOptions,
    log: JsonLog,
    workers: int = 1,
    *,
    ready: Callable[[], None],
) -> None:
    """Serves the connections of one listener until it is told to stop; `ready` is called when all is warm.

    `workers`: how many processes share the port; each bears its part of the connections.
    """
    heap.keep_small()
    for model in models:
        warm_up(model)
    _forward_logs(log)
    app = make_app(models, options, log=log)
    connections = Connections(options.body_seconds)
    connections.most //= workers
    config = uvicorn.Config(
        app,
        http=partial(BoundedHttp, connections),  # type: ignore[arg-type]
        ws="none",
        h11_max_incomplete_event_size=HEADER_BYTES,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=WAITING_CONNECTIONS,
        timeout_graceful_shutdown=int(options.deadline_ms / 1000 + options.body_seconds) + _LAST_SECONDS,
    )
    leave_quietly()
    # What was loaded stays: to look through it for what is not needed would stop requests for a while, again and again.
    gc.collect()
    gc.freeze()
    ready()
    uvicorn.Server(config).run(sockets=[taking])


def leave_quietly() -> None:
    """SIGTERM ends this process with 0: being stopped is no failure. (uvicorn raises it again once all is answered.)"""
    signal.signal(signal.SIGTERM, _leave)


def say_where(log: JsonLog, taking: socket.socket, host: str) -> None:
    """Writes the address into the log."""
    bound = taking.getsockname()
    log.write("listening", host=bound[0], port=bound[1], url=f"http://{host}:{bound[1]}/")


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
