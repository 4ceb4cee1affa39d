"""The nearest training template: the commonest of the same kinds, else the most alike that can be filled."""

from __future__ import annotations

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.errors import ControlDagError, InvalidInput
from controldag.evaluation.nearest_template import NearestTemplate
from controldag.generation.request import Request


def offer(reference: str, service: str = "A", **values: str) -> Example:
    acts = tuple(Act("OFFER", slot, (value,)) for slot, value in values.items())
    return Example("x", acts, service=service, references=(reference,) if reference else ())


TRAIN = [
    offer("Try Alder Inn in Oban.", name="Alder Inn", city="Oban"),
    offer("Try Tarn House in Mull.", name="Tarn House", city="Mull"),
    offer("oban has ALDER INN.", name="Alder Inn", city="Oban"),
    offer("Go to Crow Hall in Skye!", "B", name="Crow Hall", city="Skye"),
    offer("How about Oban?", city="Oban"),
    offer("It has no wifi.", wifi="False"),
    Example("i", (Act("OFFER_INTENT", "intent", ("Book",)),), service="A", references=("Shall I book it?",)),
    Example("r", (Act("REQUEST", "city"),), service="A", references=("Where?",)),
    offer("the value is not in here", phone="555"),
]


@pytest.mark.parametrize(
    ("example", "text"),
    [
        (offer("", name="X & Y", city="Z"), "Try X & Y in Z."),
        (offer("", "B", name="X", city="Z"), "Go to X in Z!"),
        (offer("", "C", name="X", city="Z"), "Try X in Z."),
        (offer("", wifi="False"), "It has no wifi."),
        (Example("i", (Act("OFFER_INTENT", "intent", ("Book",)),), service="Q"), "Shall I book it?"),
        # No template has these kinds: the most alike that can be filled.
        (offer("", city="Z", phone="1"), "How about Z?"),
        (offer("", phone="1"), "The phone is 1."),
    ],
)
def test_texts(example: Example, text: str) -> None:
    assert NearestTemplate(TRAIN).text(example) == text


def test_triples() -> None:
    train = [
        Example("a", triples=(Triple("Ada_Krogh", "BORN_IN", "Oban"),), references=("Ada Krogh is from Oban.", "x"))
    ]
    system = NearestTemplate(train)
    assert system.text(Example("b", triples=(Triple("Jun_Sato", "BORN_IN", "Mull"),))) == "Jun Sato is from Mull."
    # Nothing can be filled: a plain sentence.
    assert system.text(Example("c", triples=(Triple("Jun_Sato", "WORKS_AT", "Okapi"),))) == "Jun Sato works at Okapi."
    found = system.generate_batch([Request(Example("d")), Request(train[0])])
    assert isinstance(found[0], ControlDagError)
    assert not isinstance(found[1], ControlDagError) and found[1].text == "Ada Krogh is from Oban."


def test_training_data_without_references() -> None:
    with pytest.raises(InvalidInput, match="template"):
        NearestTemplate([offer("", city="Oban")])
