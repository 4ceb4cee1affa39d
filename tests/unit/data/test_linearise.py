"""Linearisations, letter by letter."""

from __future__ import annotations

import pytest

from controldag.data import samples
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema, Service, Slot
from controldag.data.templates import Templates
from controldag.errors import InvalidInput

ACTS = Example(
    "x",
    (
        Act("INFORM_COUNT", "count", ("3",)),
        Act("REQUEST", "bread", ("rye", "spelt")),
        Act("REQUEST", "district"),
        Act("REQ_MORE"),
    ),
    service="Bakeries_1",
)
TRIPLES = Example("y", triples=(Triple("A b", "R_S", "c"), Triple("c", "T", "d")))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "schema-guided",
            "INFORM_COUNT ( count = 3 ) REQUEST ( Kind of bread = rye spelt ) "
            "REQUEST ( Part of the town where the bakery is ) REQ_MORE",
        ),
        ("naive", "INFORM_COUNT ( count = 3 ) REQUEST ( bread = rye spelt ) REQUEST ( district ) REQ_MORE"),
        (
            "schema-guided-service",
            "Bakeries_1 INFORM_COUNT ( count = 3 ) REQUEST ( Kind of bread = rye spelt ) "
            "REQUEST ( Part of the town where the bakery is ) REQ_MORE",
        ),
        ("template-guided", "The count is 3. Do you want rye or spelt? Which part of the town? Anything else?"),
    ],
)
def test_acts(name: str, expected: str) -> None:
    schema, templates = Schema.load(samples.SCHEMA), Templates.load(samples.TEMPLATES)
    linearise = make_lineariser(LinearisationOptions(name), schema=schema, templates=templates)
    assert linearise(ACTS) == expected
    assert linearise(ACTS) == expected  # and again from its cache
    with pytest.raises(InvalidInput, match="must have dialogue acts"):
        linearise(TRIPLES)


def test_triples() -> None:
    linearise = make_lineariser(LinearisationOptions("triples"))
    assert linearise(TRIPLES) == "<h> A b <r> R_S <t> c <h> c <r> T <t> d"
    with pytest.raises(InvalidInput, match="must have triples"):
        linearise(ACTS)


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("BACKUP_PILOT", "backup pilot"),
        ("birthPlace", "birth place"),
        ("LAND_(_SQMI_)", "land ( sqmi )"),
        ("priceRange", "price range"),
        ("[TITLE]", "[TITLE]"),
        ("_", "_"),
    ],
)
def test_relations_in_words(relation: str, words: str) -> None:
    example = Example("x", triples=(Triple("A", relation, "B"),))
    assert make_lineariser(LinearisationOptions("triples-in-words"))(example) == f"<h> A <r> {words} <t> B"


def test_values_joined_by_commas_and_passed_through() -> None:
    linearise = make_lineariser(LinearisationOptions("naive", " , "))
    assert linearise(Example("x", (Act("A", "s", ("b\n c", "d\u00a0")),), service="S")) == "A ( s = b\n c , d\u00a0 )"


def test_slot_without_description_and_unknown_names() -> None:
    schema = Schema({"S": Service("S", slots={"pick_up_time": Slot("pick_up_time")})})
    linearise = make_lineariser(LinearisationOptions(), schema=schema)
    assert linearise(Example("x", (Act("REQUEST", "pick_up_time"),), service="S")) == "REQUEST ( pick up time )"
    with pytest.raises(InvalidInput, match="Did you mean pick_up_time"):
        linearise(Example("x", (Act("REQUEST", "pickup_time"),), service="S"))
    with pytest.raises(InvalidInput, match="`service` must be in the schema"):
        linearise(Example("x", (Act("REQUEST", "pick_up_time"),), service="T"))


def test_bad_options() -> None:
    with pytest.raises(InvalidInput, match="schema-guided, naive, schema-guided-service, template-guided, triples"):
        LinearisationOptions("schema")
    with pytest.raises(InvalidInput, match="value_separator"):
        LinearisationOptions(value_separator=";")
    with pytest.raises(InvalidInput, match="`schema` must be given"):
        make_lineariser(LinearisationOptions())
    with pytest.raises(InvalidInput, match="`templates` must be given"):
        make_lineariser(LinearisationOptions("template-guided"))
