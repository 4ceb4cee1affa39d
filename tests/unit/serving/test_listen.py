"""Sockets of one and of several processes: they share a port with each other, and with nobody else."""

from __future__ import annotations

import socket

import pytest

from controldag.errors import InvalidInput
from controldag.serving.listen import listener, shared_listeners


def test_several_listen_on_one_port_which_is_then_taken() -> None:
    made = shared_listeners("127.0.0.1", 0, 3)
    try:
        (port,) = {each.getsockname()[1] for each in made}
        for _ in range(6):
            with socket.create_connection(("127.0.0.1", port), timeout=10):
                pass
        with pytest.raises(InvalidInput, match="be free to listen on"):
            listener("127.0.0.1", port)
        # Another service of the same user may not take a share of the connections.
        with pytest.raises(InvalidInput, match="be free to listen on"):
            shared_listeners("127.0.0.1", port, 2)
    finally:
        for each in made:
            each.close()
