"""BLEU of plain sentences alone: `python -m tools.plain_bleu FILE --train SCHEMA --every 16 --out FILE`.

It tells how much plain sentences sound like people. Whether they are right, it does not see.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from controldag.cli.data_input import load_schema
from controldag.cli.evaluation_input import read_records
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.metrics.bleu_statistics import bleu_measures
from controldag.plain import plain_text
from controldag.run_record import write_result

# Kinds of turns with fewer records have no figure of their own.
_FEWEST = 20


def figures(records: Sequence[Example], schema: Schema | None, learnt: Iterable[str]) -> dict[str, object]:
    """BLEU over all records, over those of services that are not `learnt`, and by acts."""
    texts = [plain_text(record, schema) for record in records]
    known = set(learnt)
    strange = [place for place, record in enumerate(records) if record.service not in known]
    by_acts: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        by_acts["+".join(sorted({act.act for act in record.acts})) or "triples"].append(place)

    def bleu(places: Sequence[int]) -> float | None:
        references = [records[place].references for place in places]
        value = next(iter(bleu_measures([texts[place] for place in places], references))).value()
        return None if value is None else round(value, 2)

    return {
        "bleu": bleu(range(len(records))),
        "bleu_unseen": bleu(strange) if strange else None,
        "by_acts": {acts: bleu(places) for acts, places in sorted(by_acts.items()) if len(places) >= _FEWEST},
    }


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="a data file with references")
    parser.add_argument("--train", type=Path, help="schema of the training data: its services are no unseen ones")
    parser.add_argument("--every", type=int, default=1, help="of how many records one is taken")
    parser.add_argument("--out", type=Path, help="a JSON file")
    given = parser.parse_args()
    schema = load_schema(None, [given.file])
    records = read_records(given.file, schema, quiet=True)[:: given.every]
    learnt = Schema.load(given.train).services if given.train is not None else ()
    found = figures(records, schema, learnt)
    print(found)
    if given.out is not None:
        write_result(given.out, found, {"file": given.file.name, "every": given.every, "records": len(records)})


if __name__ == "__main__":
    main()
