"""Plain sentences for random acts of random services: every value is said, and nothing of a name or a type leaks."""

from __future__ import annotations

import re
import string
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from controldag.constraints import contains
from controldag.constraints.check import satisfies
from controldag.data.phrases import category_phrases, hard_phrases, number_phrases
from controldag.data.records import Act, Example
from controldag.data.schema import Intent, Schema, Service, Slot
from controldag.plain import plain_text

ACTS = (
    *("INFORM", "OFFER", "CONFIRM", "REQUEST", "INFORM_COUNT", "OFFER_INTENT", "NOTIFY_SUCCESS", "NOTIFY_FAILURE"),
    *("REQ_MORE", "GOODBYE", "SELECT", "AFFIRM", "SOMETHING_ELSE"),
)
WORDS = (
    *("price", "per", "night", "of", "the", "user", "is", "when", "starts", "whether", "number", "seats", "to", "book"),
    *("pets", "allowed", "has", "wifi", "addr", "dt", "who", "teaches", "it", "how", "many", "where", "in", "kg"),
    *("name", "date", "which", "true", "=", "false", "boolean", "flag", "if", "must", "not", "only", "you", "what"),
)
descriptions = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=40)
names = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map("_".join) | st.text(
    string.ascii_letters + "_0123456789", min_size=1, max_size=20
)
values = st.text(min_size=1, max_size=25).filter(
    lambda text: text.strip() and "\0" not in text and not any("\ud800" <= each <= "\udfff" for each in text)
) | st.sampled_from(("Tuesday at 8 am", "$1,180", "2", "St.", "Flat 3, 88 Camden Row", "東京", "Wow!", "3 kg", "noon"))


@st.composite
def services(draw: st.DrawFn) -> Service:
    slots: dict[str, Slot] = {}
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        allowed = draw(st.sampled_from(((), (), ("True", "False"), ("Music", "Sports"))))
        if name not in ("count", "intent"):
            slots[name] = Slot(name, draw(descriptions), bool(allowed), allowed)
    intents = tuple(Intent(name, draw(descriptions)) for name in draw(st.lists(names, max_size=2, unique=True)))
    return Service("Any_1", draw(descriptions), slots, intents)


@st.composite
def turns(draw: st.DrawFn) -> tuple[Example, Schema]:
    service = draw(services())
    acts = []
    for _ in range(draw(st.integers(1, 6))):
        act = draw(st.sampled_from(ACTS))
        if act == "INFORM_COUNT":
            acts.append(Act(act, "count", (str(draw(st.integers(0, 99))),)))
        elif act == "OFFER_INTENT":
            acts.append(Act(act, "intent", (draw(names),)))
        elif act.startswith("NOTIFY") or act in ("REQ_MORE", "GOODBYE") or not service.slots:
            acts.append(Act(act))
        else:
            slot = draw(st.sampled_from(list(service.slots.values())))
            possible = st.sampled_from((*slot.possible_values, "dontcare")) if slot.possible_values else values
            acts.append(Act(act, slot.name, tuple(draw(st.lists(possible, min_size=1, max_size=3)))))
    return Example("x", acts=tuple(acts), service=service.name), Schema({service.name: service})


@settings(max_examples=200, deadline=None)
@given(turns())
def test_every_value_stands_in_the_text(turn: tuple[Example, Schema]) -> None:
    example, schema = turn
    text = plain_text(example, schema)
    for phrase in map(str.strip, (*hard_phrases(example, schema), *number_phrases(example, schema))):
        if phrase and phrase not in ("True", "False", "dontcare"):
            assert satisfies(contains(phrase, whole_word=True), text), (phrase, text)
    for phrase in category_phrases(example, schema):
        assert satisfies(contains(phrase, whole_word=True, ignore_case=True), text), (phrase, text)


@settings(max_examples=200, deadline=None)
@given(turns())
def test_nothing_but_sentences(turn: tuple[Example, Schema]) -> None:
    example, schema = turn
    begun = time.perf_counter()
    text = plain_text(example, schema)
    assert time.perf_counter() - begun < 2
    assert text.rstrip("\"'”’)]")[-1:] in tuple(".!?…") or text[-1] in ".!?"
    own = "".join(value for act in example.acts for value in act.values)
    if "_" not in own:
        assert "_" not in text
    described = " ".join(slot.description for service in schema.services.values() for slot in service.slots.values())
    if not re.search("true|false", own.replace("True", "").replace("False", "") + described, re.IGNORECASE):
        flags = [act for act in example.acts if act.values and set(act.values) <= {"True", "False"}]
        if len(flags) == len([act for act in example.acts if act.values]):
            assert not re.search(r"\b(?:True|False)\b", text), text
    assert text == plain_text(example, schema)


@given(st.lists(st.tuples(st.sampled_from(ACTS), names, values), min_size=1, max_size=40))
def test_without_a_schema_names_alone_are_said(acts: list[tuple[str, str, str]]) -> None:
    slots = [Act(act, name, (value,)) for act, name, value in acts if act not in ("INFORM_COUNT", "OFFER_INTENT")]
    if not slots:
        return
    text = plain_text(Example("x", acts=tuple(slots), service="Unknown_1"), None)
    for act in slots:
        for value in map(str.strip, act.values):
            if value not in ("True", "False", "dontcare") and act.slot not in ("count", "intent"):
                assert satisfies(contains(value, whole_word=True), text), (value, text)
