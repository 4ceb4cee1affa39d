"""BLEU against meaning errors, by how sure the verifier must be: `python -m tools.trust_curve FILE --out FILE`.

Each record is said by the graph and plainly, once; then the threshold moves. Meaning is judged by `verifier-check`,
which has no part in the choice.
"""

from __future__ import annotations

import argparse
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import controldag as cd
from controldag.cli.data_input import load_schema
from controldag.cli.evaluation_input import read_records
from controldag.cli.verifier_input import open_verifier
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import ControlDagError
from controldag.evaluation.verification import MeaningJudge, verify_pairs
from controldag.files import atomic_write
from controldag.generation.cascade import Cascade
from controldag.generation.request import Request
from controldag.metrics.bleu_statistics import bleu_measures
from controldag.plain import plain_text
from controldag.run_record import write_result
from controldag.verifier.bundled import GENERATION, METRIC
from controldag.verifier.verdict import Verification

THRESHOLDS = (-math.inf, -8.0, -6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 0.5, 1.0, math.inf)


@dataclass(frozen=True, slots=True)
class Said:
    """One record: the graph's text with its score above the bar in use, the plain one, and whether each is wrong."""

    example: Example
    graph: str
    score: float
    plain: str
    graph_wrong: bool
    plain_wrong: bool


def said(nlg: cd.ControlDag, examples: Sequence[Example], schema: Schema | None) -> list[Said]:
    """Every record both ways, judged."""
    requests = [Request(example, trust="graph") for example in examples]
    results = nlg.generate_batch(requests)
    graph = ["" if isinstance(each, ControlDagError) else each.text for each in results]
    plain = [plain_text(example, schema) for example in examples]
    chooses, measures = open_verifier(GENERATION), open_verifier(METRIC)
    cascade = Cascade(chooses, nlg.knowledge)  # type: ignore[arg-type]
    scores = verify_pairs(chooses, list(zip(examples, graph, strict=True)), schema)
    judge = MeaningJudge(measures, METRIC)
    wrong = [judge.wrong(examples, texts, schema) for texts in (graph, plain)]
    return [
        Said(example, graph[i], _above(scores[i], cascade.surer(example)), plain[i], wrong[0][i], wrong[1][i])
        for i, example in enumerate(examples)
    ]


def _above(found: Verification, least: float) -> float:
    """By how much a text passes its bar; one that is not sound never does."""
    return found.score - least if found.sound else -math.inf


def point(found: Sequence[Said], threshold: float) -> dict[str, Any]:
    """The figures where the graph is trusted from this score on."""
    trusted = [each.score >= threshold and bool(each.graph) for each in found]
    texts = [each.graph if ok else each.plain for each, ok in zip(found, trusted, strict=True)]
    wrong = [each.graph_wrong if ok else each.plain_wrong for each, ok in zip(found, trusted, strict=True)]
    bleu = next(iter(bleu_measures(texts, [each.example.references for each in found]))).value()
    return {
        "threshold": None if math.isinf(threshold) else threshold,
        "origin_graph": round(100 * sum(trusted) / len(found), 2),
        "bleu": round(bleu or 0.0, 2),
        "meaning_text": round(100 * sum(wrong) / len(found), 2),
    }


def curve_png(points: Sequence[dict[str, Any]], title: str) -> bytes:
    """A picture: down and to the right is better."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 4.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot([each["bleu"] for each in points], [each["meaning_text"] for each in points], marker="o")
    for each in points:
        axes.annotate(f"{each['origin_graph']:.0f} %", (each["bleu"], each["meaning_text"]), fontsize=7)
    axes.set_xlabel("BLEU")
    axes.set_ylabel("texts of wrong meaning by verifier-check, %")
    axes.set_title(f"{title}; labels: share of the graph's own texts", loc="left", fontsize=9)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    return written.getvalue()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="a data file with references")
    parser.add_argument("--model", default="sgd-mini")
    parser.add_argument("--every", type=int, default=1, help="of how many records one is taken")
    parser.add_argument("--out", type=Path, required=True, help="a JSON file; a plot goes beside it")
    given = parser.parse_args()
    schema = load_schema(None, [given.file])
    records = read_records(given.file, schema, quiet=True)[:: given.every]
    nlg = cd.ControlDag.from_pretrained(given.model, schema=schema)
    found = said(nlg, records, schema)
    points = [point(found, threshold) for threshold in THRESHOLDS]
    settings = {"file": given.file.name, "model": given.model, "every": given.every, "records": len(records)}
    write_result(given.out, {"points": points, "in_use": 0.0}, settings)
    with atomic_write(given.out.with_suffix(".png")) as file:
        file.write(curve_png(points, f"{given.model}, {given.file.parent.name}/{given.file.name.partition('.')[0]}"))
    for each in points:
        print(each)


if __name__ == "__main__":
    main()
