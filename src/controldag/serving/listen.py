"""Where the service listens: one socket, or several of processes between which connections are shared out."""

from __future__ import annotations

import socket

from controldag.errors import InvalidInput

WAITING_CONNECTIONS = 1024


def listener(host: str, port: int) -> socket.socket:
    """One that takes all connections. Port 0: any that is free."""
    return _listeners(host, port, 1)[0]


def shared_listeners(host: str, port: int, count: int) -> list[socket.socket]:
    """Several on one port: the system gives each connection to one of them."""
    # Whoever else of this user listened there in this way would get a share; alone, the port must be free.
    with listener(host, port) as alone:
        port = alone.getsockname()[1]
    return _listeners(host, port, count)


def _listeners(host: str, port: int, count: int) -> list[socket.socket]:
    made: list[socket.socket] = []
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        for _ in range(count):
            made.append(socket.socket(family, kind, protocol))
            made[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if count > 1:
                made[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            made[-1].bind(address)
        for each in made:
            # From here on clients may come; who comes before the service is ready waits.
            each.listen(WAITING_CONNECTIONS)
    except (OSError, OverflowError) as error:
        for each in made:
            each.close()
        raise InvalidInput.of("host and port", f"be free to listen on ({error})", f"{host}:{port}") from error
    return made
