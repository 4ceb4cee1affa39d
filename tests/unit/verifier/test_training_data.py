"""Records made false: what is marked wrong is wrong, and nothing else changes."""

from __future__ import annotations

import random
from itertools import islice

from controldag.verifier.lexicon import Lexicon
from controldag.verifier.training.batches import batches
from controldag.verifier.training.draft import MISSING, WRONG, World, draft_of
from controldag.verifier.training.falsify import exchange_values, more_claims, opposite, turned_round
from controldag.verifier.training.garble import _run_on, garble
from controldag.verifier.training.misnamed import another_slot
from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.training.stream import StreamOptions, examples
from controldag.verifier.training.unasked import unasked


def _world() -> World:
    wordings = Wordings()
    for slot in ("from_port", "to_port", "fare", "takes_cars"):
        wordings.add("Ferries", f"Ferries/{slot}", slot.split("_"), ["what", "it", "is"], intent=False)
    wordings.services["Ferries"] = [("ferries",)]
    offer = Record(
        "sgd",
        "Ferries",
        [Said("OFFER", "Ferries/from_port", (0,)), Said("OFFER", "Ferries/to_port", (1,))],
        [("oban",), ("port", "ellen")],
        ["from", 0, "to", 1, "."],
    )
    cars = Record(
        "sgd", "Ferries", [Said("INFORM", "Ferries/takes_cars", (), -1, ("true",))], [], ["it", "takes", "cars", "."]
    )
    fact = Record(
        "dart",
        "relation:dart",
        [Said("FACT", "relation/port", (1,), 0)],
        [("ferry",), ("oban",)],
        [0, "sails", "to", 1, "."],
    )
    return World.of([offer, cars, fact] * 12, wordings)


def test_exchanged_values_make_both_claims_wrong() -> None:
    world, draft = _world(), draft_of(_world().records[0])
    assert exchange_values(draft, world, random.Random(1))
    assert draft.text == ["from", 1, "to", 0, "."] and draft.verdicts == [WRONG, WRONG]


def test_another_slot_makes_one_claim_wrong() -> None:
    world, draft = _world(), draft_of(_world().records[0])
    chance = random.Random(3)
    assert any(another_slot(draft, world, chance) for _ in range(20))
    assert sorted(draft.verdicts) == [0, WRONG] and draft.text == world.records[0].text


def test_a_like_slot_shares_a_word_and_each_has_one_of_its_own() -> None:
    wordings = Wordings()
    for slot in ("from_port", "home_port", "port", "fare"):
        wordings.add("Ferries", f"Ferries/{slot}", slot.split("_"), [], intent=False)
    world = World.of([], wordings)
    assert world.like("Ferries", "Ferries/home_port") == ["Ferries/from_port"]
    assert world.like("Ferries", "Ferries/port") == world.like("Ferries", "Ferries/fare") == []


def test_a_confirmation_that_is_only_stated_is_missing() -> None:
    claims = [Said("CONFIRM", "Ferries/from_port", (0,))]
    for text in ("please confirm the following : the port is @ .", "the port is @ , is that right ?"):
        words: list[str | int] = [0 if word == "@" else word for word in text.split()]
        draft = draft_of(Record("sgd", "Ferries", claims, [("oban",)], words))
        assert unasked(draft, _world(), random.Random(0))
        assert draft.text == ["the", "port", "is", 0, "."] and draft.verdicts == [MISSING]
    assert not unasked(draft, _world(), random.Random(0))


def test_yes_becomes_no_and_a_triple_is_turned_round() -> None:
    world = _world()
    cars, fact = draft_of(world.records[1]), draft_of(world.records[2])
    assert opposite(cars, world, random.Random(0)) and cars.claims[0].worded == ("false",)
    assert turned_round(fact, world, random.Random(0)) and fact.claims[0].subject == 1
    assert cars.verdicts == fact.verdicts == [WRONG]


def test_a_claim_more_is_missing() -> None:
    world, draft = _world(), draft_of(_world().records[1])
    chance = random.Random(0)
    while not more_claims(draft, world, chance):
        pass
    assert MISSING in draft.verdicts and len(draft.verdicts) == len(draft.claims) == 2


def test_garbled_texts_are_broken() -> None:
    world, draft = _world(), draft_of(_world().records[0])
    assert garble(draft, world, random.Random(2)) and draft.broken == 1


def test_the_stream_is_the_same_for_the_same_seed_and_fits_its_batches() -> None:
    world = _world()
    first, second = (list(islice(examples(world, StreamOptions(), random.Random(5)), 200)) for _ in range(2))
    assert first == second
    made = next(batches(world, Lexicon(["ferry"], 50), StreamOptions(), seed=1, unit=2))
    assert len(made.texts) == len(made.claims) == len(made.verdicts) == 24


def test_a_verb_runs_on_after_a_value() -> None:
    world = _world()
    draft = draft_of(Record("sgd", "Ferries", [], [("oban",)], ["the", "port", "is", 0, "."]))
    marked = _run_on([(item, False) for item in draft.text], draft, world, random.Random(0))
    assert [item for item, _ in marked][:6] == ["the", "port", "is", 0, "is", 0] and marked[4][1]
