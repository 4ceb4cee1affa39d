"""Plain sentences for real sets of triples."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.constraints import all_of, contains
from controldag.constraints.check import violations
from controldag.data.phrases import entities
from controldag.data.read import read_examples
from controldag.plain.facts import say_facts


@pytest.mark.realdata
def test_every_name_of_dart_dev_is_said(data: Path) -> None:
    broken = []
    for example in read_examples(data / "dart" / "dev.jsonl.gz"):
        text = say_facts(example.triples)
        wanted = [contains(name, whole_word=True, ignore_case=True) for name in entities(example)]
        broken += [(example.id, text)] if violations(all_of(*wanted), text) else []
    assert broken == []
