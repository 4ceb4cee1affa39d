"""The FastAPI application: routes, their descriptions, and how errors are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import anyio.to_thread
from fastapi import Body, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

import controldag
from controldag.drawing.choose import Caps
from controldag.errors import ControlDagError
from controldag.generation.decoders import decoders_of
from controldag.generation.invented import invented_places
from controldag.generation.odd_input import known_acts
from controldag.generation.result import Result
from controldag.inspection.inspection import Inspection
from controldag.inspection.view import View
from controldag.pipeline import ControlDag
from controldag.serving import schemas
from controldag.serving.faults import Refused, described, headers_of, status_of
from controldag.serving.gate import Gate, client_of, error_response
from controldag.serving.inspection_json import as_json
from controldag.serving.item_limits import request_within
from controldag.serving.jobs import Outcome
from controldag.serving.logs import JsonLog
from controldag.serving.metrics import Metrics
from controldag.serving.options import ServiceOptions
from controldag.serving.page import add_page
from controldag.serving.rasa_route import add_rasa
from controldag.serving.samples import examples_of, generate_examples, inspect_examples
from controldag.serving.service import Service
from controldag.serving.services_route import add_services
from controldag.serving.swagger import add_swagger
from controldag.serving.worker import Worker

_ABOUT = """Texts for dialogue acts and triples that hold every required phrase (Control-DAG).

An item that cannot be said has an `error` in its place. The status is 200 if any item has a text, else that of the
first error: 422 (wrong, contradictory or too much), 504 (too late). 503 asks to come back after `Retry-After` seconds.
"""
_ERROR = {"model": schemas.ErrorResponse}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {**_ERROR, "description": "Not JSON"},
    401: {**_ERROR, "description": "No valid token"},
    404: {**_ERROR, "description": "No such model"},
    408: {**_ERROR, "description": "The request came too slowly"},
    413: {**_ERROR, "description": "The request is too big"},
    415: {**_ERROR, "description": "The body is not marked as JSON"},
    503: {**_ERROR, "description": "Busy or stopping; come back after Retry-After seconds"},
}
_MANY = schemas.GenerateResponse | schemas.ErrorResponse


def make_app(
    models: Sequence[ControlDag], options: ServiceOptions | None = None, *, log: JsonLog | None = None
) -> FastAPI:
    """The service of these models as an ASGI application; it starts and ends with the server's lifespan."""
    options = options or ServiceOptions()
    log = log or JsonLog(Metrics())
    service = Service(models, options, log)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        log.write("ready", models=list(service.workers))
        yield
        await anyio.to_thread.run_sync(service.close)
        log.write("stopped")

    app = FastAPI(
        title="controldag",
        version=controldag.__version__,
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,  # FastAPI's page fetches scripts from elsewhere; ours does not
        redoc_url=None,
        redirect_slashes=False,  # a redirect would repeat whatever `Host` says
    )
    app.state.service = service
    _add_api(app, service)
    add_services(app, service)
    add_rasa(app, service, _REFUSALS)
    add_swagger(app)
    _add_checks(app, service)
    add_page(app)
    _add_errors(app)
    app.add_middleware(Gate, options=options, log=log, check_room=service.check_room)
    if options.token:
        _require_token(app)
    return app


def _add_api(app: FastAPI, service: Service) -> None:
    @app.post(
        "/v1/generate",
        response_model=schemas.GenerateResponse,
        responses={
            **_REFUSALS,
            422: {"model": _MANY, "description": "No item can be said as asked, or the request breaks a rule"},
            504: {"model": _MANY, "description": "The deadline came first"},
        },
        summary="Generate texts",
    )
    async def generate(
        request: Request, asked: Annotated[schemas.GenerateRequest, Body(openapi_examples=generate_examples())]
    ) -> Response:
        worker = service.worker(asked.model)
        if len(asked.items) > service.options.limits.items:
            most = service.options.limits.items
            raise Refused(422, f"A request must have at most {most} items.", remedy="Send several requests.")
        outcomes = await service.outcomes(
            worker, asked.items, client=client_of(request.scope), deadline_ms=asked.deadline_ms
        )
        results = [_told(item.id, outcome) for item, outcome in zip(asked.items, outcomes, strict=True)]
        errors = [outcome for outcome in outcomes if isinstance(outcome, ControlDagError)]
        _note(request, service, worker, asked.items, results, errors)
        body = {"model": worker.name, "request_id": request.state.request_id, "results": results}
        if len(errors) < len(outcomes):
            return JSONResponse(body)
        return JSONResponse(body, status_of(errors[0]), headers_of(errors[0]))

    @app.post(
        "/v1/inspect",
        response_model=schemas.InspectResponse,
        responses={
            **_REFUSALS,
            422: {**_ERROR, "description": "The item cannot be said as asked, or the request breaks a rule"},
            504: {**_ERROR, "description": "The deadline came first"},
        },
        summary="Generate one text and lay open how it came to be",
    )
    async def inspect(
        request: Request, asked: Annotated[schemas.InspectRequest, Body(openapi_examples=inspect_examples())]
    ) -> Response:
        worker = service.worker(asked.model)
        # Where few columns fit beside each other, a graph of many is long: then it holds little beside the routes.
        caps = Caps(vertices=asked.vertices, neighbours=min(2 * asked.columns, max(16, asked.vertices - 32)))
        view = View(caps, asked.columns, tuple(dict.fromkeys(asked.compare)))
        (outcome,) = await service.outcomes(
            worker, [asked.item], client=client_of(request.scope), deadline_ms=asked.deadline_ms, view=view
        )
        errors = [outcome] if isinstance(outcome, ControlDagError) else []
        _note(request, service, worker, [asked.item], [], errors)
        if not isinstance(outcome, Inspection):
            error = described(outcome) if isinstance(outcome, ControlDagError) else {}
            body = {"error": error, "request_id": request.state.request_id}
            return JSONResponse(body, status_of(errors[0]), headers_of(errors[0]))
        laid = await anyio.to_thread.run_sync(_laid_open, service, worker, asked, outcome)
        return JSONResponse({"request_id": request.state.request_id, **laid})

    @app.get("/v1/models", response_model=schemas.ModelsResponse, responses={401: _REFUSALS[401]}, summary="Models")
    async def models() -> Response:
        cards = [_card(worker) for worker in service.workers.values()]
        limits = asdict(service.options.limits)
        return JSONResponse({"models": cards, "limits": limits, "deadline_ms": service.options.deadline_ms})


