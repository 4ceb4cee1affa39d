"""What was heard, and the judge of English that reads it: counts come back, and its two versions agree."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
import torch

from controldag.verifier.english import FEATURES, English, features, wrong_small_words
from controldag.verifier.heard import NUMBER, RARE, VALUE, Heard
from controldag.verifier.training.english import EnglishNetwork, heard_in, learn, rows
from controldag.verifier.weights import load_english, save_english
from tests.unit.verifier.test_english import _world

TEXTS = [("the", "fare", "to", VALUE, "is", "12", "."), ("there", "is", "a", "ferry", "to", VALUE, ".")] * 5


def _heard() -> Heard:
    return heard_in((*text, word) for text in TEXTS for word in "abcdefghijklmnopqrstuvwxyz")


def test_counts_come_back_from_a_file_and_unheard_runs_are_told() -> None:
    heard = _heard()
    again = Heard.from_arrays(heard.arrays())
    assert np.array_equal(again.keys, heard.keys) and np.allclose(again.logs, heard.logs)
    often, never = heard.count([("fare", "to", VALUE), ("ferry", "fare")]).tolist()
    assert abs(often - np.log(26)) < 0.1 and never < 0
    assert heard.classes(["fare", "7:40", "xylophone", VALUE]) == ["fare", NUMBER, RARE, VALUE]


def test_a_value_is_one_word_and_its_repetition_is_seen() -> None:
    words = ["the", "fare", "to", "port", "ellen", "to", "port", "ellen"]
    made = features(words, [0, 0, 0, 1, 1, 0, 1, 1], {"far"}, _heard())
    assert made.shape == (2 + 6, FEATURES)
    said_again = made[:, 15]
    assert said_again.tolist() == [0, 0, 0, 0, 0, 0, 1, 0]
    assert features([], [], set(), _heard()).shape == (2, FEATURES)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("he is a astronaut", 1),
        ("an astronaut and a pilot", 0),
        ("with a 8.0 rating", 1),
        ("a 7.2 rating or an 8.0 one", 0),
        ("an 7 am train", 1),
        ("an hour , a user , a one - way trip , a european city , an mp", 0),
        ("an table for 2", 1),
        ("a 18 year old , an 11 am flight", 1),
        ("at 12 pm on today", 1),
        ("today on monday , on the day after tomorrow", 0),
    ],
)
def test_small_words_fit_what_follows(text: str, wrong: int) -> None:
    assert wrong_small_words(text.split()) == wrong


def test_both_versions_of_the_network_agree(tmp_path: Path) -> None:
    torch.manual_seed(0)
    network, heard = EnglishNetwork().eval(), _heard()
    english = English(heard, {name: each.detach().numpy() for name, each in network.state_dict().items()})
    words = ["is", "the", "fare", "fare", "to", "oban", "?"]
    values = [0, 0, 0, 0, 0, 2, 0]
    seen = torch.from_numpy(features(words, values, set(), heard))[None]
    with torch.inference_mode():
        expected = -float(network(seen, torch.ones(1, seen.shape[1], dtype=torch.bool))[0])
    assert abs(english.log_odds(words, values, set()) - expected) < 1e-4
    assert load_english(tmp_path) is None
    save_english(english, tmp_path)
    stored = load_english(tmp_path)
    assert stored is not None and abs(stored.log_odds(words, values, set()) - expected) < 0.05


def test_it_learns_from_texts_that_were_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    world = _world()
    heard = heard_in(tuple(item if isinstance(item, str) else VALUE for item in each.text) for each in world.records)
    monkeypatch.setattr("controldag.verifier.training.english._is_held", lambda record: True)  # out of the counts
    made = rows(world, heard, 60, random.Random(0))
    assert {row.broken for row in made} == {0, 1}
    weights, right = learn(made, 1, random.Random(0))
    assert weights["first.weight"].shape[1] == FEATURES and 0 <= right <= 1
