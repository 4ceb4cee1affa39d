"""How the verifier cuts, compares and spells words, and lays claims and texts out."""

from __future__ import annotations

import pytest

from controldag.data.records import Act, Example, Triple
from controldag.verifier.claims import FACT, claims_of
from controldag.verifier.layout import cut_out, lay_out_claims, lay_out_text
from controldag.verifier.words import PIECES_PER_WORD, name_words, norms_of, pieces, stem, words_of


def test_words_have_their_places() -> None:
    text = "It's $4.20 at 7:40 am, isn’t it?"
    words = words_of(text)
    assert [word.norm for word in words] == ["it's", "$", "4.20", "at", "7:40", "am", ",", "isn't", "it", "?"]
    assert all(text[word.begin : word.end].lower().replace("’", "'") == word.norm for word in words)


@pytest.mark.parametrize("name", ["priceRange", "price_range", "PRICE RANGE", "price-range"])
def test_names_are_split_however_they_are_written(name: str) -> None:
    assert name_words(name) == ["price", "range"]


@pytest.mark.parametrize(
    ("one", "two"), [("ratings", "rating"), ("departs", "departing"), ("cities", "city"), ("leaving", "leaves")]
)
def test_inflections_share_a_stem(one: str, two: str) -> None:
    assert stem(one) == stem(two)


def test_other_words_do_not() -> None:
    assert len({stem(word) for word in ("price", "night", "total", "salon", "therapist")}) == 5


def test_spelling_is_bounded() -> None:
    assert len(pieces("x" * 500, 100)) == PIECES_PER_WORD
    assert pieces("7:40", 100) == pieces("9:15", 100)  # numbers differ by their form, not by how they are spelled


def test_longer_values_are_cut_out_first() -> None:
    values = [("san",), ("san", "jose")]
    assert cut_out(["in", "san", "jose", "or", "san", "rafael"], values) == ["in", 1, "or", 0, "rafael"]


def test_claims_hold_values_subjects_and_what_is_worded() -> None:
    acts = Example("x", acts=(Act("OFFER", "city", ("San Jose",)), Act("INFORM", "has_wifi", ("True",))), service="A_1")
    claims = claims_of(acts, None)
    layout, values = lay_out_claims(claims)
    assert values == [("san", "jose")]
    assert len(layout.starts) == 2 and claims.claims[1].worded == ("true",)
    fact = claims_of(Example("x", triples=(Triple("Ilsa_Varga", "birthPlace", "Pécs"),)), None).claims[0]
    assert (fact.head, fact.name, fact.subject, fact.values) == (
        FACT,
        ("birth", "place"),
        ("ilsa", "varga"),
        (("pécs",),),
    )


def test_words_of_a_value_are_marked_in_the_text() -> None:
    laid = lay_out_text(norms_of("Fly to San Jose now"), [("san", "jose")])
    assert laid.values == [0, 0, 1, 1, 0]
