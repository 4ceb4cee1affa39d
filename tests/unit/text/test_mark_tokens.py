"""Value marks as tokens: pieces of their own, and other bytes for every input."""

from __future__ import annotations

import pytest

from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput
from controldag.surfaces import Surfaces
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer

LINES = [f"<v0> is in <v1>, number {number}, at <v2>." for number in range(200)]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(train_tokenizer(LINES, TokenizerOptions(size=310, marks=3)))


def test_a_mark_is_one_token_with_or_without_its_blank(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("<v0> is ($<v2>) in <v1>.")
    marks = [tokenizer.piece(token) for token in ids if token in MarkTokens(tokenizer).ids]
    assert marks == ["▁<v0>", "<v2>", "▁<v1>"]
    assert tokenizer.surface(ids) == "<v0> is ($<v2>) in <v1>."


def test_marks_spell_the_values_of_one_input(tokenizer: Tokenizer) -> None:
    marks = MarkTokens(tokenizer)
    assert len(marks) == 3
    values = MarkedValues(("71 Saint Peter", "San José"))
    base = Surfaces.of(tokenizer, marks.ids)
    surfaces = base.changed(marks.spelling(values))
    text = b"".join(surfaces.pieces[token] or b"?" for token in tokenizer.encode("<v0> is in <v1>,"))
    assert text.decode() == " 71 Saint Peter is in San José,"
    spaced = tokenizer.id_of("▁<v1>")
    assert spaced is not None and surfaces.spell("San José") == [spaced]
    assert surfaces.speaking[spaced] and not base.speaking[spaced]
    # The third mark stands for nothing here.
    silent = tokenizer.id_of("▁<v2>")
    assert silent is not None and surfaces.pieces[silent] is None


def test_a_text_that_looks_like_a_mark_is_spelled_by_other_tokens(tokenizer: Tokenizer) -> None:
    marks = MarkTokens(tokenizer)
    surfaces = Surfaces.of(tokenizer, marks.ids).changed(marks.spelling(MarkedValues(("a",))))
    tokens = surfaces.spell("<v1>")
    assert not marks.ids & set(tokens)
    assert b"".join(surfaces.pieces[token] or b"?" for token in tokens) == b" <v1>"


def test_more_values_than_marks_are_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(InvalidInput, match="`values` must be at most 3"):
        MarkTokens(tokenizer).spelling(MarkedValues(("a", "b", "c", "d")))


def test_only_tokens_without_a_surface_are_changed(tokenizer: Tokenizer) -> None:
    surfaces = Surfaces.of(tokenizer)
    with pytest.raises(InvalidInput, match="tokens that have none"):
        surfaces.changed({tokenizer.encode("is")[0]: b" was"})


def test_a_tokenizer_without_marks_has_none() -> None:
    plain = Tokenizer(train_tokenizer([f"line {number}" for number in range(200)], TokenizerOptions(size=290)))
    assert len(MarkTokens(plain)) == 0 and not MarkTokens(plain).ids
