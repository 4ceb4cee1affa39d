"""Plain sentences for triples: every subject and object said, from the names of the relations alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from controldag.data.phrases import is_table_marker
from controldag.data.records import Triple
from controldag.errors import InvalidInput, utf8
from controldag.plain.facts_frames import Fact, Said, filled
from controldag.plain.facts_grammar import grammatical
from controldag.plain.facts_kinds import kinds_of
from controldag.plain.facts_noun_relations import row_entry
from controldag.plain.facts_sentences import Topic, about, about_table
from controldag.plain.facts_special import special
from controldag.plain.facts_switches import switched
from controldag.plain.facts_table import from_table
from controldag.plain.facts_values import Kind, Value, value_of
from controldag.plain.facts_words import Relation, relation_of


def say_facts(triples: Sequence[Triple]) -> str:
    """Sentences that say every triple and nothing else: subjects and objects as written, `_` read as a blank.

    Facts of one subject stand together, in the order of the input otherwise. InvalidInput where there is no triple,
    or one without a subject, a relation or an object.
    """
    facts = _merged([_checked(triple) for triple in triples])
    if not facts:
        raise InvalidInput.of("triples", "hold at least one triple", [], remedy="Write subject | relation | object.")
    kinds = kinds_of((subject, relation.key, value.items[0]) for subject, relation, value in facts)
    subjects: dict[str, list[tuple[Relation, Value]]] = {}
    for subject, relation, value in facts:
        subjects.setdefault(subject, []).append((relation, value))
    sentences: list[str] = []
    for subject in _in_reading_order(subjects):
        own = subjects[subject]
        if is_table_marker(subject):
            sentences.extend(about_table(own))
            continue
        said = [said_of(Fact(subject, kinds.get(subject, ""), relation, value)) for relation, value in own]
        topic = Topic(subject, kinds.get(subject, ""), frozenset(other for other in subjects if other != subject))
        sentences.extend(about(topic, said))
    return " ".join(sentences)


def said_of(fact: Fact) -> Said:
    """How one fact is said: by a special rule, the table of everyday relations, or grammar."""
    if fact.value.kind in (Kind.YES, Kind.NO):
        return switched(fact)
    if value_of(fact.subject).kind is not Kind.TEXT or not re.search(r"[^\W\d_]", fact.subject):
        # A row of a table, known by its number or date alone: nothing is known of what it can do.
        return row_entry(fact)
    return _everyday(fact) or grammatical(fact)


def _everyday(fact: Fact) -> Said | None:
    """How a relation of the tables is said, also behind `has`: `hasAuthor`."""
    found = special(fact)
    if found is not None:
        return found
    line = from_table(fact.relation, fact.value)
    if line is not None and not fact.relation.remark:
        return filled(*line)
    words = fact.relation.words
    if words[0].lower() == "has" and len(words) > 1:
        return _everyday(replace(fact, relation=replace(fact.relation, words=words[1:])))
    return None


def _in_reading_order(subjects: Mapping[str, Sequence[tuple[Relation, Value]]]) -> list[str]:
    """The subjects, each behind one whose object it is where there is such; otherwise in the order of the input."""
    named = {subject: [item for _, value in own for item in value.items] for subject, own in subjects.items()}
    objects = {item for subject, items in named.items() for item in items if item != subject}
    tables = [subject for subject in subjects if is_table_marker(subject)]
    starts = [*tables, *(subject for subject in subjects if subject not in objects), *subjects]
    order: dict[str, None] = {}
    waiting = starts[::-1]
    while waiting:
        subject = waiting.pop()
        if subject not in order:
            order[subject] = None
            waiting.extend(item for item in reversed(named[subject]) if item in named)
    return list(order)


_Cleaned = tuple[str, Relation, Value]


def _checked(triple: Triple) -> _Cleaned:
    subject, value = (_name(name, text) for name, text in (("subject", triple.subject), ("object", triple.object)))
    utf8("relation", triple.relation)
    read = value_of(value)
    relation = relation_of(triple.relation, of_number=read.kind is Kind.NUMBER)
    if not relation.words or "\0" in triple.relation:
        remedy = "Name what holds between subject and object: birthPlace, say."
        raise InvalidInput.of("relation", "hold something that can be said", triple.relation, remedy=remedy)
    return subject, relation, read


def _name(argument: str, text: str) -> str:
    utf8(argument, text)
    # A value of underscores alone is a sign: nothing would be left of it.
    name = text.replace("_", " ").strip() or text.strip()
    if not name or "\0" in name:
        remedy = "Leave the triple out, or write what it is about."
        raise InvalidInput.of(argument, "hold something that can be said", text, remedy=remedy)
    return name


def _merged(facts: Sequence[_Cleaned]) -> list[_Cleaned]:
    """The facts without repetitions; names that one subject has for one relation become one value."""
    found: dict[tuple[str, str, str], _Cleaned] = {}
    for index, (subject, relation, value) in enumerate(facts):
        listable = value.kind is Kind.TEXT and len(value.text) < 80 and not is_table_marker(subject)
        mark = "" if listable else f"{index if value.kind is Kind.TEXT else value.text}"
        key = (subject, f"{relation.key} {relation.remark}", mark)
        if key in found and listable:
            items = dict.fromkeys((*found[key][2].items, *value.items))
            found[key] = (subject, found[key][1], Value(tuple(items), Kind.TEXT))
        else:
            found.setdefault(key, (subject, relation, value))
    return list(found.values())
