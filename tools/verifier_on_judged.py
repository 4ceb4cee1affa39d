"""How far the bundled verifiers agree with readers: `python -m tools.verifier_on_judged DATA [--out FILE]`.

DATA: the data folder with `judged`. The area under the curve: the chance that a good text scores above a bad one.
Precision and recall are those of the metrics `meaning_text` and `broken_text`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.evaluation.verification import is_broken, says_more
from controldag.files import atomic_write, json_text
from controldag.run_record import write_result
from controldag.verifier.bundled import GENERATION, METRIC, bundled_verifier
from controldag.verifier.verdict import Verification
from controldag.verifier.verifier import Bar
from tools.calibration import bins_of, calibration_png, expected_error, precision_and_recall
from tools.judged_texts import MEANING, read_judged, table

SHEETS = {"sgd": ("sgd_dev_unseen.jsonl", "sgd/dev.jsonl.gz"), "dart": ("dart_dev.jsonl", "dart/dev.jsonl.gz")}


def example_of(record: dict) -> Example:  # type: ignore[type-arg]
    """The input of a judged text."""
    if "tripleset" in record:
        return Example(record["id"], triples=tuple(Triple(*each) for each in record["tripleset"]))
    acts = tuple(Act(each["act"], each["slot"], tuple(each["values"])) for each in record["dialog_acts"])
    return Example(record["id"], acts=acts, service=record["service"])


class Reading(NamedTuple):
    """A judged text, and what a verifier says of it."""

    system: str
    labels: frozenset[str]
    found: Verification

    @property
    def weakest(self) -> float:
        """How likely the act is said that is least likely to be."""
        return min(act.probability for act in self.found.acts)

    @property
    def wrong(self) -> bool:
        """Whether a reader found its meaning wrong."""
        return bool(MEANING & self.labels)


def readings(data: Path, name: str, sheet: str) -> list[Reading]:
    """The texts of a sheet as a verifier sees them."""
    judged, inputs = SHEETS[sheet]
    schema = Schema.load(data / "sgd/dev/schema.json") if sheet == "sgd" else None
    verifier = bundled_verifier(name)
    return [
        Reading(
            str(row["system"]),
            frozenset(row["labels"]),  # type: ignore[call-overload]
            verifier.verify(example_of(record), [str(row["text"])], schema)[0],
        )
        for row, record in read_judged(data / "judged" / judged, data / inputs)
    ]


def figures(found: Sequence[Reading], bar: Bar) -> dict[str, Any]:
    """Areas by system, for wrong meaning (by weakest act, and by score) and broken English; the metric's precision and
    recall; calibration.
    """
    meaning: dict[str, list[tuple[list[str], float]]] = {}
    english: dict[str, list[tuple[list[str], float]]] = {}
    scores: dict[str, list[tuple[list[str], float]]] = {}
    for each in found:
        scores.setdefault(each.system, []).append((sorted(each.labels), each.found.score))
        meaning.setdefault(each.system, []).append((sorted(each.labels), each.weakest))
        english.setdefault(each.system, []).append((sorted(each.labels), each.found.whole))
    refused = [each.weakest < 1 / (1 + math.exp(-bar.act)) or says_more(each.found, bar) for each in found]
    broken = [is_broken(each.found, bar) for each in found]
    bins = bins_of([(each.weakest, not each.wrong) for each in found])
    return {
        "wrong_meaning": _rounded(table(meaning, MEANING)),
        "wrong_meaning_by_score": _rounded(table(scores, MEANING)),
        "broken": _rounded(table(english, frozenset({"broken"}))),
        "meaning_text": precision_and_recall(refused, [each.wrong for each in found]),
        "broken_text": precision_and_recall(broken, ["broken" in each.labels for each in found]),
        "calibration": {"bins": bins, "expected_error": round(expected_error(bins), 3)},
    }


def _rounded(found: dict[str, float]) -> dict[str, float]:
    """A system none of whose texts has the fault has no area."""
    return {name: round(value, 3) for name, value in found.items() if not math.isnan(value)}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, help="a JSON file for the figures, with machine and commit; .png: a plot")
    given = parser.parse_args()
    all_figures: dict[str, dict[str, Any]] = {}
    for name in (GENERATION, METRIC):
        bar = bundled_verifier(name).bar
        all_figures[name] = {sheet: figures(readings(given.data, name, sheet), bar) for sheet in SHEETS}
    print(json_text(all_figures), end="")
    if given.out is not None:
        write_result(given.out, all_figures, {"sheets": sorted(SHEETS)})
        curves = {f"{n}, {s}": each["calibration"]["bins"] for n, by in all_figures.items() for s, each in by.items()}
        with atomic_write(given.out.with_suffix(".png")) as file:
            file.write(calibration_png(curves))


if __name__ == "__main__":
    main()
