"""How a slot is spoken of: by its description, or by its name where that says it better."""

from __future__ import annotations

import re
from dataclasses import replace

from controldag.data.schema import Slot
from controldag.plain.described import cleaned, to_reader
from controldag.plain.english import spelled_out, words_of
from controldag.plain.indirect import of_question_word, of_state
from controldag.plain.irregular import UNITS
from controldag.plain.lexicon import PREPOSITIONS, is_abbreviation, is_person, is_verb, word_set
from controldag.plain.names import name_phrase
from controldag.plain.noun_phrase import NounPhrase, parse
from controldag.plain.wording import NAMED, UNIT, VAGUE, Wording, of_phrase

# Words that change what a number means: a name that lacks them may not stand for a description that has them.
_QUALIFIERS = word_set(
    "per each every estimated average mean minimum maximum smallest largest lowest highest least most total overall "
    "first last earliest latest previous next new old current former additional extra approximate tentative expected "
    "preferred remaining deposit monthly weekly daily yearly annual hourly nightly net gross half double percentage "
    "percent without excluding including before after alternative second"
)
_WISH = re.compile(r"\byou (?:want|wish|would like|prefer|desire)\b")
# A question that begins with a preposition: `on which day is the appointment`.
_ASKS = re.compile(r"(?:in|on|at|to|from|for|by|with|until|during|under) (?:which|what|whom) \w+ \w+")
_LONGEST_QUESTION = 8
_LONGEST_LABEL = 7
_KINDS = word_set("type kind category class style")
_MEASURES = VAGUE | word_set(
    "balance rent fare salary deposit budget income refund discount temperature age slot charge bill capacity"
)
_PERSONS = word_set("person someone somebody individual people one")


def wording_of(slot: Slot) -> Wording:
    """How to speak of a slot that is no flag."""
    text = to_reader(cleaned(slot.description))
    name = name_phrase(slot.name)
    from_price = re.fullmatch(r"(?:the )?(price|rate|fee|cost|fare)s? from", text or " ".join(words_of(slot.name)))
    if from_price is not None:
        return Wording(f"the lowest {from_price[1]}", question=f"what is the lowest {from_price[1]}")
    if _lists_values(text, slot.possible_values):
        return of_phrase(name, slot.name) if name is not None else Wording("the choice")
    short = any(is_abbreviation(word) and word.lower() not in UNITS for word in words_of(slot.name))
    found = of_question_word(text, None if short and not text.startswith("how ") else name) if text else None
    if found is not None:
        return found
    state = of_state(text or ("" if name is not None else " ".join(words_of(slot.name)).lower()))
    if state is not None:
        return state
    described = parse(text) if text else None
    if described is None:
        spoken = of_phrase(name, slot.name) if name is not None else _of_label(slot.name, text)
        asks = _ASKS.match(text) and spoken.question.startswith("what is ")
        return replace(spoken, question=text) if asks else spoken
    if name is not None and _is_unclear(text, described):
        if _share_a_word(name.full, text) or described.head in VAGUE or " this " in text:
            return of_phrase(name, slot.name)
        described = replace(described, tail="")
    spoken = of_phrase(described, slot.name)
    if name is not None and not short and _WISH.search(text):
        # What is offered or known is not what the reader wishes: `the area where you want to search is Napa`.
        return replace(of_phrase(name, slot.name), question=spoken.question)
    if name is None or not _prefers_name(slot.name, name, text, described):
        return spoken
    named = of_phrase(name, slot.name)
    if name.head == "name" and described.head != "name":
        return named
    if spoken.question.startswith("what is ") and not named.question.startswith("what is "):
        return named
    # A question may be longer than a statement.
    return replace(named, question=spoken.question) if len(text.split()) <= _LONGEST_QUESTION else named


def _lists_values(text: str, values: tuple[str, ...]) -> bool:
    """Whether the description is nothing but the possible values: `colour or black and white`."""
    rest = text.lower()
    for value in sorted(values, key=len, reverse=True):
        rest = rest.replace(value.lower(), "")
    return len(values) > 1 and bool(text) and not re.sub(r"\b(?:or|and|either)\b|\W", "", rest)


def _of_label(name: str, text: str) -> Wording:
    """A name that is no noun phrase, or a short description in its place, said as it is."""
    label = text if text and len(text.split()) < 6 and '"' not in text else " ".join(spelled_out(words_of(name)))
    if not label:
        return Wording("the answer")
    return Wording(f'the "{label}" entry' if " " in label or is_verb(label) else f"the {label}")


def _is_unclear(text: str, described: NounPhrase) -> bool:
    """Whether the description points at something (`this point`) or ends in the air (`movie directed by`)."""
    in_the_air = text.split()[-1] in PREPOSITIONS and len(described.tail.split()) == 2
    return in_the_air or re.search(r"\bthis (?:point|date|time|city|place|location|day|number)\b", text) is not None


def _share_a_word(name: str, text: str) -> bool:
    """Whether name and description hold words of one stem."""
    stems = {word[:5] for word in text.lower().split() if len(word) > 3}
    return any(word[:5] in stems for word in name.lower().split() if len(word) > 3)


def _prefers_name(name: str, phrase: NounPhrase, text: str, described: NounPhrase) -> bool:
    """Whether the name says it better than its description."""
    if any(is_abbreviation(word) for word in words_of(name)):
        return False
    words = set(phrase.full.lower().split())
    said = set(re.findall(r"[\w'-]+", text.lower()))
    if phrase.head == "name" and described.head == "number":
        return True
    if said & _QUALIFIERS - words or described.head == "number" or "your" in said or UNIT.search(text):
        return False
    if NAMED.match(described.full):
        return False
    if len(phrase.core.split()) == 1 and not phrase.tail and phrase.head in VAGUE:
        return len(text.split()) > 12
    if described.head in _PERSONS and is_person(phrase.head):
        return True
    if described.head in VAGUE - _KINDS and phrase.head not in _MEASURES:
        # A price or a date of the thing is not the thing.
        return False
    # A name of several words stands for a longer description of the same thing.
    same_head = phrase.head == described.head
    if same_head and phrase.plural and len(phrase.core.split()) == 1:
        # The parts: which parts?
        return len(text.split()) > _LONGEST_LABEL
    return (same_head and len(text.split()) > 4) or len(text.split()) > 9
