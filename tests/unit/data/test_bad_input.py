"""Each kind of bad input gives an error that names file, line, field and remedy, and can be skipped."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from controldag.data import lines, samples
from controldag.data.read import SkipLog, read_examples
from controldag.data.schema import Schema
from controldag.errors import DataError, InvalidInput

GOOD: dict[str, Any] = {
    "service": "Ferries_1",
    "dialog_acts": [{"act": "INFORM", "slot": "fare", "values": ["£5"]}],
    "target": "It costs £5.",
}


def with_line(tmp_path: Path, bad: bytes, name: str = "mine.jsonl") -> Path:
    """A file whose second line is bad and whose others are good."""
    good = json.dumps(GOOD).encode()
    path = tmp_path / name
    path.write_bytes(good + b"\n" + bad + b"\n" + good + b"\n")
    return path


def changed(**fields: Any) -> bytes:
    return json.dumps(GOOD | fields).encode()


def without(field: str) -> bytes:
    return json.dumps({name: value for name, value in GOOD.items() if name != field}).encode()


BAD_LINES = [
    (b'{"service": "Ferries_1", ', "", "invalid JSON"),
    (b"[" * 100_000, "", "JSON"),
    (b'{"a": ' + b"1" * 5000 + b"}", "", "JSON that cannot be read"),
    (b"[1, 2]", "record", "must be an object, but is a list"),
    (b"null", "record", "must be an object, but is null"),
    (b'{"service": "Ferries_1\xff"}', "", "not UTF-8"),
    (changed(target="\ud800"), "", "lone surrogate \\ud800"),
    (without("service"), "service", "is missing"),
    (without("dialog_acts"), "dialog_acts", "is missing"),
    (changed(service=3), "service", "must be a string, but is a number"),
    (changed(target=None), "target", "must be a string, but is null"),
    (changed(dialog_acts={}), "dialog_acts", "must be a list, but is an object"),
    (changed(dialog_acts=[]), "dialog_acts", "at least one act"),
    (changed(dialog_acts=["INFORM"]), "dialog_acts[0]", "must be an object"),
    (changed(dialog_acts=[{"slot": "fare"}]), "dialog_acts[0].act", "is missing"),
    (changed(dialog_acts=[{"act": ""}]), "dialog_acts[0].act", "must not be empty"),
    (changed(dialog_acts=[{"act": "INFORM", "slot": None}]), "dialog_acts[0].slot", "must be a string"),
    (changed(dialog_acts=[{"act": "INFORM", "values": [5]}]), "dialog_acts[0].values[0]", "must be a string"),
    (changed(dialog_acts=[{"act": "INFORM", "values": None}]), "dialog_acts[0].values", "must be a list"),
    (changed(context="hello"), "context", "must be a list"),
    (changed(service="Feries_1"), "service", "not in the schema"),
    (changed(dialog_acts=[{"act": "INFORM", "slot": "fair"}]), "dialog_acts[0].slot", "not in the schema"),
    (changed(target="  "), "target", "is empty"),
    (without("target"), "target", "is empty"),
]


@pytest.mark.parametrize(("bad", "field", "message"), BAD_LINES)
def test_a_bad_line_is_named_and_can_be_skipped(tmp_path: Path, bad: bytes, field: str, message: str) -> None:
    path = with_line(tmp_path, bad)
    schema = Schema.load(samples.SCHEMA)
    with pytest.raises(DataError) as caught:
        list(read_examples(path, schema=schema, for_training=True))
    error = caught.value
    assert (error.path, error.line, error.field) == (str(path), 2, field)
    assert message in error.reason
    assert error.remedy
    skipped = SkipLog()
    assert len(list(read_examples(path, schema=schema, for_training=True, skipped=skipped))) == 2
    assert skipped.total == 1
    assert skipped.summary().startswith("1 bad record skipped: 1 x ")


TURN = {"speaker": "SYSTEM", "utterance": "Hello.", "frames": [{"service": "Ferries_1", "actions": [{"act": "OFFER"}]}]}
TRIPLES = [["a", "b", "c"]]


@pytest.mark.parametrize(
    ("record", "field", "message"),
    [
        ({"turns": [TURN]}, "dialogue_id", "is missing"),
        ({"dialogue_id": "1", "turns": [3]}, "turns[0]", "must be an object"),
        ({"dialogue_id": "1", "turns": [TURN, {"speaker": "USER"}]}, "turns[1].utterance", "is missing"),
        ({"dialogue_id": "1", "turns": [TURN | {"frames": []}]}, "turns[0].frames", "exactly one frame"),
        ({"dialogue_id": "1", "turns": [TURN | {"frames": [{}]}]}, "turns[0].frames[0].actions", "must be a list"),
        ({"tripleset": TRIPLES, "annotations": [{"source": "x"}]}, "annotations[0].text", "is missing"),
        ({"tripleset": TRIPLES, "annotations": [{"text": "x", "source": 3}]}, "annotations[0].source", "a string"),
        ({"tripleset": TRIPLES, "annotations": ["x"]}, "annotations[0]", "must be an object"),
        ({"tripleset": [["a", "b"]], "annotations": []}, "tripleset[0]", "has 2 parts"),
        ({"tripleset": TRIPLES, "references": ["x"], "source": ["y", "z"]}, "source", "names 2"),
        ({"tripleset": [], "references": ["x"]}, "tripleset", "at least one triple"),
    ],
)
def test_a_bad_official_record_is_named(tmp_path: Path, record: object, field: str, message: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([record]))
    with pytest.raises(DataError) as caught:
        list(read_examples(path))
    assert (caught.value.path, caught.value.line, caught.value.field) == (str(path), 1, field)
    assert message in caught.value.reason
    assert caught.value.remedy


def test_the_remedy_for_an_unknown_name_is_the_nearest_known_one(tmp_path: Path) -> None:
    schema = Schema.load(samples.SCHEMA)
    with pytest.raises(DataError, match="Did you mean Ferries_1"):
        list(read_examples(with_line(tmp_path, changed(service="Feries_1")), schema=schema))
    with pytest.raises(DataError, match="Did you mean fare"):
        acts = [{"act": "INFORM", "slot": "fair"}]
        list(read_examples(with_line(tmp_path, changed(dialog_acts=acts)), schema=schema))


def test_an_empty_target_is_fine_outside_of_training(tmp_path: Path) -> None:
    assert [each.target for each in read_examples(with_line(tmp_path, changed(target="")))][1] == ""


def test_nul_and_odd_blanks_pass_unchanged(tmp_path: Path) -> None:
    odd = "a\x00b\u2028c\u00a0\n d"
    acts = [{"act": "INFORM", "slot": "fare", "values": [odd]}]
    examples = list(read_examples(with_line(tmp_path, changed(dialog_acts=acts, target=odd))))
    assert examples[1].acts[0].values == (odd,)
    assert examples[1].target == odd


def test_a_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    assert list(read_examples(with_line(tmp_path, changed(target="\U0001f600"))))[1].target == "\U0001f600"


def gzipped(tmp_path: Path, records: int) -> Path:
    path = tmp_path / "mine.jsonl.gz"
    noise = random.Random(1)
    rows = (json.dumps(GOOD | {"id": f"{noise.random()}"}) for _ in range(records))
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    return path


def test_truncated_gzip_ends_the_file_and_counts_once(tmp_path: Path) -> None:
    path = gzipped(tmp_path, 30_000)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match="truncated") as caught:
        list(read_examples(path))
    assert caught.value.path == str(path)
    assert caught.value.remedy == "Fetch or write the file again."
    assert caught.value.line is not None
    assert caught.value.line > 1
    skipped = SkipLog()
    read = len(list(read_examples(path, skipped=skipped)))
    assert read == caught.value.line - 1
    assert skipped.total == 1


@pytest.mark.parametrize("keep", [5, 15])
def test_gzip_truncated_near_its_start(tmp_path: Path, keep: int) -> None:
    path = gzipped(tmp_path, 3)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DataError, match=r"mine\.jsonl\.gz:1: the gzip data"):
        list(read_examples(path))


def test_damaged_gzip(tmp_path: Path) -> None:
    path = gzipped(tmp_path, 3000)
    content = bytearray(path.read_bytes())
    content[-6] ^= 0xFF  # a byte of the checksum
    path.write_bytes(bytes(content))
    with pytest.raises(DataError, match="damaged"):
        list(read_examples(path))


def test_a_name_in_gz_that_is_no_gzip(tmp_path: Path) -> None:
    path = with_line(tmp_path, changed(), "mine.jsonl.gz")
    with pytest.raises(DataError, match="is not gzip"):
        list(read_examples(path))


def test_gzip_without_the_suffix_is_read(tmp_path: Path) -> None:
    path = gzipped(tmp_path, 3).rename(tmp_path / "mine.jsonl")
    assert len(list(read_examples(path))) == 3


@pytest.mark.parametrize("name", ["mine.jsonl", "mine.json", "mine.jsonl.gz", "mine.xml"])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(DataError, match=r"empty|no records"):
        list(read_examples(tmp_path / name))


def test_an_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_RECORD_BYTES", 1000)
    path = with_line(tmp_path, b"x" * 1001)
    with pytest.raises(DataError, match="longer than 1,000 bytes") as caught:
        list(read_examples(path))
    assert caught.value.line == 2
    skipped = SkipLog()
    assert len(list(read_examples(path, skipped=skipped))) == 1
    assert skipped.total == 1


def test_missing_file_and_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist"):
        read_examples(tmp_path / "nowhere.jsonl")
    with pytest.raises(DataError, match=r"no dialogues_\*\.json"):
        read_examples(tmp_path)
    with_line(tmp_path, changed())
    with pytest.raises(DataError, match=r"Name a file: mine\.jsonl"):
        read_examples(tmp_path)


def test_unknown_format_lists_the_names(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"auto, sgd, sgd-jsonl, gem, dart-json.*Did you mean sgd"):
        read_examples(with_line(tmp_path, changed()), format="sgdd")


def test_a_file_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"question": "why?"}\n')
    with pytest.raises(DataError, match="none of the fields") as caught:
        list(read_examples(path))
    assert "sgd-jsonl" in caught.value.remedy


def test_like_reasons_fall_together_and_their_number_is_bounded() -> None:
    log = SkipLog()
    for number in range(10):
        log.add(DataError(f"byte {number} is not UTF-8.", path="x", line=number))
    assert log.reasons == {"byte # is not UTF-8.": 10}
    for code in range(200):
        log.add(DataError("odd " + chr(0x4E00 + code), path="x"))
    assert log.total == 210
    assert len(log.reasons) <= 51
    assert SkipLog().summary() == "no record skipped"
