"""The checks of a text against its input, each by hand: numbers, names, words, repetition, occurrence, coverage."""

from __future__ import annotations

import pytest

from controldag.data import samples
from controldag.data.occurrence import OccurrenceRules, RelationRole
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema, Service, Slot
from controldag.metrics.categorical import Lexicon, categorical_measures, count_values
from controldag.metrics.emptiness import empty
from controldag.metrics.foreign_values import KnownValues, foreign, foreign_values
from controldag.metrics.inputs import input_texts
from controldag.metrics.neologism import independent_neologisms, paper_neologisms, strict_neologisms
from controldag.metrics.occurrence_error import ends_said, occurrence_measures
from controldag.metrics.repetition import doubles, repeats, repetition_measures
from controldag.metrics.unsupported import unsupported, unsupported_numbers
from controldag.text.words import WordFile

SCHEMA = Schema.load(samples.SCHEMA)


def ferry(**values: str) -> Example:
    return Example("x", tuple(Act("INFORM", slot, (value,)) for slot, value in values.items()), service="Ferries_1")


@pytest.mark.parametrize(
    ("given", "text", "found"),
    [
        ("7:40 am", "at 7:40 am, or 7 or 40", ()),
        ("7:40 am", "at 7:4", ("7:4",)),
        ("12", "2 of 12", ("2",)),
        ("$1,204.50", "$1,204.50 or 204.50, not 1204", ("1204",)),
        ("b201", "b201 and b20", ("20",)),
        ("610-625-8000", "call 610-625-8000.", ()),
        ("x", "3 or ٣", ("3", "٣")),
    ],
)
def test_unsupported_numbers(given: str, text: str, found: tuple[str, ...]) -> None:
    assert unsupported_numbers(ferry(fare=given), text) == found
    assert unsupported([ferry(fare=given)], [text]).value() == (100.0 if found else 0.0)


def test_numbers_of_triples_may_stand_in_relations() -> None:
    assert unsupported_numbers(Example("t", triples=(Triple("a", "FIRST_3_GAMES", "b"),)), "the first 3 games") == ()


def test_known_values_are_sure_names() -> None:
    train = [
        Example("1", (Act("OFFER", "to_port", ("Port Ellen",)), Act("OFFER", "fare", ("€12",))), service="Ferries_1",
                references=("sail to Port Ellen with music on the port",)),
        Example("2", (Act("OFFER", "to_port", ("Music",)), Act("OFFER_INTENT", "intent", ("BookSailing",)))),
        Example("3", (Act("OFFER", "to_port", ("Oban",)),)),
        Example("4", triples=(Triple("Ada_Krogh", "R", "31 metres"),)),
    ]  # fmt: skip
    known = KnownValues.of(train, SCHEMA, source="made up")
    assert known.names == {("Port", "Ellen"), ("Oban",), ("Ada", "Krogh")}
    example = ferry(to_port="Oban Bay")
    assert foreign_values(example, "To Oban, Ada Krogh's or Port Ellen.", known) == ("Ada Krogh", "Port Ellen")
    assert foreign_values(example, "oban or Port or Ellen", known) == ()
    assert foreign([example, example], ["Oban", "Port Ellen"], known).value() == 50.0


@pytest.mark.parametrize(
    ("value", "is_name"),
    [
        ("Abc", True),
        ("Ab", False),
        ("A B", False),
        ("Abc1", False),
        ("None", False),
        ("Ada_Krogh", True),
        ("One Two Three Four Five Six Seven Eight", True),
        ("One Two Three Four Five Six Seven Eight Nine", False),
    ],
)
def test_what_is_surely_a_name(value: str, is_name: bool) -> None:
    known = KnownValues.of([Example("t", triples=(Triple("x", "R", value),))])
    assert known.names == ({tuple(value.replace("_", " ").split())} if is_name else set())
    assert known.source == KnownValues(frozenset()).source == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Oban", ()),
        ("Mull", ("Mull",)),
        ("Port Ellen", ("Port Ellen",)),
        ("Port - Ellen", ("Port Ellen",)),
        ("Ellen of Port Ellen", ("Ellen", "Port Ellen")),
    ],
)
def test_names_that_no_value_of_the_input_holds(text: str, found: tuple[str, ...]) -> None:
    known = KnownValues(frozenset({("Oban",), ("Mull",), ("Ellen",), ("Port", "Ellen")}))
    assert foreign_values(ferry(fare="5", to_port="Bay Oban Isle"), text, known) == found


def test_neologisms_by_three_rules() -> None:
    vocabulary = WordFile("neo", frozenset({"Foobar"}), source="made up")
    example = Example("x", (Act("INFORM", "to_port", ("Kennacraig",)),), service="Ferries_1", references=("a zorp!",))
    texts = {
        "The ferry arrives at (Kennacraig), 7x.": (0, 0, 0),
        "Kennacraig's ferry": (100, 100, 0),
        "a Foobar": (0, 0, 100),
        "a foobar": (100, 100, 100),
        "a zorp": (0, 100, 100),
        "check-in at the centre": (100, 100, 0),
        "Port leaves INFORM": (0, 0, 0),
        "ferry-boatt": (100, 100, 100),
    }
    for text, expected in texts.items():
        found = (
            paper_neologisms([example], [text], vocabulary, SCHEMA).value(),
            strict_neologisms([example], [text], vocabulary, SCHEMA).value(),
            independent_neologisms([example], [text]).value(),
        )
        assert found == expected, text
    triple = Example("t", triples=(Triple("Tarn_Viadukt", "LENGHT_OF", "x"),))
    assert independent_neologisms([triple], ["Tarn Viadukt"]).value() == 0
    club = Example("c", triples=(Triple("Tarn F.C.", "GROUND", "the Port"),))
    assert independent_neologisms([club], ["Tarn F.C.'s ground is the Port."]).value() == 0
    assert independent_neologisms([club], ["Tarn F.X.'s ground is the Port."]).value() == 100


