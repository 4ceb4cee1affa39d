"""`python -m recipes.rescoring MODEL TWIN`: Control-DAG's best texts, ranked anew by the twin.

Every candidate satisfies the constraints already; the autoregressive twin reads all of them in one parallel pass and
its cost by token joins the search's objective. Reported for several weights, with the first candidate as it is
(weight 0), the twin's word alone, and the candidates nearest to the reference: more than that no ranking can reach.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controldag.data.read import read_examples
from controldag.data.records import Example
from controldag.data.value_marks import MarkedValues
from controldag.errors import ControlDagError, InvalidInput
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.metrics.bleu_statistics import bleu_from, bleu_measures, counts
from controldag.metrics.seen import Seen
from controldag.model.twin.predict import ArPredictor
from controldag.pipeline import ControlDag
from controldag.run_record import write_result
from controldag.text.mark_tokens import MarkTokens

WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)


class TwinReader:
    """What the twin thinks of texts: the mean cost of their tokens."""

    def __init__(self, twin: ControlDag) -> None:
        if not isinstance(twin.predictor, ArPredictor):
            raise InvalidInput.of("twin", "be an autoregressive model", twin.checkpoint.name)
        self.twin, self.predictor = twin, twin.predictor
        self._marks = len(MarkTokens(twin.checkpoint.tokenizer))

    def costs(self, example: Example, texts: Sequence[str]) -> list[float]:
        """-log p by token of each text, `</s>` counted."""
        # As the pipeline reads it: marks are counted in the order of its acts.
        ordered = example if self.twin.knowledge.order is None else self.twin.knowledge.order.sort(example)
        values = MarkedValues.of(ordered, self.twin.knowledge.schema, self._marks, self.predictor.marked)
        source = self.twin.prepare(Request(example)).source
        targets = self.twin.checkpoint.tokenizer.encode_batch(values.in_text(text) for text in texts)
        return self.predictor.token_costs(source, targets)


def rescore(
    model: ControlDag, twin: ControlDag, examples: Sequence[Example], unseen: Sequence[bool], n_best: int
) -> dict[str, Any]:
    """BLEU, all and unseen, by weight of the twin's cost; `twin`: its word alone; `oracle`: the nearest candidates."""
    reader = TwinReader(twin)
    outcomes = model.generate_batch([Request(example, n_best=n_best) for example in examples])
    choices: dict[str, list[str]] = {name: [] for name in (*map(str, WEIGHTS), "twin", "oracle")}
    lists = []
    for example, outcome in zip(examples, outcomes, strict=True):
        if not isinstance(outcome, Result):
            raise outcome
        texts = [each.text for each in outcome.n_best] or [outcome.text]
        own = [each.objective for each in outcome.n_best] or [outcome.objective]
        other = reader.costs(example, texts)
        lists.append(len(texts))
        for weight in WEIGHTS:
            joined = [mine + weight * theirs for mine, theirs in zip(own, other, strict=True)]
            choices[str(weight)].append(texts[int(np.argmin(joined))])
        choices["twin"].append(texts[int(np.argmin(other))])
        choices["oracle"].append(max(texts, key=lambda text: _nearness(text, example.references)))
    rows = np.flatnonzero(np.asarray(unseen, bool))
    references = [example.references for example in examples]
    figures: dict[str, Any] = {"n": len(examples), "unseen": len(rows), "candidates": float(np.mean(lists))}
    for name, said in choices.items():
        bleu, brevity, _ = bleu_measures(said, references)
        all_of, of_unseen, bp = bleu.value(), bleu.value(rows), brevity.value()
        figures[name] = {
            key: None if value is None else round(value, 3)
            for key, value in (("bleu", all_of), ("bleu_unseen", of_unseen), ("bp", bp))
        }
    return figures


def _nearness(text: str, references: Sequence[str]) -> float:
    """BLEU of one text against its first reference."""
    return float(bleu_from(counts(text, references[:1])))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="whose texts: a bundled model or a folder")
    parser.add_argument("twin", help="an autoregressive model's folder")
    parser.add_argument("--like", default="", help="lists of the model, where it is fresh from training")
    parser.add_argument("--twin-like", default="sgd-mini", help="lists of the twin, where it is fresh from training")
    parser.add_argument("--data", type=Path, required=True, help="development data; train.jsonl.gz stands beside it")
    parser.add_argument("--every", type=int, default=8, help="take every so many records")
    parser.add_argument("--n-best", type=int, default=10)
    parser.add_argument("--out", type=Path, help="keep the figures here")
    options = parser.parse_args(arguments)
    try:
        model = ControlDag.from_pretrained(options.model, like=options.like)
        twin = ControlDag.from_pretrained(options.twin, like=options.twin_like)
        examples = list(read_examples(options.data))[:: options.every]
        seen = Seen.of(read_examples(options.data.with_name("train.jsonl.gz")))
        figures = rescore(model, twin, examples, [example not in seen for example in examples], options.n_best)
    except ControlDagError as error:
        print(error, file=sys.stderr)
        return 1
    for name, value in figures.items():
        print(name, value)
    if options.out is not None:
        about = {"model": model.checkpoint.name, "twin": twin.checkpoint.name, "n_best": options.n_best}
        write_result(options.out, figures, {**about, "data": options.data.name, "every": options.every})
    return 0


if __name__ == "__main__":
    sys.exit(main())
