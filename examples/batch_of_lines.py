"""A batch from JSON lines: results in order, and a bad line carries its error without taking the others along.

The command line does the same: controldag generate --in requests.jsonl --out texts.jsonl
"""

import json
import sys
from pathlib import Path

import controldag as cd
from controldag.generation.json_requests import read_requests
from controldag.generation.request import Request

LINES = """
{"id": "hotel", "service": "Hotels_1", "acts": ["INFORM(street_address=1187 Larkspur Lane)"]}
{"id": "typo", "service": "Hotel_1", "acts": ["INFORM(street_address=1187 Larkspur Lane)"]}
{"id": "dinner", "service": "Restaurants_1", "acts": ["OFFER(city=Half Moon Bay)"], "must_any": [["nice", "good"]]}
{"id": "broken", "service": "Restaurants_1", "acts": ["OFFER(city"]}
"""

lines = Path(sys.argv[1]).read_text("utf-8") if len(sys.argv) > 1 else LINES
parsed = list(read_requests(lines.splitlines(), Request(()), "requests"))
requests = [each for each in parsed if isinstance(each, Request)]

nlg = cd.ControlDag.from_pretrained("sgd-mini")
outcomes = iter(nlg.generate_batch(requests))

for each in parsed:
    outcome = next(outcomes) if isinstance(each, Request) else each
    if isinstance(outcome, cd.ControlDagError):
        print(json.dumps({"id": each.id, "error": str(outcome)}, ensure_ascii=False))
    else:
        print(json.dumps({"id": outcome.id, "text": outcome.text}, ensure_ascii=False))
