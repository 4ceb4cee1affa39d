"""Texts judged beside their inputs: grouping, figures of meaning and origin, pairing by id."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controldag.data import samples
from controldag.data.act_syntax import written
from controldag.data.read import read_examples
from controldag.data.records import Act, Example
from controldag.data.schema import Schema
from controldag.errors import DataError, InvalidInput
from controldag.evaluation.decode_run import output_of
from controldag.evaluation.figures import Evaluation, EvaluationOptions
from controldag.evaluation.paired_texts import read_pairs
from controldag.evaluation.system_outputs import Output, Outputs, read_outputs, write_outputs
from controldag.evaluation.verification import MeaningJudge, grouped, verify_pairs
from controldag.generation.result import Result
from controldag.metrics.background import Background
from controldag.metrics.bootstrap import BootstrapOptions
from controldag.metrics.meaning import NOT_JUDGED
from controldag.verifier.verdict import ClaimVerdict, Verification

OBAN = Example("a", (Act("INFORM", "port", ("Oban",)), Act("INFORM", "fare", ("$5",))), service="Ferries_1")
OBAN_AGAIN = Example("b", OBAN.acts, service="Ferries_1", references=("Another wording.",))
MORE = Example("c", (Act("REQ_MORE"),), service="Ferries_1")
EXAMPLES = [OBAN, MORE, OBAN_AGAIN]


@dataclass(frozen=True)
class _Bar:
    act: float = 0.0  # log-odds: a probability of one half
    nothing_else: float = 0.0
    whole: float = 0.0


@dataclass
class _ByWords:
    """A stand-in for the network: an act is said where its value stands; `!` is more, `?` is broken."""

    bar: _Bar = field(default_factory=_Bar)
    calls: list[tuple[str, int]] = field(default_factory=list)

    def verify(self, example: Example, texts: Sequence[str], schema: Schema | None = None) -> list[Verification]:
        self.calls.append((example.id, len(texts)))
        return [self._one(example, text) for text in texts]

    def _one(self, example: Example, text: str) -> Verification:
        said = [all(value in text for value in act.values) for act in example.acts]
        acts = tuple(
            ClaimVerdict(claim, "said" if good else "missing", 0.9 if good else 0.1)
            for claim, good in zip(written(example), said, strict=True)
        )
        more, broken = "!" in text, "?" in text
        good = all(said) and not more and not broken
        return Verification(good, 1.0 if good else -1.0, acts, 0.4 if more else 0.6, 0.4 if broken else 0.6)


def test_each_input_is_read_once_and_order_is_kept() -> None:
    verifier = _ByWords()
    pairs = [(OBAN, "Oban, $5."), (MORE, "More."), (OBAN_AGAIN, "Oban."), (OBAN, "Oban."), (MORE, " ")]
    found = verify_pairs(verifier, pairs, None)
    assert verifier.calls == [("a", 2), ("c", 1)]
    assert [each.accepted for each in found] == [True, True, False, False, False]
    assert [act.verdict for act in found[2].acts] == ["said", "missing"] and found[2] == found[3]
    # Blanks are never shown to a verifier: they say nothing.
    assert [act.verdict for act in found[4].acts] == ["missing"] and found[4].whole == 0.0 and found[4].score < -15


def test_many_texts_of_an_input_come_in_parts() -> None:
    groups = grouped([(OBAN, f"text {number}") for number in range(150)])
    assert [len(group.texts) for group in groups] == [64, 64, 22]
    assert sorted(row for group in groups for rows in group.rows for row in rows) == list(range(150))


def test_figures_of_meaning_count_texts_and_acts_apart() -> None:
    judge = MeaningJudge(_ByWords(), "stand-in")
    texts = ["Oban, $5.", "More!", "Oban?"]
    figures = {each.name: each for each in judge.measures(EXAMPLES, texts, None)}
    # Second: says more. Third: one of two acts, and broken. Acts: one of 2 + 1 + 2.
    assert figures["meaning_text"].value() == pytest.approx(200 / 3)
    assert figures["meaning_act"].value() == pytest.approx(20.0)
    assert figures["broken_text"].value() == pytest.approx(100 / 3)
    assert all(each.lower_is_better and each.signature.startswith("stand-in|") for each in figures.values())


def test_a_failed_request_says_nothing() -> None:
    figures = {each.name: each for each in MeaningJudge(_ByWords(), "x").measures(EXAMPLES, ["", "", ""], None)}
    assert [figures[name].value() for name in ("meaning_text", "meaning_act", "broken_text")] == [100.0] * 3


def test_evaluation_has_meaning_and_origin_only_where_they_are_known() -> None:
    schema = Schema.load(samples.SCHEMA)
    examples = list(read_examples(samples.ACTS, schema=schema))[:4]
    background = Background.of(schema, examples)
    outputs = Outputs(
        (
            Output("a", origin="graph"),
            Output("b", origin="graph"),
            Output("c", origin="plain"),
            Output("", "Infeasible"),
        )
    )
    options = EvaluationOptions(BootstrapOptions(draws=5), meaning=MeaningJudge(_ByWords(), "stand-in"))
    report = Evaluation(examples, outputs, background, options).report()
    shares = [report[f"origin_{origin}"] for origin in ("graph", "clauses", "templates", "plain")]
    assert shares == [50.0, 0.0, 0.0, 25.0] and report["broken_text"] == 25.0 and report["meaning_act"] > 25.0
    bare = Evaluation(examples, Outputs((Output("a"),) * 4), background).report()
    assert bare["origin_graph"] is None and bare["meaning_text"] is None
    assert bare["signatures"]["meaning_text"] == NOT_JUDGED


def test_origins_are_kept_with_outputs(tmp_path: Path) -> None:
    said = Outputs((Output("x", origin="plain"), Output("y"), Output("z", origin="graph")))
    write_outputs(tmp_path / "said.jsonl", EXAMPLES, said)
    assert read_outputs(tmp_path / "said.jsonl", EXAMPLES) == said
    assert output_of(Result("x", "d", 0, 0, 1)).origin in ("", "graph")


def _written(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_texts_find_their_records_by_id(tmp_path: Path) -> None:
    several = _written(
        tmp_path / "said.jsonl", {"id": "c", "text": "1"}, {"id": "a", "text": "2"}, {"id": "c", "text": "3"},
        {"id": "c", "error": "No."},
    )  # fmt: skip
    assert read_pairs(several, EXAMPLES) == [(MORE, "1"), (OBAN, "2"), (MORE, "3"), (MORE, "")]
    assert read_pairs(several, EXAMPLES, 1) == [(MORE, "1")]
    plain = tmp_path / "said.txt"
    plain.write_text("1\n2\n3\n", "utf-8")
    assert read_pairs(plain, EXAMPLES) == list(zip(EXAMPLES, "123", strict=True))
    assert read_pairs(plain, EXAMPLES, 2) == [(OBAN, "1"), (MORE, "2")]


def test_texts_without_a_record_are_told(tmp_path: Path) -> None:
    unknown = _written(tmp_path / "unknown.jsonl", {"id": "a", "text": ""}, {"id": "z", "text": ""})
    with pytest.raises(DataError, match=r"unknown.jsonl:2: field `id`: 'z' is the id of no record"):
        read_pairs(unknown, EXAMPLES)
    twice = _written(tmp_path / "twice.jsonl", {"id": "a", "text": ""})
    with pytest.raises(DataError, match="several records"):
        read_pairs(twice, [OBAN, Example("a", MORE.acts)])
    short = _written(tmp_path / "short.jsonl", {"text": ""}, {"text": ""})
    with pytest.raises(InvalidInput, match="3 lines"):
        read_pairs(short, EXAMPLES)
