"""What is kept of judged texts at a bar, and sheets of readers as judged texts."""

from __future__ import annotations

import gzip
from pathlib import Path

from controldag.verifier.verdict import ClaimVerdict, Verification
from tools.judged_texts import read_sheets
from tools.verifier_on_judged import BARS, Reading, kept


def reading(score: float, *labels: str, sound: bool = True) -> Reading:
    acts = (ClaimVerdict("REQ_MORE", "said", 0.9),)
    return Reading("one", frozenset(labels), Verification(sound and score >= 0, score, acts, 0.9, 0.9, sound))


def test_kept_counts_good_texts_and_wrong_ones_from_each_bar() -> None:
    found = [reading(2.0), reading(9.0, sound=False), reading(9.0, "broken"), reading(0.1, "role"), reading(-3, "role")]
    by_bar = {bar: shares for bar, *shares in kept(found, least=1.25)["one"]}
    assert by_bar[1.25] == [0.5, 0.5]
    assert by_bar[1.5] == [0.5, 0.0]
    assert by_bar[3.5] == [0.0, 0.0]
    assert tuple(by_bar) == BARS


def test_a_system_without_wrong_texts_keeps_no_share_of_them() -> None:
    assert kept([reading(2.0)], least=1.25) == {}


def test_sheets_are_read_with_their_keys(tmp_path: Path) -> None:
    columns = "item,service,input,text,omitted,invented,ungrammatical,doubled,note\n"
    (tmp_path / "a.csv").write_text(f"{columns}1,S_1,REQ_MORE,More?,0,1,1,,\n2,S_1,REQ_MORE,Bye.,0,0,0,0,\n")
    (tmp_path / "a.key.csv").write_text("item,system,id\n1,greedy,dev/1\n2,human,dev/2\n")
    inputs = tmp_path / "dev.jsonl.gz"
    with gzip.open(inputs, "wt") as file:
        file.write('{"id": "dev/1"}\n{"id": "dev/2"}\n{"id": "dev/3"}\n')
    first, second = read_sheets(tmp_path, inputs)
    assert first[0] == {"id": "dev/1", "system": "greedy", "text": "More?", "labels": ["invented", "broken"]}
    assert second[0]["labels"] == [] and second[1] == {"id": "dev/2"}
