"""Faults by set and system of texts that two readers judged: `python -m tools.count_readings FOLDER [--out FILE]`.

The folder holds texts.jsonl (n, id, set, system, origin, text) and reader-a.jsonl, reader-b.jsonl (n, labels, why).
A text that both systems wrote stands in the sheet once, as *after*: it counts for both.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from controldag.files import json_text
from controldag.run_record import write_result

MEANING = frozenset({"role", "omitted", "invented"})
FAULTS = {"wrong_meaning": MEANING, "broken": frozenset({"broken"}), "any": MEANING | {"broken", "doubled"}}
READERS = ("a", "b")


def interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in %."""
    if not total:
        return 0.0, 100.0
    z, share = 1.96, count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return round(100 * max(0.0, middle - half), 1), round(100 * min(1.0, middle + half), 1)


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def counted(folder: Path) -> dict[str, Any]:
    """Counts with intervals, by set and system, for each reader; and how far the readers agree."""
    texts = {row["n"]: row for row in lines(folder / "texts.jsonl")}
    labels = {r: {row["n"]: frozenset(row["labels"]) for row in lines(folder / f"reader-{r}.jsonl")} for r in READERS}
    groups: dict[str, list[int]] = {}
    for number, row in texts.items():
        groups.setdefault(f"{row['set']}, {row['system']}", []).append(number)
        groups.setdefault(f"{row['set']}, {row['system']}, {row['origin']}", []).append(number)
    found: dict[str, Any] = {}
    for name, members in sorted(groups.items()):
        row = {"texts": len(members)}
        for fault, kinds in FAULTS.items():
            for reader in READERS:
                count = sum(bool(labels[reader][n] & kinds) for n in members)
                share = round(100 * count / len(members), 1)
                row[f"{fault}, reader {reader}"] = [count, share, interval(count, len(members))]
        found[name] = row
    agreement = {
        fault: round(sum(bool(labels["a"][n] & kinds) == bool(labels["b"][n] & kinds) for n in texts) / len(texts), 3)
        for fault, kinds in FAULTS.items()
    }
    return {"groups": found, "agreement": agreement}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="a JSON file for the counts, with machine and commit")
    given = parser.parse_args()
    figures = counted(given.folder)
    print(json_text(figures), end="")
    if given.out is not None:
        write_result(given.out, figures, {"readings": given.folder.name})


if __name__ == "__main__":
    main()
