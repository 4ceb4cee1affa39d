"""Candidates ranked anew by the twin: its costs against one step at a time, and the ends of the scale."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from controldag.errors import InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.bleu_statistics import bleu_measures
from controldag.model.twin.predict import ArPredictor
from controldag.pipeline import ControlDag
from controldag.training.toy import toy_examples
from recipes.rescoring import TwinReader, rescore


@pytest.fixture(scope="module")
def twin(folder: Path, twin_folder: Path) -> ControlDag:
    return ControlDag.from_pretrained(twin_folder, like=folder)


def test_a_texts_cost_is_that_of_its_tokens_one_by_one(twin: ControlDag) -> None:
    example = toy_examples(1, 5)[0]
    texts = ["How about the city of Avon?", "Avon."]
    assert isinstance(twin.predictor, ArPredictor)
    model, tokenizer = twin.predictor.model, twin.checkpoint.tokenizer
    source = torch.tensor([twin.prepare(Request(example)).source.ids])
    for text, cost in zip(texts, TwinReader(twin).costs(example, texts), strict=True):
        tokens = [*tokenizer.encode(text), model.config.eos_token_id]
        with torch.inference_mode():
            cache = model.start(source, len(tokens) + 1)
            spent, last = 0.0, model.config.bos_token_id
            for token in tokens:
                spent -= float(model.step(torch.tensor([last]), cache)[0, token])
                last = token
        assert cost == pytest.approx(spent / len(tokens), rel=1e-4)


def test_without_weight_the_first_candidate_stays(tiny: ControlDag, twin: ControlDag) -> None:
    examples = toy_examples(4, 6)
    figures = rescore(tiny, twin, examples, [True, False, True, False], 3)
    assert figures["n"] == 4 and figures["unseen"] == 2 and 1 <= figures["candidates"] <= 3
    alone = [tiny.generate_batch([Request(example)])[0] for example in examples]
    texts = [each.text for each in alone if isinstance(each, Result)]
    plain = bleu_measures(texts, [example.references for example in examples])[0].value()
    assert figures["0.0"]["bleu"] == pytest.approx(plain, abs=1e-3)
    assert {"twin", "oracle"} <= set(figures)


def test_only_a_twin_can_read(tiny: ControlDag) -> None:
    with pytest.raises(InvalidInput, match="autoregressive"):
        TwinReader(tiny)
