"""What the shared data must give: counts, error rates and the template baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

from controldag.data.read import read_examples
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.metrics.bleu import corpus_bleu
from controldag.metrics.slot_error import slot_error_rate

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("sgd/train", 164_982),
        ("sgd/dev", 10_000),
        ("sgd/test", 10_000),
        ("dart/train", 23_832),
        ("dart/dev", 2_768),
        ("dart/test", 4_597),
    ],
)
def test_counts(data: Path, name: str, count: int) -> None:
    schema = Schema.load(data / "sgd")
    assert sum(1 for _ in read_examples(data / f"{name}.jsonl.gz", schema=schema)) == count


@pytest.mark.parametrize(
    # The data's own notes give 25.5 and 23.1 for "templates, concatenated", without saying how sentences were
    # joined or finished. These are the figures of plain concatenation: docs/decisions/0023-templates.md.
    ("split", "bleu", "applicable"),
    [("test", 26.77, 6_513), ("dev", 24.03, 6_643)],
)
def test_templates_and_references(data: Path, split: str, bleu: float, applicable: int) -> None:
    schema = Schema.load(data / "sgd")
    templates = Templates.load(data / "sgd" / "templates")
    examples = list(read_examples(data / "sgd" / f"{split}.jsonl.gz", schema=schema))
    texts = [templates.text(example) for example in examples]
    score = corpus_bleu(texts, [example.references for example in examples])
    assert score.score == pytest.approx(bleu, abs=0.01)
    assert score.brevity_penalty == 1.0
    assert slot_error_rate(examples, texts, schema).errors == 0
    references = slot_error_rate(examples, [example.target for example in examples], schema)
    assert (references.errors, references.applicable) == (0, applicable)
