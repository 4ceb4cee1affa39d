"""Turns and triple sets of a corpus as records: their values cut out of the text."""

from __future__ import annotations

from typing import Any

from controldag.data.phrases import is_table_marker
from controldag.verifier.claims import FACT, WORDED
from controldag.verifier.layout import cut_out
from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.words import name_words, norms_of


def record_of_acts(source: str, service: str, acts: list[dict[str, Any]], text: str, user: bool = False) -> Record:
    """One turn: acts of the same slot stay apart."""
    numbers: dict[tuple[str, ...], int] = {}
    claims = []
    for act in acts:
        head = f"USER_{act['act']}" if user else act["act"]
        if act["slot"] == "intent":
            key = f"{service}/{act['values'][0]}" if act["values"] else ""
            claims.append(Said(head, key))
            continue
        worded = tuple(v.strip().lower() for v in act["values"] if v.strip().lower() in WORDED)
        plain = [tuple(norms_of(v)) for v in act["values"] if v.strip().lower() not in WORDED]
        values = tuple(numbers.setdefault(v, len(numbers)) for v in plain if v)
        key = f"{service}/{act['slot']}" if act["slot"] else ""
        claims.append(Said(head, key, values, -1, worded))
    return Record(source, service, claims, list(numbers), cut_out(norms_of(text), list(numbers)))


def record_of_triples(
    source: str, triples: list[list[str]], text: str, wordings: Wordings, description: str = ""
) -> Record:
    """One set of triples: objects are values, subjects stand beside them."""
    numbers: dict[tuple[str, ...], int] = {}

    def number(value: str) -> int:
        words = tuple(norms_of(value.replace("_", " ")))
        return -1 if not words or is_table_marker(value) else numbers.setdefault(words, len(numbers))

    claims = []
    for subject, relation, thing in triples:
        key = f"relation/{' '.join(name_words(relation))}"
        service = "relation:" + source
        wordings.add(service, key, name_words(relation), norms_of(description), intent=False)
        about = number(subject)
        if thing.strip().lower() in WORDED:
            claims.append(Said(FACT, key, (), about, (thing.strip().lower(),)))
        else:
            value = number(thing)
            claims.append(Said(FACT, key, (value,) if value >= 0 else (), about))
    return Record(source, "relation:" + source, claims, list(numbers), cut_out(norms_of(text), list(numbers)))