def _add_checks(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", response_model=schemas.Health, summary="Whether the process answers")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    @app.get(
        "/readyz",
        response_model=schemas.Health,
        responses={503: {"model": schemas.Health}},
        summary="Whether to ask it",
    )
    async def readyz() -> Response:
        return JSONResponse({"status": "ready"}) if service.ready else JSONResponse({"status": "not ready"}, 503)

    @app.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {}}}, 401: _REFUSALS[401]},
        summary="Figures for Prometheus",
    )
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_errors(app: FastAPI) -> None:
    """Everything that goes wrong is told in one form, and without what the user sent."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        problems = error.errors()
        if any(problem["type"] == "json_invalid" for problem in problems):
            return error_response(Refused(400, "The body is not JSON.", remedy="Send one object."), _id(request))
        if request.method == "POST" and not _is_json(request.headers.get("content-type", "")):
            remedy = "Send the header `Content-Type: application/json`."
            return error_response(Refused(415, "The body is not marked as JSON.", remedy=remedy), _id(request))
        where = "; ".join(f"{'.'.join(map(str, p['loc'][1:])) or 'body'}: {p['msg']}" for p in problems[:5])
        message = where.encode("utf-8", "replace").decode()[:500]
        return error_response(Refused(422, f"{message}.", remedy="See /openapi.json."), _id(request))

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        names = {404: "There is no such page.", 405: "The method does not fit.", 400: "The body is not JSON."}
        refusal = Refused(error.status_code, names.get(error.status_code, "The request was refused."))
        response = error_response(refusal, _id(request))
        response.headers.update(error.headers or {})
        return response


def _is_json(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


def _require_token(app: FastAPI) -> None:
    """Says in the API's description what the gate demands."""
    document = app.openapi()
    document.setdefault("components", {})["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
    for path, operations in document["paths"].items():
        if path.startswith(("/v1/", "/metrics")):
            for operation in operations.values():
                operation["security"] = [{"bearer": []}]


def _told(name: str, outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Result):
        return outcome.as_dict()
    assert isinstance(outcome, ControlDagError)
    return {"id": name, "error": described(outcome)}


def _laid_open(
    service: Service, worker: Worker, asked: schemas.InspectRequest, inspection: Inspection
) -> dict[str, Any]:
    example = request_within(asked.item, service.options.limits).example()
    invented = partial(invented_places, example=example, knowledge=worker.model.knowledge)
    return as_json(inspection, invented, picture=asked.picture)


def _card(worker: Worker) -> dict[str, Any]:
    model = worker.model
    schema = model.knowledge.schema
    services = {} if schema is None or model.settings.task == "triples" else schema.services
    return {
        "name": worker.name,
        "task": model.settings.task,
        "decoder": model.settings.decoder,
        "decoders": list(decoders_of(autoregressive=worker.talks)),
        "services": sorted(services),
        "about": {name: service.description for name, service in sorted(services.items())},
        "acts": [] if model.settings.task == "triples" else sorted(known_acts(model.knowledge)),
        "examples": examples_of(model),
    }


def _note(
    request: Request,
    service: Service,
    worker: Worker,
    items: Sequence[schemas.Item],
    results: Sequence[dict[str, Any]],
    errors: Sequence[ControlDagError],
) -> None:
    """What the log says of the request; texts only where the operator wants them there."""
    fields: dict[str, Any] = {"model": worker.name, "items": len(items), "errors": [type(e).__name__ for e in errors]}
    if service.options.log_text:
        fields["asked"] = [item.model_dump(exclude_defaults=True) for item in items]
        fields["said"] = [result.get("text") for result in results]
    request.state.log = fields


def _id(request: Request) -> str:
    return str(request.state.request_id)
