"""What the services of a model can be asked to say: slots, intents and acts, for programs and for the page."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from controldag.checkpoint.examples_to_try import item_of
from controldag.generation.sample_turns import sample_turns
from controldag.generation.service_card import service_card
from controldag.serving import schemas
from controldag.serving.faults import Refused
from controldag.serving.service import Service

_ERROR = {"model": schemas.ErrorResponse}


def add_services(app: FastAPI, service: Service) -> None:
    """Adds `/v1/models/MODEL/services/NAME`."""

    @app.get(
        "/v1/models/{model}/services/{name}",
        response_model=schemas.ServiceCard,
        responses={
            401: {**_ERROR, "description": "No valid token"},
            404: {**_ERROR, "description": "No such model or service"},
            422: {**_ERROR, "description": "The request breaks a rule"},
            503: {**_ERROR, "description": "Stopping"},
        },
        summary="Slots, intents and acts of a service",
    )
    async def one_service(model: str, name: str) -> Response:
        knowledge = service.worker(model).model.knowledge
        found = None if knowledge.schema is None else knowledge.schema.services.get(name)
        if found is None:
            raise Refused(404, "There is no such service.", remedy="GET /v1/models names them.")
        examples = [item_of(turn) for turn in sample_turns(found)]
        return JSONResponse({**service_card(found, knowledge), "examples": examples})
