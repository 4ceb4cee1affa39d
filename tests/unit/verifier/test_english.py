"""Broken sentences to learn from: marked where a reader stumbles, and never what was heard before."""

from __future__ import annotations

import random

from controldag.verifier.training.draft import UNKNOWN, World, draft_of
from controldag.verifier.training.garble import garble
from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.training.stream import StreamOptions, examples
from controldag.verifier.training.usage import Usage
from controldag.verifier.training.wording import WordingOptions

TEXTS = (
    ["the", "fare", "to", 0, "is", 1, "."],
    ["would", "you", "like", "to", "book", "the", "ferry", "?"],
    ["there", "is", "a", "ferry", "to", 0, "."],
)


def _world() -> World:
    wordings = Wordings()
    wordings.add("Ferries", "Ferries/port", ["port"], ["where", "it", "goes"], intent=False)
    wordings.services["Ferries"] = [("ferries",)]
    claims = [Said("OFFER", "Ferries/port", (0,)), Said("OFFER", "Ferries/port", (1,))]
    values = [("oban",), ("ten", "pounds")]
    return World.of([Record("sgd", "Ferries", claims, values, list(text)) for text in TEXTS] * 8, wordings)


def test_usage_knows_followers_and_runs_of_three() -> None:
    usage = Usage(TEXTS)
    chance = random.Random(0)
    assert {usage.after("to", chance) for _ in range(60)} == {"<v>", "book"}
    assert {usage.after(None, chance) for _ in range(60)} == {"the", "would", "there"}
    assert usage.after("?", chance) is None and usage.after("never", chance) is None
    assert not any(usage.is_unheard(text) for text in TEXTS)
    assert usage.is_unheard(["the", "fare", "is", 0, "."])


def test_a_broken_text_was_never_heard_and_is_marked() -> None:
    world, chance = _world(), random.Random(1)
    for _ in range(300):
        draft = draft_of(chance.choice(world.records))
        sound = list(draft.text)
        if not garble(draft, world, chance):
            assert draft.text == sound and draft.broken == 0
            continue
        assert draft.broken == 1 and world.usage.is_unheard(draft.text)
        assert len(draft.odd) == len(draft.text) and set(draft.verdicts) == {UNKNOWN}


def test_marks_stand_at_the_words_of_values_too() -> None:
    options = StreamOptions(garbled=1.0, own_words=0.0, wording=WordingOptions(exchanged=0.0))
    stream = examples(_world(), options, random.Random(2))
    for example in (next(stream) for _ in range(200)):
        assert len(example.odd) == len(example.text.words)
        assert set(example.odd) == {0} if example.broken == 0 else example.broken == 1


def test_random_words_are_no_sound_english() -> None:
    options = StreamOptions(garbled=0.0, false=0.0, own_words=0.0, wording=WordingOptions(exchanged=1.0))
    world = _world()
    world.wordings.ways["Ferries/port"] = [(("ferry",), ())]
    stream = examples(world, options, random.Random(3))
    found = [next(stream) for _ in range(100)]
    sound = [example for example in found if example.broken == 0]
    assert len(sound) < len(found) and all(
        example.text.words[0] != "there" or "ferry" in example.text.words for example in sound
    )
