"""Template sentences: which template, which order, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data import samples
from controldag.data.records import Act, Example
from controldag.data.templates import Templates, generic_sentence
from controldag.errors import DataError, InvalidInput

FERRIES = Templates.load(samples.TEMPLATES)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (Act("INFORM", "fare", ("@@ £5",)), "A ticket costs @@ £5."),
        (Act("INFORM", "takes_cars", ("False",)), "It carries no cars."),
        (Act("INFORM_COUNT", "count", ("3",)), "There are 3 crossings."),
        (Act("NOTIFY_SUCCESS"), "Your ticket is booked."),
        (Act("REQUEST", "to_port"), "Where are you going?"),
        (Act("REQUEST", "to_port", ("Oban", "Mull")), "What is the to port: Oban and Mull?"),
        (Act("NOTIFY_FAILURE"), "Notify failure."),
        (Act("OFFER_INTENT", "intent", ("FlyHome",)), "The intent is FlyHome."),
    ],
)
def test_sentence(act: Act, sentence: str) -> None:
    assert FERRIES.sentence("Ferries_1", act) == sentence


def test_an_offered_intent_takes_its_own_template() -> None:
    act = Act("OFFER_INTENT", "intent", ("OrderBread",))
    assert FERRIES.sentence("Bakeries_1", act) == "Shall I order bread?"


def test_order() -> None:
    acts = (Act("OFFER", "fare", ("£5",)), Act("CONFIRM", "to_port", ("Oban",)), Act("NOTIFY_SUCCESS"))
    assert (
        FERRIES.text(Example("x", acts, service="Ferries_1")) == "Your ticket is booked. You go to Oban. It costs £5."
    )


def test_generic_sentences_say_every_value() -> None:
    for act in (Act("A", "s", ("v1", "v2")), Act("REQUEST", "s", ("v1", "v2")), Act("A", "", ("v1", "v2"))):
        assert {"v1", "v2"} <= set(generic_sentence(act).rstrip(".?").replace(":", "").split())


def test_unknown_service_and_bad_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Did you mean Ferries_1"):
        FERRIES.sentence("Feries_1", Act("REQ_MORE"))
    with pytest.raises(DataError, match=r"no \*\.tsv"):
        Templates.load(tmp_path)
    file = tmp_path / "A.tsv"
    for content, message in (
        (b"REQ_MORE\tMore?\nno tab", r"A\.tsv:2: a template must be"),
        (b"INFORM!!a!!@\tno value", r"A\.tsv:1: the key has 1 values, but the sentence 0"),
        (b"\xff", "not UTF-8"),
    ):
        file.write_bytes(content)
        with pytest.raises(DataError, match=message):
            Templates.load(tmp_path)
