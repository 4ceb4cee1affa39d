"""schemathesis over the OpenAPI document: no 5xx, and every answer is as the document says."""

from __future__ import annotations

import io

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from controldag.checkpoint.folder import has_weights
from controldag.pipeline import ControlDag
from controldag.serving.app import make_app
from controldag.serving.logs import JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions

if not has_weights("sgd-mini"):
    pytest.skip("the weights of sgd-mini are not in this copy", allow_module_level=True)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
app = make_app(
    [ControlDag.from_pretrained("sgd-mini")],
    ServiceOptions(deadline_ms=60_000),
    log=JsonLog(Metrics(), io.StringIO()),
)
schema = schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_service_keeps_to_its_document(case: schemathesis.Case) -> None:
    asked = case.body.get("deadline_ms") if isinstance(case.body, dict) else None
    if isinstance(asked, int) and 1 <= asked < 60_000:
        case.body.pop("deadline_ms")  # to miss a deadline that the client chose is right, and a 504
    case.call_and_validate(checks=CHECKS)


def test_every_route_that_takes_a_body_has_examples_that_work() -> None:
    with TestClient(app) as client:
        document = client.get("/openapi.json").json()
        for path in ("/v1/generate", "/v1/inspect"):
            examples = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["examples"]
            for name, example in examples.items():
                answer = client.post(path, json=example["value"])
                # The triples are for another model.
                assert answer.status_code == (422 if name == "triples" else 200), (name, answer.text)
