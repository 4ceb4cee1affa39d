"""How far the bundled verifiers agree with readers: `python -m tools.verifier_on_judged DATA [--out FILE]`.

DATA: the data folder with `judged`; besides, the sheets in results/blind-sheets, without turns that are in `judged`.
The area under the curve: the chance that a good text scores above a bad one. Precision and recall are those of the
metrics `meaning_text` and `broken_text`.
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
from tools.judged_texts import MEANING, read_judged, read_sheets, table

SHEETS = {"sgd": ("sgd_dev_unseen.jsonl", "sgd/dev.jsonl.gz"), "dart": ("dart_dev.jsonl", "dart/dev.jsonl.gz")}
# Texts of further turns, on which nothing was chosen.
BLIND = "blind sheets"
BLIND_FOLDER = Path(__file__).parent.parent / "results/blind-sheets"
# Of the score, in log-odds.
BARS = (1.0, 1.25, 1.5, 2.0, 2.5, 2.65, 2.8, 3.0, 3.1, 3.2, 3.5, 3.75)


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

    @property
    def faulty(self) -> bool:
        """Whether its meaning is wrong, or its English broken."""
        return self.wrong or "broken" in self.labels


def readings(data: Path, name: str, sheet: str) -> list[Reading]:
    """The texts of a sheet as a verifier sees them."""
    schema = None if sheet == "dart" else Schema.load(data / "sgd/dev/schema.json")
    verifier = bundled_verifier(name)
    return [
        Reading(
            str(row["system"]),
            frozenset(row["labels"]),  # type: ignore[call-overload]
            verifier.verify(example_of(record), [str(row["text"])], schema)[0],
        )
        for row, record in texts_of(data, sheet)
    ]


def texts_of(data: Path, sheet: str) -> list[tuple[dict[str, object], dict[str, object]]]:
    """The texts of a sheet with the records of their inputs."""
    judged, inputs = SHEETS["sgd" if sheet == BLIND else sheet]
    found = read_judged(data / "judged" / judged, data / inputs)
    if sheet != BLIND:
        return found
    chosen_on = {row["id"] for row, _ in found}
    return [pair for pair in read_sheets(BLIND_FOLDER, data / inputs) if pair[0]["id"] not in chosen_on]


def kept(found: Sequence[Reading], least: float) -> dict[str, list[list[float]]]:
    """By system and bar: the shares of good and of wrong texts that score as high, say no more and are whole."""
    shares: dict[str, list[list[float]]] = {}
    for system in (*dict.fromkeys(each.system for each in found), "all"):
        texts = [each for each in found if system in (each.system, "all")]
        groups = ([each for each in texts if not each.faulty], [each for each in texts if each.wrong])
        if all(groups):
            shares[system] = [[bar, *(_share_over(bar - least, group) for group in groups)] for bar in BARS]
    return shares


def _share_over(score: float, texts: Sequence[Reading]) -> float:
    return round(sum(each.found.sound and each.found.score >= score for each in texts) / len(texts), 3)


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
        "kept": kept(found, bar.act),
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
        all_figures[name] = {sheet: figures(readings(given.data, name, sheet), bar) for sheet in (*SHEETS, BLIND)}
    print(json_text(all_figures), end="")
    if given.out is not None:
        write_result(given.out, all_figures, {"sheets": [*SHEETS, BLIND]})
        curves = {
            f"{n}, {s}": each["calibration"]["bins"]
            for n, by in all_figures.items()
            for s, each in by.items()
            if s != BLIND
        }
        with atomic_write(given.out.with_suffix(".png")) as file:
            file.write(calibration_png(curves))


if __name__ == "__main__":
    main()
