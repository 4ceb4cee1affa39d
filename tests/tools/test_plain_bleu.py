"""BLEU of plain sentences: all records, those of unlearnt services, and kinds of turns that are frequent enough."""

from __future__ import annotations

from controldag.data.records import Act, Example
from controldag.data.schema import Schema, Service, Slot
from tools.plain_bleu import figures

SCHEMA = Schema({name: Service(name, slots={"est": Slot("est", "Estimated cost")}) for name in ("Old_1", "New_1")})


def _turn(service: str, said: str) -> Example:
    return Example("x", acts=(Act("INFORM", "est", ("$540",)),), service=service, references=(said,))


def test_figures() -> None:
    right = [_turn("Old_1", "The estimated cost is $540.")] * 20
    wrong = [_turn("New_1", "Nobody ever says anything of that sort.")]
    found = figures([*right, *wrong], SCHEMA, ["Old_1"])
    assert found["bleu_unseen"] != found["bleu"] and figures(right, SCHEMA, ["Old_1"])["bleu"] == 100
    assert figures(right, SCHEMA, ["Old_1"])["bleu_unseen"] is None
    assert list(found["by_acts"]) == ["INFORM"]  # type: ignore[call-overload]
    assert figures(wrong, SCHEMA, [])["by_acts"] == {}
