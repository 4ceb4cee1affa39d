"""The `nlg:` endpoint of Rasa: the name of a response and a tracker in, a text out, verified or said plainly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from controldag.data.schema import Service as SchemaService
from controldag.errors import ControlDagError, InvalidInput
from controldag.generation.result import Result
from controldag.serving import schemas
from controldag.serving.faults import Refused, described, status_of
from controldag.serving.gate import client_of, error_response
from controldag.serving.rasa import acts_of
from controldag.serving.schemas import Item, Text
from controldag.serving.service import Service


class RasaTracker(BaseModel):
    """The state of a conversation: of all that Rasa sends, the slots are read."""

    slots: dict[Text, Any] = {}


class RasaRequest(BaseModel):
    """What Rasa asks for. Values of `arguments` go before slots of the same name; its `acts` are said as they are."""

    response: Text = Field(description="As in the domain: `utter_ask_city`.")
    arguments: dict[Text, Any] = {}
    tracker: RasaTracker = RasaTracker()


class RasaResponse(BaseModel):
    """What Rasa sends to the user."""

    text: str
    buttons: list[dict[str, Any]]
    image: str | None
    elements: list[dict[str, Any]]
    attachments: list[dict[str, Any]]


_EXAMPLE = {
    "response": "utter_offer",
    "arguments": {},
    "tracker": {"sender_id": "user_0", "slots": {"restaurant_name": "71 Saint Peter", "city": "San Jose"}},
    "channel": {"name": "collector"},
}


def add_rasa(app: FastAPI, service: Service, refusals: Mapping[int | str, dict[str, Any]]) -> None:
    """Adds `/v1/rasa/SERVICE`."""
    error = {"model": schemas.ErrorResponse}

    @app.post(
        "/v1/rasa/{name}",
        response_model=RasaResponse,
        responses={
            **refusals,
            422: {**error, "description": "The response names no act, or cannot be said"},
            504: {**error, "description": "The deadline came first"},
        },
        summary="The nlg endpoint of Rasa",
    )
    async def rasa(
        request: Request,
        name: str,
        asked: Annotated[RasaRequest, Body(openapi_examples={"offer": {"value": _EXAMPLE}})],
        model: str = "",
    ) -> Response:
        worker = service.worker(model)
        schema = worker.model.schema
        if schema is None or name not in schema.services:
            raise Refused(404, "There is no such service.", remedy="GET /v1/models names them.")
        try:
            item = _item(name, asked, {**asked.tracker.slots, **asked.arguments}, schema.services[name])
        except InvalidInput as problem:
            return error_response(Refused(422, problem.message, remedy=problem.remedy), request.state.request_id)
        (outcome,) = await service.outcomes(worker, [item], client=client_of(request.scope), deadline_ms=None)
        if isinstance(outcome, Result):
            return JSONResponse({"text": outcome.text, "buttons": [], "image": None, "elements": [], "attachments": []})
        assert isinstance(outcome, ControlDagError)
        told = described(outcome)
        refusal = Refused(status_of(outcome), told["message"], remedy=told["remedy"])
        return error_response(refusal, request.state.request_id)


def _item(name: str, asked: RasaRequest, slots: Mapping[str, Any], service: SchemaService) -> Item:
    given = asked.arguments.get("acts")
    if given is not None:
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            raise InvalidInput.of("acts", "be a list of texts", given, remedy="Write ['OFFER(city=San Jose)'].")
        return Item.model_validate({"service": name, "acts": given})
    acts = acts_of(asked.response, slots, service)
    said = [{"act": act.act, "slot": act.slot, "values": list(act.values)} for act in acts]
    return Item.model_validate({"service": name, "acts": said})
