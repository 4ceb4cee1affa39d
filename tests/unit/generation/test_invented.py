"""What a text says that neither list nor input knows."""

from __future__ import annotations

from controldag.checkpoint.knowledge import Knowledge
from controldag.constraints import WordList
from controldag.data.records import Act, Example
from controldag.generation.invented import invented_places

EXAMPLE = Example("x", acts=(Act("OFFER", "city", ("Half Moon Bay",)), Act("OFFER", "time", ("6:45 pm",))), triples=())
KNOWN = Knowledge(words=WordList(["in", "at", "the"]))


def test_words_and_numbers_from_nowhere_are_found_where_they_stand() -> None:
    text = "In the Halff Moon Bay, at 6:45 pm or 9:30."
    found = [text[begin:end] for begin, end in invented_places(text, EXAMPLE, KNOWN)]
    assert found == ["Halff", "or", "9:30."]
