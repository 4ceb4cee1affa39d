"""Texts put together from single acts, and texts of other services: what is marked wrong or missing is."""

from __future__ import annotations

import random

from controldag.verifier.training.compose import compose
from controldag.verifier.training.draft import MISSING, SAID, UNKNOWN, WRONG, Draft, World, draft_of, in_text
from controldag.verifier.training.falsify import value_for_value
from controldag.verifier.training.foreign import foreign_text
from controldag.verifier.training.records import Record, Said, Wordings

_ASKED = {
    "Ferries": {"port": ("which port do you sail to ?", "what port ?"), "day": ("which day ?", "when do you sail ?")},
    "Cinemas": {"film": ("which film do you want to watch ?", "what film ?")},
}


def _world() -> World:
    wordings, records = Wordings(), []
    for service, slots in _ASKED.items():
        wordings.services[service] = [(service.lower(),)]
        for slot, texts in slots.items():
            key = f"{service}/{slot}"
            wordings.add(service, key, [slot], [], intent=False)
            records += [Record("sgd", service, [Said("REQUEST", key)], [], [*text.split()]) for text in texts]
    fares = [Said("INFORM", "Ferries/port", (0,)), Said("INFORM", "Ferries/day", (1,))]
    records.append(Record("sgd", "Ferries", fares, [("oban",), ("monday",)], ["to", 0, "on", 1, "."]))
    return World.of(records * 300, wordings)


def _sentences(draft: Draft) -> str:
    return " ".join(item if isinstance(item, str) else f"<{item}>" for item in draft.text)


def test_of_two_questions_both_are_asked_or_one_is_missing() -> None:
    world, chance, seen = _world(), random.Random(0), set()
    for _ in range(300):
        draft = draft_of(chance.choice([each for each in world.records if each.service == "Ferries"]))
        if not compose(draft, world, chance):
            assert len(draft.claims) == 2 or draft.verdicts == [SAID]
            continue
        assert len(draft.claims) == len(draft.verdicts) == 2 and draft.broken == UNKNOWN
        text = _sentences(draft)
        for claim, verdict in zip(draft.claims, draft.verdicts, strict=True):
            asked = any(way.removesuffix(" ?") in text for way in _ASKED["Ferries"][claim.key.removeprefix("Ferries/")])
            assert asked == (verdict == SAID)
        seen.add((MISSING in draft.verdicts, len(draft.text) > 6))
    assert len(seen) >= 3  # nothing forgotten; forgotten; forgotten and something else asked twice


def test_a_text_of_another_service_is_wrong_where_a_word_is_foreign() -> None:
    world, chance = _world(), random.Random(0)
    for _ in range(100):
        draft = draft_of(world.records[0])
        if foreign_text(draft, world, chance):
            assert draft.verdicts == [WRONG] and "film" in draft.text
            break
    else:
        raise AssertionError("no text of another service was found")


def test_a_value_in_place_of_another_leaves_that_one_out() -> None:
    world = _world()
    draft = draft_of(next(each for each in world.records if each.values))
    assert value_for_value(draft, world, random.Random(0))
    (gone,) = {0, 1} - in_text(draft)
    assert draft.verdicts[gone] == MISSING and draft.verdicts[1 - gone] == UNKNOWN


def test_the_same_is_said_again_with_the_drafts_values() -> None:
    world = _world()
    draft = draft_of(world.records[0])
    again = world.same_said(draft, random.Random(1))
    assert again == ["what", "port", "?"]
    assert world.same_said(draft_of(next(each for each in world.records if each.values)), random.Random(1)) is None


def test_a_part_said_as_another_slot_is_wrong() -> None:
    wordings, records = Wordings(), []
    for slot, verb in (("port", "to"), ("island", "for")):
        wordings.add("Ferries", f"Ferries/{slot}", [slot], [], intent=False)
        records.append(
            Record(
                "sgd", "Ferries", [Said("INFORM", f"Ferries/{slot}", (0,))], [(slot,)], ["it", "sails", verb, 0, "."]
            )
        )
    day = Record("sgd", "Ferries", [Said("INFORM", "Ferries/day", (0,))], [("monday",)], ["on", 0, "."])
    world, chance, seen = World.of([*records, day], wordings), random.Random(0), set()
    for _ in range(300):
        draft = draft_of(chance.choice(records))
        if compose(draft, world, chance) and WRONG in draft.verdicts:
            assert len(in_text(draft)) == len(draft.claims), "each value is said, one of them as something else"
            seen.add(_sentences(draft))
    assert len(seen) > 2
