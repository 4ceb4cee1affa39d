"""Every layout of the data sets gives the same examples."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from controldag.data import json_stream, samples
from controldag.data.read import SkipLog, read_examples
from controldag.data.records import Act, Example, Triple
from controldag.data.write import record_of, write_examples
from controldag.errors import DataError


def turn(speaker: str, utterance: str, *acts: tuple[str, str, list[str]]) -> dict[str, Any]:
    actions = [{"act": act, "slot": slot, "values": values} for act, slot, values in acts]
    return {"speaker": speaker, "utterance": utterance, "frames": [{"service": "Ferries_1", "actions": actions}]}


DIALOGUE = {
    "dialogue_id": "7_00001",
    "services": ["Ferries_1"],
    "turns": [
        turn("USER", "A ferry, please."),
        turn("SYSTEM", "From where?", ("REQUEST", "from_port", [])),
        turn("USER", "Oban."),
        turn("SYSTEM", "It costs £5.", ("INFORM", "fare", ["£5"]), ("REQ_MORE", "", [])),
    ],
}
TURNS = [
    Example(
        "dev/7_00001_1",
        (Act("REQUEST", "from_port"),),
        service="Ferries_1",
        references=("From where?",),
        context=("A ferry, please.",),
    ),
    Example(
        "dev/7_00001_3",
        (Act("INFORM", "fare", ("£5",)), Act("REQ_MORE")),
        service="Ferries_1",
        references=("It costs £5.",),
        context=("A ferry, please.", "From where?", "Oban."),
    ),
]


def official_sgd(folder: Path, *splits: str) -> Path:
    for split in splits:
        (folder / split).mkdir(parents=True)
        (folder / split / "dialogues_001.json").write_text(json.dumps([DIALOGUE], indent=2), "utf-8")
        (folder / split / "schema.json").write_text(samples.SCHEMA.read_text("utf-8"), "utf-8")
    return folder


def test_official_sgd_split_folder_and_single_file(tmp_path: Path) -> None:
    folder = official_sgd(tmp_path, "dev") / "dev"
    assert list(read_examples(folder)) == TURNS
    assert list(read_examples(folder / "dialogues_001.json")) == TURNS
    assert list(read_examples(folder, format="sgd")) == TURNS


def test_official_sgd_folder_of_splits_goes_train_dev_test(tmp_path: Path) -> None:
    examples = read_examples(official_sgd(tmp_path, "test", "dev", "train"))
    assert [each.id.partition("/")[0] for each in examples] == ["train", "train", "dev", "dev", "test", "test"]


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"speaker": "SYSTEM", "utterance": "x"}, "turns[0].frames"),
        ({"speaker": "SYSTEM", "utterance": "x", "frames": []}, "turns[0].frames"),
        ({"speaker": "SYSTEM", "utterance": "x", "frames": [{"service": "A"}]}, "turns[0].frames[0].actions"),
        ({"speaker": "USER"}, "turns[0].utterance"),
        ([], "turns[0]"),
    ],
)
def test_a_bad_dialogue_is_left_out_whole(tmp_path: Path, bad: Any, field: str) -> None:
    path = official_sgd(tmp_path, "dev") / "dev" / "dialogues_001.json"
    path.write_text(json.dumps([{"dialogue_id": "1", "turns": [bad]}, DIALOGUE]), "utf-8")
    with pytest.raises(DataError) as caught:
        list(read_examples(path))
    assert (caught.value.field, caught.value.line) == (field, 1)
    skipped = SkipLog()
    assert list(read_examples(path, skipped=skipped)) == TURNS
    assert skipped.total == 1


def test_gem_record_with_names_or_class_labels(tmp_path: Path) -> None:
    record = {
        "gem_id": "schema_guided_dialog-test-7",
        "turn_id": 3,
        "prompt": "Oban.",
        "context": ["A ferry, please.", "From where?", "Oban."],
        "service": "Ferries_1",
        "dialog_acts": [
            {"act": 4, "slot": "fare", "values": ["£5"]},
            {"act": "REQ_MORE", "slot": "", "values": []},
            {"act": 17, "slot": "", "values": []},
        ],
        "target": "It costs £5.",
        "references": ["It costs £5.", "Five pounds."],
    }
    path = tmp_path / "gem.jsonl"
    path.write_text(json.dumps(record) + "\n", "utf-8")
    (example,) = read_examples(path)
    assert example.id == "schema_guided_dialog-test-7"
    assert [act.act for act in example.acts] == ["INFORM", "REQ_MORE", "THANK_YOU"]
    assert example.references == ("It costs £5.", "Five pounds.")
    array = tmp_path / "gem.json"
    array.write_text(json.dumps([record]), "utf-8")
    assert list(read_examples(array)) == [example]
    record["dialog_acts"] = [{"act": 18}]
    path.write_text(json.dumps(record) + "\n", "utf-8")
    with pytest.raises(DataError, match="class label from 0 to 17, but is 18"):
        list(read_examples(path))


def test_own_file_needs_service_and_acts_only(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('\ufeff{"service": "S", "dialog_acts": [{"act": "GOODBYE"}], "prompt": "Bye"}\r\n\r\n', "utf-8")
    assert list(read_examples(path)) == [Example("mine-1", (Act("GOODBYE"),), service="S", context=("Bye",))]


DART = [
    Example(
        "dart-dev-1",
        triples=(Triple("A & B", "HEIGHT", "31 | 32"), Triple("", "YEAR", "<1887>")),
        references=("A & B is <31>.", "31."),
        sources=("made", "up"),
    ),
    Example("dart-dev-2", triples=(Triple("Å", "R", "é"),), references=("Å é.",), sources=("made",)),
]


def as_xml(examples: list[Example]) -> str:
    entries = []
    for number, example in enumerate(examples, start=1):
        triples = "".join(
            f"<mtriple>{escape(f'{each.subject} | {each.relation} | {each.object}')}</mtriple>\n"
            for each in example.triples
        )
        texts = "".join(
            f'<lex comment="{source}" lid="Id1">{escape(text)}</lex>'
            for text, source in zip(example.references, example.sources, strict=True)
        )
        entries.append(
            f'<entry category="MISC" eid="Id{number}" size="{len(example.triples)}">'
            f"<modifiedtripleset>{triples}</modifiedtripleset>{texts}</entry>"
        )
    return f"<?xml version='1.0' encoding='utf-8'?>\n<benchmark>\n<entries>{''.join(entries)}</entries></benchmark>\n"


def as_official(examples: list[Example]) -> str:
    return json.dumps(
        [
            {
                "tripleset": [[each.subject, each.relation, each.object] for each in example.triples],
                "subtree_was_extended": False,
                "annotations": [
                    {"source": source, "text": f" {text}\n"}
                    for text, source in zip(example.references, example.sources, strict=True)
                ],
            }
            for example in examples
        ],
        indent=2,
    )


def test_dart_json_xml_and_compact_agree(tmp_path: Path) -> None:
    (tmp_path / "dart-v1.1.1-full-dev.json").write_text(as_official(DART), "utf-8")
    (tmp_path / "dart-v1.1.1-full-dev.xml").write_text(as_xml(DART), "utf-8")
    (tmp_path / "dart-v1.1.1-full-dev.xml.gz").write_bytes(gzip.compress(as_xml(DART).encode()))
    write_examples(tmp_path / "compact.jsonl.gz", DART)
    for name in ("dart-v1.1.1-full-dev.json", "dart-v1.1.1-full-dev.xml", "dart-v1.1.1-full-dev.xml.gz"):
        assert list(read_examples(tmp_path / name)) == DART, name
    assert list(read_examples(tmp_path / "compact.jsonl.gz")) == DART


def test_dart_drops_empty_references(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"tripleset": [["a", "b", "c"]], "annotations": [{"source": "s", "text": " "}]}]')
    assert list(read_examples(path)) == [Example("x-1", triples=(Triple("a", "b", "c"),))]


@pytest.mark.parametrize(
    ("triples", "field"),
    [
        ("[]", "tripleset"),
        ('[["a", "b"]]', "tripleset[0]"),
        ('[["a", "b", 3]]', "tripleset[0][2]"),
        ('"a"', "tripleset"),
    ],
)
def test_bad_triples(tmp_path: Path, triples: str, field: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"tripleset": {triples}}}\n')
    with pytest.raises(DataError) as caught:
        list(read_examples(path))
    assert caught.value.field == field


def test_one_source_for_each_reference(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"tripleset": [["a", "b", "c"]], "references": ["x", "y"], "source": ["s"]}\n')
    with pytest.raises(DataError, match="each of the 2 references, but names 1"):
        list(read_examples(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<!DOCTYPE b [<!ENTITY a "aaaa">]><benchmark>&a;</benchmark>', "refused"),
        ("<benchmark><entries><entry></benchmark>", "malformed XML: mismatched tag"),
        ("<benchmark><entries>", "malformed XML: no element found"),
        ("<benchmark/>", "no records"),
    ],
)
def test_bad_xml(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.xml"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(read_examples(path))


def test_bad_xml_triple_can_be_skipped(tmp_path: Path) -> None:
    path = tmp_path / "dart-dev.xml"
    path.write_text(as_xml(DART).replace("Å | R | é", "Å R é"), "utf-8")
    skipped = SkipLog()
    assert list(read_examples(path, skipped=skipped)) == DART[:1]
    assert skipped.total == 1


@pytest.mark.parametrize(
    ("text", "entry", "message"),
    [
        ('[{"tripleset": [["a", "b", "c"]]} {}]', 2, "separated by commas"),
        ('[{"tripleset": [["a", "b", "c"]]}, {"x": }]', 2, "invalid JSON"),
        ('[{"tripleset": [["a", "b", "c"]]}', 2, "the file ends"),
        ('[{"tripleset": [["a", "b", "c"]]}] x', 2, "follows the end"),
        ('["a"]', 1, "must be an object"),
        ('[{"tripleset": [["a", "b", "\\ud800"]]}]', 1, "lone surrogate"),
        ("[]", None, "no records"),
    ],
)
def test_bad_arrays(tmp_path: Path, text: str, entry: int | None, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        list(read_examples(path))
    assert caught.value.line == entry


def test_an_array_is_read_the_same_in_tiny_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dart-dev.json"
    path.write_text("\ufeff \n" + json.dumps(json.loads(as_official(DART)), ensure_ascii=False), "utf-8")
    monkeypatch.setattr(json_stream, "_CHUNK_BYTES", 1)
    assert list(read_examples(path)) == DART


def test_an_endless_element_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "_CHUNK_BYTES", 64)
    monkeypatch.setattr(json_stream, "MAX_RECORD_BYTES", 1000)
    path = tmp_path / "x.json"
    path.write_text('[{"tripleset": "' + "a" * 5000)
    with pytest.raises(DataError, match=r"invalid JSON|longer than"):
        list(read_examples(path))


def test_samples_read_and_come_back(tmp_path: Path) -> None:
    for file, count in ((samples.ACTS, 12), (samples.TRIPLES, 8)):
        examples = list(read_examples(file, for_training=True))
        assert len(examples) == count
        write_examples(tmp_path / "copy.jsonl", examples)
        assert list(read_examples(tmp_path / "copy.jsonl")) == examples


def test_several_references_of_acts_come_back(tmp_path: Path) -> None:
    example = Example("a", (Act("GOODBYE"),), service="S", references=("Bye", "Ciao", "Bye"))
    assert record_of(example)["references"] == ["Bye", "Ciao", "Bye"]
    write_examples(tmp_path / "a.jsonl", [example])
    assert list(read_examples(tmp_path / "a.jsonl")) == [example]