def test_the_papers_input_has_the_words_of_its_own_schema() -> None:
    def with_words(description: str) -> Schema:
        return Schema({"S": Service("S", slots={"zorp_x": Slot("zorp_x", description)})})

    nothing = WordFile("neo", frozenset())
    acts = Example("x", (Act("INFORM", "zorp_x", ("5",)),), service="S")
    triples = Example("t", triples=(Triple("a", "QUOXAL", "b"),))

    def rate(example: Example, text: str, schema: Schema | None) -> float | None:
        return strict_neologisms([example], [text], nothing, schema).value()

    one, other = with_words("Zorpal"), with_words("Blorpal")
    assert [rate(acts, "Zorpal", each) for each in (one, other, None, one)] == [0, 100, 100, 0]
    assert [rate(acts, "zorp_x", each) for each in (one, None)] == [100, 0]
    asked = [(triples, "QUOXAL"), (acts, "Blorpal"), (triples, "Blorpal"), (triples, "QUOXAL")]
    assert [rate(example, text, other) for example, text in asked] == [0, 0, 100, 0]


def test_what_checkers_take_for_the_input() -> None:
    assert input_texts(Example("t", triples=(Triple("Tarn_Viadukt", "R", "x"),))) == (
        "Tarn_Viadukt",
        "Tarn Viadukt",
        "R",
        "x",
    )


def test_repetition_but_not_the_inputs_own() -> None:
    plain, duran = ferry(fare="5"), ferry(to_port="Duran Duran")
    assert repeats(plain, "It is on the way, It is on time.")
    assert not repeats(plain, "It is on the way, it was on time.")
    assert not repeats(ferry(to_port="New York City"), "New York City or New York City")
    assert doubles(plain, "the The ferry") and doubles(plain, "Duran Duran") and not doubles(duran, "Duran Duran")
    trigrams, doubled = repetition_measures([plain, duran], ["a b c a b c", "Duran Duran"])
    assert (trigrams.value(), doubled.value()) == (50.0, 0.0)


def test_exact_occurrence_with_both_denominators() -> None:
    rules = OccurrenceRules({RelationRole("LENGTH", "subject"): 12, RelationRole("LENGTH", "object"): 12})
    bridge = Example("a", triples=(Triple("Tarn_Viaduct", "LENGTH", "40 m"), Triple("[TITLE]", "IN", "yes")))
    other = Example("b", triples=(Triple("Oban", "IN", "Argyll"),))
    texts = ["tarn viaduct is 40 m long", "Tarn Viaduct is long", "Oban", ""]
    eor, constrained = occurrence_measures([bridge, bridge, other, other], texts, rules)
    assert (eor.value(), constrained.value()) == (25.0, 50.0)
    assert ends_said([bridge, bridge, other, other], texts).value() == pytest.approx(100 * 4 / 8)
    marked = Example("c", triples=(Triple("[TABLECONTEXT]", "TITLE", "no"), Triple("Oban_Bay", "IN", "Argyll")))
    assert ends_said([marked], ["oban bay"]).value() == 50.0
    assert ends_said([marked], ["Oban Bay, Argyll"]).value() == 100.0


@pytest.mark.parametrize(
    ("slot", "value", "text", "said"),
    [
        ("count", "3", "I found three ferries", True),
        ("count", "3", "I found 33 ferries", False),
        ("number_stops", "0", "a direct flight", True),
        ("bread", "rye", "a RYE bread", True),
        ("pets_allowed", "False", "Sorry, no pets.", True),
        ("pets_allowed", "False", "Pets are allowed.", False),
        ("pets_allowed", "True", "They do not allow pets.", False),
        ("pets_allowed", "True", "It is not cheap. Pets are welcome.", True),
        ("pets_allowed", "False", "It is not cheap. Pets are welcome.", False),
        ("furnished", "False", "It is unfurnished.", True),
        ("takes_cars", "True", "Yes, it takes you", True),
        ("takes_cars", "True", "Yes.", False),
        ("price_range", "moderate", "moderately priced", True),
        ("has_sauna", "True", "It has a pool.", False),
        ("has_pool", "True", "There is a pool.", True),
    ],
)
def test_the_lexicon(slot: str, value: str, text: str, said: bool) -> None:
    assert Lexicon.load().says(text, slot, value) is said


def test_categorical_values_and_counts() -> None:
    schema = Schema({"S": Service("S", slots={"bread": Slot("bread", is_categorical=True), "name": Slot("name")})})
    acts = (Act("INFORM_COUNT", "count", ("2",)), Act("OFFER", "bread", ("rye", "spelt")), Act("OFFER", "name", ("X",)))
    example = Example("x", acts, service="S")
    categorical, counts = categorical_measures([example, example], ["two rye ones", "rye, spelt"], schema)
    assert (categorical.value(), counts.value()) == (75.0, 50.0)
    assert list(count_values(example, schema)) == [("count", "2")]
    assert not categorical.lower_is_better and "lexicon" in categorical.signature


def test_empty() -> None:
    assert empty(["", " \n", "a", "b"]).value() == 50.0
