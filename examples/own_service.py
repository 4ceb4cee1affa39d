"""A service of your own: describe its slots, and values that must be said are said, though no model ever saw them."""

import json
import tempfile
from pathlib import Path

import controldag as cd
from controldag.data.schema import Schema

SERVICE = {
    "service_name": "Ferries_7",
    "description": "Find ferry crossings",
    "slots": [
        {"name": "port", "description": "Port the ferry leaves from", "is_categorical": False},
        {"name": "leaves", "description": "Time at which the ferry leaves", "is_categorical": False},
        {"name": "fare", "description": "Price of one ticket", "is_categorical": False},
    ],
    "intents": [],
}

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "schema.json")
    path.write_text(json.dumps([SERVICE]))
    schema = Schema.load(path)  # or the schema.json that you keep

nlg = cd.ControlDag.from_pretrained("sgd-mini", schema=schema)
turns = (
    [cd.Act("INFORM", "leaves", ("7:40 am",)), cd.Act("INFORM", "port", ("Kennacraig",))],
    [cd.Act("INFORM", "fare", ("€12.50",))],
    [cd.Act("REQUEST", "port")],
)
for acts in turns:
    print(nlg.generate(acts, service="Ferries_7").text)

try:
    nlg.generate([cd.Act("INFORM", "faire", ("€12.50",))], service="Ferries_7")
except cd.InvalidInput as error:
    print("error:", error)
