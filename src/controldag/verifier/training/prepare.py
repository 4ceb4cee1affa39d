"""Cuts the corpora into words, once: `python -m controldag.verifier.training.prepare DATA OUT`."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from controldag.verifier.training.corpora import read_all
from controldag.verifier.training.prepared import save


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the data folder")
    parser.add_argument("out", type=Path, help="a file: prepared.jsonl.xz")
    given = parser.parse_args()
    records, wordings = read_all(given.data, chance=random.Random(0))
    save(records, wordings, given.out)
    print(f"{len(records)} records, {len(wordings.ways)} slots, intents and relations")


if __name__ == "__main__":
    main()
