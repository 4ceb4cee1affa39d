"""`python -m tools.make_library_sample`: the made-up data of docs/tutorial.md, written to examples/library.

Every text is put together from phrases below, so that nothing is anybody's data; the same on every machine.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "library"
TRAIN, DEV = 240, 60
TITLES = (
    "The Salt Road",
    "Nine Lanterns",
    "A Field of Rye",
    "Winter Ferries",
    "The Glass Orchard",
    "Low Tide",
    "Bees",
    "The Quiet Engine",
    "Maps of Home",
    "Under the Elm",
    "Tin Soldiers",
    "The Last Lighthouse",
    "Marrow",
    "Ash Lane",
)
AUTHORS = ("Ada Quist", "Bela Marsh", "Nora Finch", "Tomas Weld", "Ivy Okoro", "Sven Dahl", "Lena Prior", "Owen Achebe")
BRANCHES = ("Mill Street", "Harbour", "Old Town", "Northgate", "Castle Hill", "Riverside", "Station Road")
DATES = ("March 3rd", "March 9th", "April 1st", "April 17th", "May 5th", "May 22nd", "June 8th", "next Friday")
SHELVES = ("B12", "C4", "F7", "K21", "M3", "R16", "T9", "A30")
FEES = ("$0.40", "$1.20", "$2.75", "$3.10", "$5.00", "$6.60")

VALUES = {
    "title": TITLES,
    "author": AUTHORS,
    "branch": BRANCHES,
    "due_date": DATES,
    "shelf": SHELVES,
    "late_fee": FEES,
}

SCHEMA = [
    {
        "service_name": "Library_1",
        "description": "Find books in the branches of a city library, and lend them",
        "slots": [
            {"name": "title", "description": "Title of the book", "is_categorical": False},
            {"name": "author", "description": "Author of the book", "is_categorical": False},
            {"name": "branch", "description": "Branch of the library that has the book", "is_categorical": False},
            {"name": "shelf", "description": "Shelf on which the book stands", "is_categorical": False},
            {"name": "due_date", "description": "Date on which the book has to be back", "is_categorical": False},
            {"name": "late_fee", "description": "Fee for books that are overdue", "is_categorical": False},
        ],
        "intents": [
            {"name": "FindBook", "description": "Find a book by title or author"},
            {"name": "LendBook", "description": "Put a book on hold and take it home"},
        ],
    }
]

# The acts of a turn, each with its slot, and ways to say them; {slot} stands for the value.
TURNS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        ("REQUEST title",),
        ("Which book are you after?", "What is the title of the book?", "Which title shall I look up?"),
    ),
    (("REQUEST branch",), ("Which branch suits you best?", "At which branch would you like to pick it up?")),
    (("REQUEST author",), ("Who wrote it?", "Do you know the author's name?")),
    (
        ("OFFER title", "OFFER author"),
        (
            "How about {title} by {author}?",
            "There is {title}, written by {author}.",
            "You might enjoy {title} by {author}.",
        ),
    ),
    (
        ("OFFER title", "OFFER branch"),
        (
            "{title} is on the open shelves at {branch}.",
            "The {branch} branch has a copy of {title}.",
            "You can borrow {title} at {branch}.",
        ),
    ),
    (
        ("INFORM shelf", "INFORM branch"),
        ("You will find it on shelf {shelf} at {branch}.", "It stands on shelf {shelf} in the {branch} branch."),
    ),
    (
        ("INFORM due_date",),
        ("Please bring it back by {due_date}.", "It is due back on {due_date}.", "The loan runs until {due_date}."),
    ),
    (("INFORM late_fee",), ("You owe a late fee of {late_fee}.", "The fee for overdue books is {late_fee}.")),
    (
        ("CONFIRM title", "CONFIRM branch", "CONFIRM due_date"),
        (
            "So that is {title} from {branch}, due back on {due_date}. Is that right?",
            "Let me check: you borrow {title} at {branch} until {due_date}. Correct?",
        ),
    ),
    (
        ("NOTIFY_SUCCESS", "INFORM due_date"),
        (
            "Your book is on hold. Please bring it back by {due_date}.",
            "Done, the hold is placed, and the loan runs until {due_date}.",
        ),
    ),
    (
        ("NOTIFY_FAILURE",),
        ("I am sorry, the hold could not be placed.", "Unfortunately the book is on loan to another reader."),
    ),
    (("GOODBYE",), ("Happy reading!", "Enjoy your book!")),
)


def records(count: int, seed: int) -> list[dict[str, object]]:
    """`count` turns, by chance but the same for the same seed; even and odd seeds have no value in common."""
    chance = random.Random(seed)
    made: list[dict[str, object]] = []
    for number in range(count):
        acts, texts = TURNS[number % len(TURNS)]
        values = {slot: chance.choice(pool[seed % 2 :: 2]) for slot, pool in VALUES.items()}
        said = [_act(each, values) for each in acts]
        text = chance.choice(texts).format(**values)
        made.append({"id": f"library/{seed}_{number}", "service": "Library_1", "dialog_acts": said, "target": text})
    return made


def _act(written: str, values: dict[str, str]) -> dict[str, object]:
    act, _, slot = written.partition(" ")
    return {"act": act, "slot": slot, "values": [values[slot]] if slot and act != "REQUEST" else []}


def main() -> int:
    """Writes the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "schema.json").write_text(json.dumps(SCHEMA, indent=2) + "\n", "utf-8")
    for name, count, seed in (("train", TRAIN, 1), ("dev", DEV, 2)):
        lines = (json.dumps(record) + "\n" for record in records(count, seed))
        (FOLDER / f"{name}.jsonl").write_text("".join(lines), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
