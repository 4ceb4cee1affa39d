"""The cascade on the bundled model: verified texts, plain sentences, the user's constraints, and what is too much."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import controldag as cd
from controldag.checkpoint.knowledge import Knowledge
from controldag.data import samples
from controldag.data.schema import Schema, Service, Slot
from controldag.errors import Infeasible, InvalidInput
from controldag.generation.cascade import Cascade, _is_ended, patience
from controldag.generation.familiar import Familiarity, familiarity
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.search.exact import Limits
from controldag.verifier.bundled import bundled_verifier


@pytest.fixture(scope="module")
def known() -> ControlDag:
    return cd.ControlDag.from_pretrained("sgd-mini")


@pytest.fixture(scope="module")
def new() -> ControlDag:
    return cd.ControlDag.from_pretrained("sgd-mini", schema=Schema.load(samples.SCHEMA))


_DINNER = [cd.Act("OFFER", "restaurant_name", ("71 Saint Peter",)), cd.Act("OFFER", "city", ("San Jose",))]
_FERRY = [cd.Act("CONFIRM", "from_port", ("Port Ellen",)), cd.Act("CONFIRM", "to_port", ("Kennacraig",))]


def test_a_learnt_service_is_said_by_the_graph(known: ControlDag) -> None:
    result = known.generate(_DINNER, service="Restaurants_1")
    assert (result.origin, result.verified, result.decoder) == ("graph", True, "cascade")
    assert [act.verdict for act in result.acts] == ["said", "said"]
    assert result.text == known.generate_batch([Request(_DINNER, "Restaurants_1", trust="graph")])[0].text  # type: ignore[union-attr]


def test_a_new_service_is_said_plainly(new: ControlDag) -> None:
    result = new.generate(_FERRY, service="Ferries_1")
    assert result.origin == "plain" and not result.violated
    assert "the port the ferry leaves from is Port Ellen" in result.text


def test_trust_in_the_graph_gives_its_text_and_no_evidence(new: ControlDag) -> None:
    found = new.generate_batch(
        [Request(_FERRY, "Ferries_1", trust="graph"), Request(_FERRY, "Ferries_1", decoder="control-dag")]
    )
    assert [each.verified for each in found] == [None, None]  # type: ignore[union-attr]
    assert len({each.text for each in found}) == 1  # type: ignore[union-attr]


def test_an_unknown_trust_is_an_error(new: ControlDag) -> None:
    found = new.generate_batch([Request(_FERRY, "Ferries_1", trust="grpah")])[0]
    assert isinstance(found, InvalidInput) and "graph" in str(found)


def test_the_users_constraint_holds_whatever_is_said(new: ControlDag) -> None:
    result = new.generate(_FERRY, service="Ferries_1", constraint=cd.contains("booking"))
    assert "booking" in result.text and not result.violated


def test_a_phrase_of_ones_own_leaves_each_value_said_once(known: ControlDag) -> None:
    wanted = (cd.contains("nice") | cd.contains("good")) & ~cd.contains("restaurant")
    result = known.generate(_DINNER, service="Restaurants_1", constraint=wanted)
    assert result.text.count("71 Saint Peter") == result.text.count("San Jose") == 1
    assert not result.left_out and not result.violated


def test_what_no_text_can_satisfy_stays_infeasible(new: ControlDag) -> None:
    with pytest.raises(Infeasible):
        new.generate(_FERRY, service="Ferries_1", constraint=~cd.contains("Port Ellen"))


def test_more_than_the_model_has_room_for_is_a_clear_error(new: ControlDag) -> None:
    acts = [cd.Act("INFORM", "fare", (f"€{number}.50",)) for number in range(10, 50)]
    with pytest.raises(InvalidInput, match="positions"):
        new.generate(acts, service="Ferries_1")


def test_a_list_holds_accepted_texts_alone(known: ControlDag, new: ControlDag) -> None:
    result = known.generate(_DINNER, service="Restaurants_1", n_best=4)
    assert result.n_best and result.n_best[0].text == result.text
    refused = new.generate(_FERRY, service="Ferries_1", n_best=4)
    assert refused.origin == "plain" and [each.text for each in refused.n_best] == [refused.text]


def test_a_first_search_has_little_patience() -> None:
    asked = Limits(max_states=10, until=5.0)
    assert patience(asked) == asked
    assert patience(Limits()).max_states < Limits().max_states and patience(Limits()).until < math.inf


def test_an_unknown_act_is_said_plainly(known: ControlDag) -> None:
    with pytest.warns(cd.OddInput, match="OFFER"):
        result = known.generate([cd.Act("OFERF", "city", ("San Jose",))], service="Restaurants_1")
    assert result.origin == "plain" and "San Jose" in result.text


def test_a_dozen_acts_are_said(new: ControlDag) -> None:
    acts = [cd.Act("INFORM", "fare", (f"€{number}.50",)) for number in range(10, 22)]
    result = new.generate(acts, service="Ferries_1")
    assert all(value in result.text for act in acts for value in act.values)


def test_a_text_that_breaks_off_is_not_sent(known: ControlDag) -> None:
    assert not _is_ended("Sorry, I couldn't book the appointment. Is there")
    assert _is_ended('It is called "The Lark."') and _is_ended("Really?") and not _is_ended("")


BEES = Schema({"Bees_1": Service("Bees_1", "Honey by the hive", {"hive": Slot("hive", "Name of the hive")})})
HIVE = [cd.Act("INFORM", "hive", ("Old Oak",))]


def _no_graph(*_: object, **__: object) -> None:
    raise AssertionError("a graph was predicted")


def test_what_is_of_no_learnt_kind_is_said_without_a_graph(known: ControlDag, monkeypatch: pytest.MonkeyPatch) -> None:
    strange = known.with_schema(BEES)
    monkeypatch.setattr(type(strange.predictor), "start", _no_graph)
    result = strange.generate(HIVE, service="Bees_1")
    assert (result.text, result.origin, result.decoder) == ("The hive is Old Oak.", "plain", "cascade")
    assert result.acts and result.verified is not None and not result.violated and result.ms
    facts = cd.ControlDag.from_pretrained("dart-mini").generate([cd.Triple("Ida Moe", "bee breed kept", "Buckfast")])
    assert facts.origin == "plain" and "Buckfast" in facts.text


def test_a_list_of_no_learnt_kind_begins_with_the_plain_sentence(known: ControlDag) -> None:
    strange = known.with_schema(BEES)
    result = strange.generate(HIVE, service="Bees_1", n_best=3)
    assert result.origin == "plain" and result.n_best[0].text == result.text == "The hive is Old Oak."


def test_where_no_plain_sentence_keeps_the_constraints_the_graph_is_searched(known: ControlDag) -> None:
    result = known.with_schema(BEES).generate(HIVE, service="Bees_1", constraint=cd.contains("reservation"))
    assert "reservation" in result.text and "Old Oak" in result.text and not result.violated


def test_a_checkpoint_that_does_not_say_what_it_has_learnt_is_searched() -> None:
    example = cd.Example("x", acts=tuple(HIVE), service="Bees_1")
    assert familiarity(example, Knowledge(schema=BEES)) is Familiarity.UNTOLD
    assert familiarity(example, Knowledge(schema=BEES, learnt=frozenset({"Other_1"}))) is Familiarity.STRANGE


def test_the_bar_rises_with_how_strange_a_service_is(known: ControlDag) -> None:
    kin = Service("Taverns_1", "A leading provider for restaurant search and reservations", {"city": Slot("city")})
    strange = Service("Bees_1", "Honey by the hive", {"hive": Slot("hive", "Which hive")})
    schema = Schema({**known.schema.services, kin.name: kin, strange.name: strange})  # type: ignore[union-attr]
    cascade = Cascade(bundled_verifier(), replace(known.knowledge, schema=schema))
    ask = cd.Act("REQUEST", "city")
    names = ("Restaurants_1", "Taverns_1", "Bees_1", "Nowhere_1")
    bars = [cascade.surer(cd.Example("x", acts=(ask,), service=name)) for name in names]
    assert bars[0] < bars[1] < bars[2] == bars[3]
