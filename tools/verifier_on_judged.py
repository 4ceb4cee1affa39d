"""How far the bundled verifiers agree with readers: `python -m tools.verifier_on_judged DATA [--out FILE]`.

DATA: the data folder with `judged`. The area under the curve: the chance that a good text scores above a bad one.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from tools.judged_texts import MEANING, read_judged, table

from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.experiments.record import write_result
from controldag.files import json_text
from controldag.verifier.bundled import GENERATION, METRIC, bundled_verifier

SHEETS = {"sgd": ("sgd_dev_unseen.jsonl", "sgd/dev.jsonl.gz"), "dart": ("dart_dev.jsonl", "dart/dev.jsonl.gz")}


def example_of(record: dict) -> Example:  # type: ignore[type-arg]
    """The input of a judged text."""
    if "tripleset" in record:
        return Example(record["id"], triples=tuple(Triple(*each) for each in record["tripleset"]))
    acts = tuple(Act(each["act"], each["slot"], tuple(each["values"])) for each in record["dialog_acts"])
    return Example(record["id"], acts=acts, service=record["service"])


def areas(data: Path, name: str, sheet: str) -> dict[str, dict[str, float]]:
    """By fault and system: wrong meaning by the weakest act, and broken English by its own score."""
    judged, inputs = SHEETS[sheet]
    schema = Schema.load(data / "sgd/dev/schema.json") if sheet == "sgd" else None
    verifier = bundled_verifier(name)
    meaning: dict[str, list[tuple[list[str], float]]] = {}
    english: dict[str, list[tuple[list[str], float]]] = {}
    for row, record in read_judged(data / "judged" / judged, data / inputs):
        found = verifier.verify(example_of(record), [str(row["text"])], schema)[0]
        labels, system = list(row["labels"]), str(row["system"])  # type: ignore[call-overload]
        meaning.setdefault(system, []).append((labels, min(act.probability for act in found.acts)))
        english.setdefault(system, []).append((labels, found.whole))
    both = {"wrong_meaning": table(meaning, MEANING), "broken": table(english, frozenset({"broken"}))}
    # A system none of whose texts has the fault has no area.
    return {fault: {k: round(v, 3) for k, v in found.items() if not math.isnan(v)} for fault, found in both.items()}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, help="a JSON file for the figures, with machine and commit")
    given = parser.parse_args()
    figures = {name: {sheet: areas(given.data, name, sheet) for sheet in SHEETS} for name in (GENERATION, METRIC)}
    print(json_text(figures), end="")
    if given.out is not None:
        write_result(given.out, figures, {"sheets": sorted(SHEETS)})


if __name__ == "__main__":
    main()
