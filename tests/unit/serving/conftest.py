"""The bundled model behind an application, without a socket."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from starlette.testclient import TestClient

from controldag.checkpoint.folder import has_weights
from controldag.pipeline import ControlDag
from controldag.serving.app import make_app
from controldag.serving.logs import JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions

if not has_weights("sgd-mini"):
    pytest.skip("the weights of sgd-mini are not in this copy", allow_module_level=True)


@pytest.fixture(scope="session")
def model() -> ControlDag:
    return ControlDag.from_pretrained("sgd-mini")


class Served:
    """A client of a running application, and what that has logged."""

    def __init__(self, client: TestClient, log: io.StringIO) -> None:
        self.client = client
        self.log = log

    def generate(self, *items: dict[str, Any], **more: Any) -> Any:
        return self.client.post("/v1/generate", json={"items": list(items), **more})

    @property
    def service(self) -> Any:
        return self.client.app.state.service  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def serving(model: ControlDag) -> Iterator[Callable[..., Served]]:
    """Starts applications with the given options; all are stopped in the end."""
    with ExitStack() as stack:

        def start(**options: Any) -> Served:
            stream = io.StringIO()
            app = make_app([model], ServiceOptions(**options), log=JsonLog(Metrics(), stream))
            client = stack.enter_context(TestClient(app, raise_server_exceptions=False))
            return Served(client, stream)

        yield start


@pytest.fixture(scope="session")
def served(serving: Callable[..., Served]) -> Served:
    """One with generous times, since the machine may be busy with other work."""
    return serving(deadline_ms=120_000)
