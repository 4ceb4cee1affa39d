"""Plain sentences as tasks: what the source holds, and that nothing of the target is lost."""

from __future__ import annotations

import lzma
import random
import re
from pathlib import Path

import pytest

from controldag.data.schema_words import base_form
from controldag.data.value_marks import MarkedValues
from controldag.errors import DataError
from controldag.training.plain_text import GAP, INFILL, REBUILD, PlainSentences, PlainTasks

SENTENCES = [
    "The old mill in Avon grinds oats for the village bakers.",
    "She sold her boats to a friend from Brent in 1994.",
    "(A) this is an answer to a question",
    "Too short",
]
TASKS = PlainTasks(frozenset({"the", "in", "for", "she", "her", "to", "a", "from"}), 16, 24)


def test_labels_and_fragments_are_left_out(tmp_path: Path) -> None:
    with lzma.open(tmp_path / "plain.xz", "wt", encoding="utf-8") as file:
        file.writelines(f"somewhere\t\t{sentence}\n" for sentence in [*SENTENCES, SENTENCES[0]])
    assert PlainSentences.read(tmp_path / "plain.xz").sentences == tuple(SENTENCES[:2])
    with pytest.raises(DataError, match="cannot be read"):
        PlainSentences.read(tmp_path / "missing.xz")


@pytest.mark.parametrize("task", [INFILL, REBUILD])
@pytest.mark.parametrize("seed", range(20))
def test_marks_of_the_target_are_explained_in_the_source(task: str, seed: int) -> None:
    for sentence in SENTENCES[:2]:
        source, target = TASKS.pair(task, sentence, random.Random(seed))
        known = dict(re.findall(r"<v(\d+)> ([^\s,]+)", source))
        spelled = [""] * 40
        for number, word in known.items():
            word = word.strip(".")
            spelled[int(number)] = word if int(number) < TASKS.value_marks else base_form(word)
        assert MarkedValues(tuple(spelled)).filled(target) == sentence
        assert source.startswith(f"{task} : ")


def test_gaps_and_content_words() -> None:
    sources = [TASKS.pair(INFILL, SENTENCES[0], random.Random(seed))[0] for seed in range(40)]
    assert any(GAP in source.split() for source in sources)
    rebuilt = [TASKS.pair(REBUILD, SENTENCES[0], random.Random(seed))[0] for seed in range(40)]
    assert all(" the " not in source and "Avon" in source for source in rebuilt)
