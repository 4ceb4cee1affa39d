"""Tokenizers: surfaces, special pieces, clear errors, and training."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.errors import InvalidInput
from controldag.text.tokenizer import Tokenizer
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer, write_tokenizer

TEXTS = [
    "<h> Alan Bean <r> BORN <t> 1932",
    "Alan Bean was born in 1932, on March 15th.",
    "I found 3 restaurants in San Jose; shall I reserve a table?",
    "Your reservation at 12:30 pm is made. Have a great day!",
] * 8
OPTIONS = TokenizerOptions(size=320)


@pytest.fixture(scope="module")
def model() -> bytes:
    return train_tokenizer(TEXTS, OPTIONS)


@pytest.fixture(scope="module")
def tokenizer(model: bytes) -> Tokenizer:
    return Tokenizer(model)


def test_special_pieces_have_t5s_ids_and_no_surface(tokenizer: Tokenizer) -> None:
    assert (tokenizer.pad_id, tokenizer.eos_id, tokenizer.unk_id, tokenizer.bos_id) == (0, 1, 2, 3)
    assert [tokenizer.piece(token) for token in range(4)] == ["<pad>", "</s>", "<unk>", "<s>"]
    assert not any(tokenizer.is_surface(token) for token in range(4))
    assert tokenizer.surface([3, *tokenizer.encode("a b"), 1, 0, 2]) == "a b"


def test_marks_of_triples_are_one_piece_that_is_spelled(tokenizer: Tokenizer) -> None:
    for mark in ("<h>", "<r>", "<t>"):
        token = tokenizer.id_of(f"▁{mark}")
        assert token is not None
        assert token in tokenizer.encode(f"{mark} Alan")
        assert tokenizer.piece_bytes(token) == f" {mark}".encode()
        assert tokenizer.is_surface(token)


def test_control_pieces_written_out_in_a_text_are_only_text(tokenizer: Tokenizer) -> None:
    for written in ("<s>", "</s>", "<pad>", "<unk>", "<0x41>"):
        ids = tokenizer.encode(f"a {written}")
        assert all(tokenizer.is_surface(token) for token in ids)
        assert tokenizer.surface(ids) == f"a {written}"


def test_exactly_one_leading_blank_is_dropped(tokenizer: Tokenizer) -> None:
    blank = tokenizer.id_of("▁")
    assert blank is not None
    assert tokenizer.surface([blank, blank]) == " "
    assert tokenizer.surface([]) == ""
    assert tokenizer.surface(tokenizer.encode(" x ")) == " x "


def test_half_a_character_shows_as_a_replacement_mark(tokenizer: Tokenizer) -> None:
    half = tokenizer.id_of("<0xC3>")
    assert half is not None
    assert tokenizer.surface_bytes([half]) == b"\xc3"
    assert tokenizer.surface([half]) == "\N{REPLACEMENT CHARACTER}"


def test_a_batch_is_the_same_as_one_by_one(tokenizer: Tokenizer) -> None:
    texts = ["", "San Jose", "a▁b", " é  "]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]
    assert tokenizer.encode_batch([]) == []


@pytest.mark.parametrize("token", [-1, 320, 10**9])
def test_ids_out_of_range_are_refused(tokenizer: Tokenizer, token: int) -> None:
    for use in (tokenizer.piece_bytes, tokenizer.is_surface, tokenizer.piece, lambda t: tokenizer.surface([5, t])):
        with pytest.raises(InvalidInput, match="from 0 to 319"):
            use(token)


def test_lone_surrogates_are_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(InvalidInput, match="surrogates"):
        tokenizer.encode_batch(["good", "bad \ud800"])


def test_unknown_pieces_are_none(tokenizer: Tokenizer) -> None:
    assert tokenizer.id_of("no such piece") is None
    assert tokenizer.has_byte_fallback


def test_training_is_deterministic_and_written_whole(model: bytes, tmp_path: Path) -> None:
    assert train_tokenizer(iter(TEXTS), OPTIONS) == model
    path = tmp_path / "deep" / "own.model"
    assert write_tokenizer(model, path).size == 320
    assert path.read_bytes() == model
    assert [file.name for file in path.parent.iterdir()] == ["own.model"]
    assert Tokenizer.load(path).encode("San Jose") == Tokenizer(model).encode("San Jose")


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="path of a SentencePiece model"):
        Tokenizer.load(tmp_path / "none.model")
    for content in (b"", b"this is not a model"):
        (tmp_path / "bad.model").write_bytes(content)
        with pytest.raises(InvalidInput, match=r"be a SentencePiece model.*bad\.model"):
            Tokenizer.load(tmp_path / "bad.model")


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 267"):
        TokenizerOptions(size=100)
    with pytest.raises(InvalidInput, match="character_coverage"):
        TokenizerOptions(character_coverage=0.5)
    with pytest.raises(InvalidInput, match="at most"):
        train_tokenizer(TEXTS, TokenizerOptions(size=5000))
    with pytest.raises(InvalidInput, match="room for every character"):
        train_tokenizer(TEXTS, TokenizerOptions(size=268))
    with pytest.raises(InvalidInput, match="at least one text"):
        train_tokenizer(["", "  "], OPTIONS)


@pytest.mark.realdata
def test_t5s_model_normalises_and_lacks_some_characters(data: Path) -> None:
    t5 = Tokenizer.load(data / "t5" / "spiece.model")
    assert (t5.size, t5.pad_id, t5.eos_id, t5.unk_id, t5.bos_id) == (32000, 0, 1, 2, None)
    assert not t5.has_byte_fallback
    assert [t5.piece(token) for token in t5.encode("photosynthesis")] == ["▁photo", "synthesis"]
    assert t5.can_spell("Shall I reserve a table at 71 Saint Peter?")
    assert not t5.can_spell("two  blanks")
    assert t5.surface(t5.encode("\N{LATIN SMALL LIGATURE FI}ne")) == "fine"
    for character in "<\\^{}~`":
        assert t5.has_unknown(t5.encode(f"a{character}b"))
        assert not t5.can_spell(f"a{character}b")
