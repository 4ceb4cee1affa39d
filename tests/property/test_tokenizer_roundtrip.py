"""A model of ours spells every string, and a text is the sum of its pieces."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
TRAPS = [
    "▁",
    " ",
    "  ",
    "\n",
    "\0",
    "\t",
    "<h>",
    "<s>",
    "</s>",
    "<0x41>",
    "<pad>",
    "<unk>",
    "a",
    "day",
    "é",
    "日",
    "\ufeff",
]
TRICKY_TEXT = st.lists(st.sampled_from(TRAPS), max_size=12).map("".join)


@cache
def own() -> Tokenizer:
    texts = ["I found 3 nice restaurants in San Jose.", "<h> Alan Bean <r> BORN <t> 1932", "Have a good day, café!"]
    return Tokenizer(train_tokenizer(texts * 10, TokenizerOptions(size=302)))


@settings(max_examples=300, deadline=None)
@given(ANY_TEXT | TRICKY_TEXT)
def test_every_string_can_be_spelled(text: str) -> None:
    tokenizer = own()
    ids = tokenizer.encode(text)
    assert tokenizer.surface_bytes(ids) == text.encode("utf-8")
    assert tokenizer.surface(ids) == text
    assert all(tokenizer.is_surface(token) for token in ids)
    assert tokenizer.can_spell(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(min_value=0, max_value=297)), st.data())
def test_piece_by_piece_is_the_whole(ids: list[int], draw: st.DataObject) -> None:
    tokenizer = own()
    cut = draw.draw(st.integers(min_value=0, max_value=len(ids)))
    pieces = b"".join(tokenizer.piece_bytes(token) for token in ids)
    assert tokenizer.surface_bytes(ids) == (pieces[1:] if pieces.startswith(b" ") else pieces)
    # A prefix of the tokens is a prefix of the text, which is what lets a search walk token by token.
    front = tokenizer.surface_bytes(ids[:cut])
    assert tokenizer.surface_bytes(ids).startswith(front)
