"""Word lists: how each is made, what its file says, and which files are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema, Service, Slot
from controldag.errors import DataError, InvalidInput
from controldag.text.allow_list import ALLOWED_WORDS
from controldag.text.chunks import core, words_of
from controldag.text.coverage import coverage, is_spelled
from controldag.text.independent_words import independent_words
from controldag.text.own_words import OwnWordOptions, english_words, is_glued, is_known, own_words, positions_of_names
from controldag.text.paper_words import evaluation_vocabulary, paper_dictionary, schema_words
from controldag.text.words import MAGIC, WordFile

SLOT = Slot(
    name="event_name", description="Name of event, (or Show)", is_categorical=True, possible_values=("Rock Gig",)
)
SCHEMA = Schema(services={"E": Service(name="E", description="", slots={"event_name": SLOT}, intents=())})


def test_cores_lose_punctuation_at_the_edges_only() -> None:
    assert core("(check-in),") == "check-in"
    assert words_of("I've 2 tickets -- “ok”, $5!  Bye.") == ["I've", "tickets", "“ok”", "Bye"]


def test_the_papers_dictionary_stops_below_the_share_and_adds_the_schema() -> None:
    # the: 6 of 10 words, a: 9 of 10; the third word would reach 100 %.
    targets = ["the the the, the 7", "the the a a a x"]
    assert paper_dictionary(targets, None, share=0.95).words == {"the", "a"}
    assert paper_dictionary(targets, None, share=0.9).words == {"the"}
    assert paper_dictionary(targets, None, share=1.0).words == {"the", "a", "x"}
    assert paper_dictionary(targets, SCHEMA, share=0.9).words == {"the"} | schema_words(SCHEMA)
    with pytest.raises(InvalidInput, match="share"):
        paper_dictionary(targets, None, share=0)


def test_schema_words_are_as_written_and_lower_cased() -> None:
    assert schema_words(SCHEMA) == {"event", "name", "Name", "of", "event,", "(or", "Show)", "show)"}


def test_neos_vocabulary_takes_test_chunks_as_they_are() -> None:
    words = evaluation_vocabulary(["A (dog) 5"], ["a cat. 9"], SCHEMA).words
    assert words == {"A", "dog", "a", "cat.", "9", "Rock", "Gig"} | schema_words(SCHEMA)


@pytest.mark.parametrize(
    ("word", "glued"),
    [
        ("made.The", True),
        ("you?Would", True),
        ("Sure,i", True),
        ("it--the", True),
        ("a.m", False),
        ("U.S.A", False),
        ("I've", False),
        ("check-in", False),
        ("R&B", False),
        ("and/or", False),
    ],
)
def test_glued_words_are_told_from_abbreviations_and_compounds(word: str, glued: bool) -> None:
    assert is_glued(word) is glued


def test_known_words_include_possessives_and_compounds_of_known_words() -> None:
    known = frozenset({"pick", "up", "driver", "i'm", "iOS"})
    for word in ("Pick", "driver's", "pick-up", "Pick/up", "PICK", "Pick-Up", "I'm", "iOS", "a.m", "P.M"):
        assert is_known(word, known)
    for word in ("pik", "pick-upp", "-", "pick--up", "PIck", "pIck-up", "ios"):
        assert not is_known(word, known)


def test_names_cover_whole_spans_only() -> None:
    words = ["In", "Hong", "Kong", "and", "Hong", "or", "Davis's"]
    assert positions_of_names(words, [["Hong", "Kong"], ["Davis"], ["or", "Davis", "and"]]) == {1, 2, 6}


def _turns() -> list[Example]:
    act = Act("OFFER", "city", ("Xanadu",))
    texts = [
        "Shall I book Xanadu for you?",
        "You want a tabel.Yes in Xanadu",
        "I found a tabel",
        "Wifi for you",
        "wifii",
    ]
    return [Example(id=str(i), acts=(act,), service="E", references=(text,)) for i, text in enumerate(texts)]


def test_our_words_leave_out_typos_glued_words_and_names() -> None:
    made = own_words(_turns(), SCHEMA, OwnWordOptions(typo_below=2))
    assert {"Shall", "I", "book", "for", "you", "You", "want", "a", "in", "found"} <= made.words
    assert not {"Xanadu", "tabel", "tabel.Yes", "wifii", "(or"} & made.words
    assert {"event", "or", "Show"} <= made.words  # the schema's words, without edge punctuation
    assert made.figures["glued"] == 1
    assert made.figures["names"] == 1
    # A word no dictionary knows stays when people use it often enough.
    assert "tabel" in own_words(_turns() * 20, None, OwnWordOptions(typo_below=20)).words


def test_a_word_that_is_also_used_outside_names_stays() -> None:
    turns = [
        Example(id="1", triples=(Triple("coffee shop", "IS", "open"),), references=("A coffee shop is open.",) * 9),
        Example(id="2", triples=(Triple("x", "IS", "y"),), references=("A shop.",)),
    ]
    words = own_words(turns, None).words
    assert "shop" in words
    assert "coffee" not in words
    with pytest.raises(InvalidInput, match="entity_share"):
        OwnWordOptions(entity_share=0)
    with pytest.raises(InvalidInput, match="typo_below"):
        OwnWordOptions(typo_below=0)


def test_the_independent_list_ignores_case_and_holds_the_allow_list() -> None:
    made = independent_words()
    assert "Check-In" in made
    assert "reservation" in made
    assert "reservtion" not in made
    assert made.words >= ALLOWED_WORDS
    # Every line of the hand-written list earns its place.
    assert not ALLOWED_WORDS & english_words()


def test_spelling_goes_chunk_by_chunk() -> None:
    words = {"We", "met", "in", "check-in"}
    assert is_spelled("We met in 'Hong Kong's', (check-in).", words, ["Hong Kong"])
    assert not is_spelled("We met in Hong", words, ["Hong Kong"])
    assert not is_spelled("We met inHong Kong", words, ["Hong Kong"])
    assert not is_spelled("We  met", words)
    assert not is_spelled("We met ", words)
    assert is_spelled("We met - in $12.50", words)
    assert is_spelled("We met in 12", words, numbers={"12"})
    assert not is_spelled("We met in 13", words, numbers={"12"})
    assert is_spelled("We met in in Kong-in", words, ["in Kong-in", "in Kong"])


def test_coverage_counts_first_references_and_overlooks_double_blanks() -> None:
    examples = [
        Example(id="1", acts=(Act("A", "b", ("7",)),), references=("a  7", "z")),
        Example(id="2", references=("a 8",)),
    ]
    assert coverage(examples, {"a"}).percent == 100
    assert coverage(examples, {"a"}, numbers_from_input=True).percent == 50
    assert coverage(examples, {"a"}, first_only=False).total == 3
    assert coverage([], {"a"}).percent == 0


def test_a_saved_list_comes_back_equal_and_says_how_it_was_made(tmp_path: Path) -> None:
    made = WordFile("ours", frozenset({"b", "é", "#1", "A"}), source="train.jsonl", settings={"x": 1}, figures={"y": 2})
    made.save(tmp_path / "words.txt")
    lines = (tmp_path / "words.txt").read_text("utf-8").splitlines()
    assert lines[0] == MAGIC
    assert '# settings: {"x": 1}' in lines
    assert lines[-4:] == ["#1", "A", "b", "é"]
    assert WordFile.load(tmp_path / "words.txt") == made


def test_an_empty_list_can_be_saved(tmp_path: Path) -> None:
    WordFile("ours", frozenset()).save(tmp_path / "words.txt")
    assert len(WordFile.load(tmp_path / "words.txt")) == 0


@pytest.mark.parametrize("word", ["", "two words", "line\nbreak", "end "])
def test_what_is_no_single_word_is_refused(word: str) -> None:
    with pytest.raises(InvalidInput, match="single words"):
        WordFile("ours", frozenset({word}))


def test_a_list_that_ignores_case_holds_lower_case_only() -> None:
    with pytest.raises(InvalidInput, match="lower-cased"):
        WordFile("x", frozenset({"A"}), ignore_case=True)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("# controldag word list 1\n", "", "must begin with"),
        ("# ---\n", "", "must begin with"),
        ("# words: 2", "# words: 3", "promises 3 words"),
        ("# words: 2", "# words: {", "cannot be read"),
        ('# kind: "ours"\n', "", "no `kind`"),
        ('"as written"', '"upper"', "unknown `case`"),
        ("\na\nb\n", "\nb\na\n", "not sorted"),
        ("\na\nb\n", "\na\na\n", "word twice"),
        ("\na\nb\n", "\na b\nc\n", "single words"),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, old: str, new: str, named: str) -> None:
    path = tmp_path / "words.txt"
    WordFile("ours", frozenset({"a", "b"})).save(path)
    content = path.read_text("utf-8")
    assert old in content
    path.write_text(content.replace(old, new), "utf-8")
    with pytest.raises(DataError, match=named):
        WordFile.load(path)


def test_files_that_are_missing_or_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        WordFile.load(tmp_path / "none.txt")
    (tmp_path / "x.txt").write_bytes(b"\xff")
    with pytest.raises(DataError, match="not UTF-8"):
        WordFile.load(tmp_path / "x.txt")
