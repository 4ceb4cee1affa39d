"""The commands that learn from data files, end to end on a tiny corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controldag.cli.data import app
from controldag.data.occurrence import OccurrenceRules
from controldag.errors import DataError, InvalidInput
from controldag.text.length import LengthModel
from controldag.text.tokenizer import Tokenizer
from controldag.text.words import WordFile

CITIES = ["Davis", "San Jose", "Xanadu", "Petaluma", "Oakland", "Fresno"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with acts.jsonl (service Trains_1, schema beside it), triples.jsonl and one bad file."""
    acts = [
        {
            "id": f"a{number}",
            "service": "Trains_1",
            "dialog_acts": [{"act": "OFFER", "slot": "to", "values": [city]}] * (1 + number % 3),
            "target": f"Shall I book a ticket to {city} for you" + " now" * (number % 3),
        }
        for number, city in enumerate(CITIES * 5)
    ]
    triples = [
        {"id": f"t{n}", "tripleset": [[city, "IN", "California"]], "references": [f"{city} is there."], "source": ["x"]}
        for n, city in enumerate(CITIES * 2)
    ]
    slot = {"name": "to", "description": "City to go to", "is_categorical": False, "possible_values": []}
    schema = [{"service_name": "Trains_1", "description": "Trains", "slots": [slot], "intents": []}]
    (tmp_path / "schema.json").write_text(json.dumps(schema))
    for name, records in (("acts", acts), ("triples", triples)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (tmp_path / "bad.jsonl").write_text(json.dumps(acts[0]) + "\n[1, 2]\n" + json.dumps(acts[1]) + "\n")
    return tmp_path


def _run(*arguments: object) -> dict[str, Any]:
    """The JSON that `controldag data ...` prints; an error of the command is raised here."""
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def test_tokenizer_is_trained_on_inputs_and_references(corpus: Path) -> None:
    made = corpus / "own.model"
    report = _run("tokenizer", corpus / "acts.jsonl", corpus / "triples.jsonl", "--size", 320, "--out", made)
    assert report == {"out": str(made), "pieces": 320, "texts": 2 * 30 + 2 * 12}
    assert Tokenizer.load(made).can_spell("<h> Davis <r> IN <t> \N{SNOWMAN}")


def test_words_of_each_kind(corpus: Path) -> None:
    acts, made = corpus / "acts.jsonl", corpus / "words.txt"
    report = _run("words", acts, "--out", made, "--covers", acts, "--typo-below", 3)
    assert report["names"] == 7  # six cities, San Jose being two words
    assert next(value for name, value in report.items() if name.endswith("spelled")) == 100.0
    assert WordFile.load(made).settings["typo_below"] == 3
    _run("words", acts, "--kind", "paper", "--out", made)
    assert {"Shall", "City"} <= WordFile.load(made).words
    _run("words", acts, "--kind", "neo", "--test", acts, "--out", made)
    assert "Xanadu" in WordFile.load(made)
    assert _run("words", "--kind", "independent", "--out", made)["words"] > 160_000


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--kind", "paper"], "FILES"),
        (["acts.jsonl", "--kind", "independent"], "FILES"),
        (["acts.jsonl", "--kind", "neo"], "--test"),
        (["acts.jsonl", "--test", "acts.jsonl"], "--test"),
        (["none.jsonl"], "There is no none.jsonl"),
        (["sgd/none.jsonl"], "CONTROLDAG_DATA"),
    ],
)
def test_words_refuses_what_does_not_go_together(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], named: str
) -> None:
    monkeypatch.chdir(corpus)
    with pytest.raises(InvalidInput, match=named):
        _run("words", *arguments, "--out", "words.txt")
    assert not Path("words.txt").exists()


def test_rules_are_learned_and_their_effect_shown(corpus: Path) -> None:
    triples, made = corpus / "triples.jsonl", corpus / "rules.json"
    report = _run("rules", triples, "--out", made, "--covers", triples)
    assert report["rules"] == 1
    assert list(report.values())[2:] == [100.0, 1.0, 0.0]
    assert len(OccurrenceRules.load(made)) == 1
    assert _run("rules", triples, "--out", made, "--minimum-support", 13)["rules"] == 0


def test_length_is_fitted_and_saved(corpus: Path) -> None:
    _run("tokenizer", corpus / "acts.jsonl", "--size", 310, "--out", corpus / "own.model")
    report = _run("length", corpus / "acts.jsonl", "--tokenizer", corpus / "own.model", "--out", corpus / "length.json")
    model = LengthModel.load(corpus / "length.json")
    assert report["pairs"] == model.pairs == 30
    assert 0 < model.slope < 1
    assert "own.model" in model.source


def test_stats_counts_draws_and_compares_with_train(corpus: Path) -> None:
    acts, triples, plot = corpus / "acts.jsonl", corpus / "triples.jsonl", corpus / "plot.png"
    report = _run("stats", acts, triples, "--train", acts, "--plot", plot)
    of_acts, of_triples = report["files"].values()
    assert report["unit"] == "words"
    assert (of_acts["records"], of_acts["acts"], of_acts["services"]) == (30, {"OFFER": 60}, {"Trains_1": 30})
    assert of_acts["against_train"]["records_unseen"] == 0
    assert of_triples["against_train"]["records_unseen"] == 12
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_stats_prints_tables_for_people(corpus: Path) -> None:
    result = CliRunner().invoke(app, ["stats", str(corpus / "acts.jsonl"), "--train", str(corpus / "triples.jsonl")])
    assert result.exit_code == 0, result.output
    for expected in ("Lengths in words", "1 services: Trains_1 30", "use what is not in train", "target length ="):
        assert expected in result.output
    result = CliRunner().invoke(app, ["stats", str(corpus / "acts.jsonl"), "--train", str(corpus / "acts.jsonl")])
    assert "every record uses only what is in train" in result.output


def test_bad_records_stop_or_are_skipped(corpus: Path) -> None:
    with pytest.raises(DataError, match=r"bad\.jsonl:2"):
        _run("stats", corpus / "bad.jsonl")
    result = CliRunner().invoke(app, ["stats", str(corpus / "bad.jsonl"), "--skip-bad", "--json"])
    assert next(iter(json.loads(result.stdout)["files"].values()))["records"] == 2
    assert "1 bad record skipped" in result.stderr


def test_names_are_looked_for_in_the_data_folder(corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("CONTROLDAG_DATA", str(corpus))
    assert list(_run("stats", "acts.jsonl")["files"]) == ["acts.jsonl"]
