"""Bodies of requests and responses, as OpenAPI shows them and pydantic checks them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from controldag.errors import InvalidInput, utf8

LENGTH = r"^(=?[0-9]{1,6}|[0-9]{1,6}-([0-9]{1,6})?)( (tokens?|words?))?$"


def _speakable(text: str) -> str:
    utf8("text", text)  # a lone surrogate could neither be said nor sent back
    if "\0" in text:
        raise InvalidInput("Texts must hold no NUL.")
    return text


Text = Annotated[str, AfterValidator(_speakable)]
_TRIPLE = Annotated[list[Text], Field(min_length=3, max_length=3)]


class _Strict(BaseModel):
    """Nothing is converted, and nothing unknown is passed over."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ActObject(_Strict):
    """An act as an object, as in SGD's files."""

    act: Text
    slot: Text = ""
    values: list[Text] = []


class Item(_Strict):
    """One text to generate: acts or triples, and what else it must satisfy. Case counts in phrases and patterns."""

    id: Text = Field("", max_length=200, description="Comes back with the result.")
    service: Text = Field("", description="The service that the acts belong to.")
    acts: list[Text | ActObject] = Field([], description="`OFFER(city=San Jose)`, or objects.")
    triples: list[Text | _TRIPLE] = Field([], description="`subject | relation | object`, or lists of three.")
    must: list[Text] = Field([], description="Phrases that the text holds.")
    must_any: list[list[Text]] = Field([], description="Of each group, the text holds one at least.")
    must_not: list[Text] = Field([], description="Phrases that it does not hold.")
    in_order: list[list[Text]] = Field([], description="The phrases of each group, one after another.")
    pattern: list[Text] = Field([], description="Regular expressions with a match in it.")
    prefer: list[Text] = Field([], description="Phrases that it holds if that is not too unlikely.")
    length: Annotated[int, Field(ge=1, le=999_999)] | Annotated[str, Field(pattern=LENGTH)] | None = Field(
        None,
        description="In tokens: 18 is a target, `=18` exact, `10-20` and `10-` are bounds; `8-12 words`: in words.",
    )
    n_best: int = Field(1, ge=1, description="How many texts.")
    decoder: Text = Field("", description="By name; default: the model's own.")
    trust: Literal["", "verified", "graph"] = Field(
        "", description="`verified`: what the verifier refuses is said plainly; `graph`: as the search finds it."
    )


class _Asked(_Strict):
    model: Text = Field("", description="One of /v1/models; default: the first.")
    deadline_ms: int | None = Field(None, ge=1, le=600_000, description="The longest it may take; the service caps it.")


class GenerateRequest(_Asked):
    """Texts to generate."""

    items: list[Item] = Field(min_length=1)


# Exact searches take their time, and are not run for a comparison.
Cheap = Literal["greedy", "lookahead", "viterbi", "joint-viterbi", "beam", "cbs-dag"]


class InspectRequest(_Asked):
    """One text to generate and lay open."""

    item: Item
    vertices: int = Field(48, ge=2, le=200, description="The most vertices told of.")
    columns: int = Field(8, ge=2, le=24, description="So many of the graph's columns stand beside each other.")
    compare: list[Cheap] = Field([], max_length=6, description="Decoders that promise nothing, whose texts to judge.")
    picture: bool = Field(False, description="The graph as SVG, too.")


class Fault(BaseModel):
    """What is wrong and what to do. `conflict`: constraints that exclude each other, and the same in words."""

    kind: str
    message: str
    remedy: str
    conflict: list[str]
    conflict_in_words: list[str]


class ErrorResponse(BaseModel):
    """The request as a whole was not served."""

    error: Fault
    request_id: str


class Verdict(BaseModel):
    """A constraint, whether the text satisfies it, and where: `text[begin:end]`, in code points.

    words: what it asks for. granted: of a wish, whether the text grants it; null: it is a demand.
    """

    label: str
    words: str
    satisfied: bool
    granted: bool | None
    spans: list[Annotated[list[int], Field(min_length=2, max_length=2)]]


class Alternative(BaseModel):
    """One of the best texts."""

    text: str
    cost: float
    objective: float


class ActVerdict(BaseModel):
    """An act or triple, and whether the text says it. probability: that it says it rightly.

    places: `text[begin:end]` that the verdict went by, in code points.
    """

    act: str
    verdict: Literal["said", "wrong", "missing"]
    probability: float
    places: list[Annotated[list[int], Field(min_length=2, max_length=2)]]


class Said(BaseModel):
    """A text and what is known about it; see docs/generation.md.

    verified: whether the verifier accepts it; null where none was asked. nothing_else, whole_english: probabilities
    that the text says nothing beside the input, and that it is whole English.
    """

    id: str
    text: str
    decoder: str
    cost: float
    objective: float
    length: int
    extra_cost: float | None
    origin: str = Field(description="Where the text is from: `graph`, `clauses`, `templates` or `plain`.")
    verified: bool | None
    acts: list[ActVerdict]
    nothing_else: float | None
    whole_english: float | None
    left_out: list[str]
    warnings: list[str] = Field(description="What is probably not meant, as an act that no model knows.")
    constraints: list[Verdict]
    n_best: list[Alternative]
    ms: dict[str, float]


class Failed(BaseModel):
    """An item without a text."""

    id: str
    error: Fault


class GenerateResponse(BaseModel):
    """By item, in order. The status is 200 if any has a text, else that of the first error."""

    model: str
    request_id: str
    results: list[Said | Failed]


class Greedy(BaseModel):
    """What the model would say alone. invented: places of words and numbers that neither list nor input knows.

    verified, acts, nothing_else, whole_english: as of a text that is said; null where the graph is trusted.
    """

    text: str
    constraints: list[Verdict]
    verified: bool | None
    acts: list[ActVerdict]
    nothing_else: float | None
    whole_english: float | None
    invented: list[Annotated[list[int], Field(min_length=2, max_length=2)]]


class OtherText(Greedy):
    """What another decoder says: one that was asked for, or the search whose text the verifier refused."""

    decoder: str


class GraphResponse(BaseModel):
    """The likeliest part of the graph. routes: ways through it. strips: states of constraints along the chosen one."""

    size: int
    note: str
    vertices: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    routes: list[dict[str, Any]]
    strips: list[dict[str, Any]]


class InspectResponse(BaseModel):
    """What happened to one item."""

    model: str
    request_id: str
    input: str
    result: Said
    greedy: Greedy | None
    others: list[OtherText]
    graph: GraphResponse
    svg: str | None


class ModelCard(BaseModel):
    """A model that is served."""

    name: str
    task: str
    decoder: str
    decoders: list[str]
    services: list[str]
    about: dict[str, str] = Field(description="By service: what it does.")
    acts: list[str]
    examples: list[dict[str, Any]]


class SlotCard(BaseModel):
    """A slot. Values of one that is not categorical are said word for word."""

    name: str
    description: str
    is_categorical: bool
    possible_values: list[str]


class IntentCard(BaseModel):
    """Something that a service does."""

    name: str
    description: str


class ServiceCard(BaseModel):
    """What a service can be asked to say. learnt: whether the model was trained on it. examples: items to try."""

    name: str
    description: str
    learnt: bool
    acts: list[str]
    slots: list[SlotCard]
    intents: list[IntentCard]
    examples: list[dict[str, Any]]


class ModelsResponse(BaseModel):
    """The models, the default first, and what a request may ask for."""

    models: list[ModelCard]
    limits: dict[str, int]
    deadline_ms: int


class Health(BaseModel):
    """How the service is."""

    status: str
