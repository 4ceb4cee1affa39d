"""What is written comes back, whatever the strings; and any bytes give examples or a `DataError`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.data.read import SkipLog, read_examples
from controldag.data.records import Act, Example, Triple
from controldag.data.write import write_examples
from controldag.errors import DataError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAME = TEXT.filter(bool)
MANY = st.lists(TEXT, max_size=3).map(tuple)
ACTS = st.lists(st.builds(Act, NAME, TEXT, MANY), min_size=1, max_size=3).map(tuple)
TURN = st.builds(Example, id=NAME, acts=ACTS, service=TEXT, references=MANY, context=MANY)
ENTRY = st.builds(
    Example,
    id=NAME,
    triples=st.lists(st.builds(Triple, TEXT, TEXT, TEXT), min_size=1, max_size=3).map(tuple),
    references=MANY,
)


@given(st.one_of(st.lists(TURN, min_size=1, max_size=4), st.lists(ENTRY, min_size=1, max_size=4)), st.booleans())
@settings(max_examples=60, deadline=None)
def test_round_trip(examples: list[Example], packed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("x.jsonl.gz" if packed else "x.jsonl")
        assert write_examples(path, examples) == len(examples)
        assert list(read_examples(path)) == examples


MARKS = (
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b":",
    b"\n",
    b"<entry>",
    b"</entry>",
    b"<",
    b"\xff",
    b"\\ud800",
    b"1",
    b"null",
)
NAMES = (b'"service"', b'"dialog_acts"', b'"tripleset"', b"\x1f\x8b", b"\x00", b"\xef\xbb\xbf", b"1e999")
PIECES = st.sampled_from((*MARKS, *NAMES))


@given(st.lists(st.one_of(PIECES, st.binary(max_size=4)), max_size=25), st.sampled_from(["x.json", "x.jsonl", "x.xml"]))
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_examples_or_a_data_error(pieces: list[bytes], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(b"".join(pieces))
        try:
            list(read_examples(path))
        except DataError as error:
            assert error.remedy
            skipped = SkipLog()
            list(read_examples(path, skipped=skipped))
            assert skipped.total >= 1
