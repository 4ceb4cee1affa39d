"""The bundled verifiers on texts of our own: right ones accepted, wrong ones refused, evidence in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.errors import DataError
from controldag.verifier.bundled import GENERATION, METRIC, bundled_verifier
from controldag.verifier.verifier import Verifier

_FLIGHT = Example(
    "x",
    acts=(Act("OFFER", "origin_city", ("Oban",)), Act("OFFER", "destination_city", ("Lerwick",))),
    service="Flights_1",
)
_SCHEMA = Schema.load(Path(__file__).parents[3] / "src/controldag/pretrained/sgd-mini/schema.json")


@pytest.mark.parametrize("name", [GENERATION, METRIC])
def test_values_in_exchanged_roles_are_less_likely_said(name: str) -> None:
    right, wrong = bundled_verifier(name).verify(
        _FLIGHT,
        [
            "The origin city is Oban and the destination city is Lerwick.",
            "The origin city is Lerwick and the destination city is Oban.",
        ],
        _SCHEMA,
    )
    assert right.score > wrong.score and not wrong.accepted


@pytest.mark.parametrize("name", [GENERATION, METRIC])
def test_triples_turned_round_are_refused(name: str) -> None:
    example = Example("x", triples=(Triple("Ilsa Varga", "birthPlace", "Pécs"), Triple("Pécs", "country", "Hungary")))
    right, wrong = bundled_verifier(name).verify(
        example, ["Ilsa Varga was born in Pécs, Hungary.", "Hungary was born in Ilsa Varga in Pécs."]
    )
    assert right.score > wrong.score and not wrong.accepted


def test_evidence_names_each_act_and_its_place() -> None:
    text = "There is a flight from Oban to Lerwick."
    found = bundled_verifier().verify(_FLIGHT, [text], _SCHEMA)[0]
    assert [act.claim for act in found.acts] == ["OFFER(origin_city=Oban)", "OFFER(destination_city=Lerwick)"]
    assert [text[begin:end] for act in found.acts for begin, end in act.places] == ["Oban", "Lerwick"]
    assert set(found.as_dict()) == {"accepted", "score", "acts", "nothing_else", "whole_english"}


def test_texts_are_judged_alike_alone_and_together() -> None:
    texts = [
        "There is a flight from Oban to Lerwick.",
        "Lerwick?",
        "From Oban you can fly to Lerwick, which is far away.",
    ]
    together = bundled_verifier().verify(_FLIGHT, texts, _SCHEMA)
    alone = [bundled_verifier().verify(_FLIGHT, [text], _SCHEMA)[0] for text in texts]
    assert [each.score for each in together] == pytest.approx([each.score for each in alone], abs=1e-3)


def test_odd_texts_and_inputs_are_judged_all_the_same() -> None:
    many = Example("x", acts=tuple(Act("INFORM", f"slot_{n}", (f"v{n}",)) for n in range(40)))
    for example in (_FLIGHT, many, Example("x", acts=(Act("ODD_ACT"),)), Example("x", triples=(Triple("", "", "値"),))):
        found = bundled_verifier().verify(example, ["", "値 ☃", "word " * 2000], None)
        assert len(found) == 3 and all(-100 < each.score < 100 for each in found)


def test_a_folder_without_a_verifier_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no"):
        Verifier.load(tmp_path)
