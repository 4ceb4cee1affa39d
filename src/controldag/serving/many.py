"""The service in several processes on one port: each has models, batches and a queue of its own, and no lock in common.

One process that only looks after them starts them, starts anew what ends by itself, and stops all together.
"""

from __future__ import annotations

import math
import os
import signal
import socket
import threading
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from tempfile import TemporaryDirectory

from controldag.checkpoint.choice import ModelChoice
from controldag.errors import ControlDagError
from controldag.pipeline import ControlDag
from controldag.runtime.session import use_threads
from controldag.serving.listen import shared_listeners
from controldag.serving.logs import JsonLog
from controldag.serving.metrics import SHARED_FOLDER, Metrics, forget_process
from controldag.serving.options import ServiceOptions
from controldag.serving.run import leave_quietly, say_where, serve_on

# By each process: more would take memory, and gain little.
_MOST = 4


def default_workers(device: str) -> int:
    """As many processes as cores, four at most; one beside a GPU, or where connections cannot be shared out."""
    if device != "cpu" or not hasattr(socket, "SO_REUSEPORT"):
        return 1
    return min(_MOST, os.cpu_count() or 1)


def run_many(choices: Sequence[ModelChoice], options: ServiceOptions, workers: int, *, host: str, port: int) -> None:
    """As `run`, in so many processes; an error of a process that never served ends all of them, and is raised."""
    listeners = shared_listeners(host, port, workers)
    queue = max(options.limits.items, math.ceil(options.queue / workers))
    with TemporaryDirectory(prefix="controldag-metrics-") as figures:
        os.environ[SHARED_FOLDER] = figures
        log = JsonLog(Metrics())
        processes = [_Process(choices, replace(options, queue=queue), each, workers) for each in listeners]
        leave_quietly()
        say_where(log, listeners[0], host)
        try:
            _look_after(processes, log)
        except (SystemExit, KeyboardInterrupt):
            pass
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for each in processes:
                each.process.terminate()
            for each in processes:
                each.process.join()
            for listener in listeners:
                listener.close()
            del os.environ[SHARED_FOLDER]
    log.write("stopped")


class _Process:
    """One of the processes, and the line on which it says that it has loaded; it ends when this line does."""

    def __init__(
        self, choices: Sequence[ModelChoice], options: ServiceOptions, listener: socket.socket, workers: int
    ) -> None:
        self._given = choices, options, listener, workers
        self.start()

    def start(self) -> None:
        """Starts it, or starts it anew."""
        self.told, line = get_context("spawn").Pipe()
        self.loaded = False
        self.process = get_context("spawn").Process(target=_serve_part, args=(*self._given, line))
        self.process.start()
        line.close()

    def hear(self) -> None:
        """What it said: that it has loaded, or why it could not."""
        try:
            said = self.told.recv()
        except EOFError:
            return
        if isinstance(said, ControlDagError):
            raise said
        self.loaded = True


def _look_after(processes: Sequence[_Process], log: JsonLog) -> None:
    """Until a signal comes: hears what they say, and starts anew what ended after it had served."""
    while True:
        lines = [each.told for each in processes if not each.loaded]
        connection.wait([*lines, *(each.process.sentinel for each in processes)])
        for each in processes:
            if not each.loaded and each.told.poll():
                each.hear()
            if each.process.exitcode is not None:
                if not each.loaded:
                    raise ControlDagError("A process of the service ended before it was ready.")
                log.write("process ended", level="error", status=each.process.exitcode)
                forget_process(each.process.pid)
                each.start()


def _serve_part(
    choices: Sequence[ModelChoice], options: ServiceOptions, listener: socket.socket, workers: int, line: Connection
) -> None:
    """One process: loads the models and serves its share of the connections."""
    # Ctrl-C is for the process that looks after this one, which then says that it is time.
    os.setpgrp()
    use_threads(max(1, (os.cpu_count() or 1) // workers))
    try:
        models = [ControlDag.from_choice(each) for each in choices]
    except ControlDagError as error:
        line.send(error)
        return
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()
    serve_on(listener, models, options, JsonLog(Metrics()), workers, ready=lambda: line.send(None))


def _end_with(line: Connection) -> None:
    """Stops this process once nobody looks after it."""
    try:
        line.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
