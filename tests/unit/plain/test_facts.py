"""Plain sentences for triples: one table a rule, input to exact text."""

from __future__ import annotations

import pytest

from controldag.data.records import Triple
from controldag.errors import InvalidInput
from controldag.plain.facts import say_facts


def said(*facts: tuple[str, str, str]) -> str:
    return say_facts([Triple(*fact) for fact in facts])


def of(subject: str, **facts: str) -> str:
    """The text for facts of one subject, `_` in the names of relations."""
    return said(*((subject, relation, value) for relation, value in facts.items()))


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [
        ("mayor", "Gordon Pike", "The mayor of X is Gordon Pike."),
        ("former CEO", "Alan Fitch", "A former CEO of X is Alan Fitch."),
        ("best friend", "Dora", "The best friend of X is Dora."),
        ("child", "Ann", "A child of X is Ann."),
        ("languages", "Cornish", "One of the languages of X is Cornish."),
        ("toppings", "olives", "The toppings of X include olives."),
        ("champions", "K-W United FC", "The champions of X are K-W United FC."),
        ("region served", "Devon", "The region served by X is Devon."),
        ("year made", "1999", "X was made in 1999."),
        ("drug used for treatment", "aspirin", "For X, the drug used for treatment is aspirin."),
        ("current use", "art gallery", "X is currently used as an art gallery."),
        ("mascot", "bulldog", "The mascot of X is a bulldog."),
        ("first ascent", "1911", "The first ascent of X was in 1911."),
        ("next service", "June 2025", "The next service of X is in June 2025."),
        ("2011", "63,000", "For X, the entry for 2011 is 63,000."),
        ("±%", "-0.1", "X has a percentage change of -0.1."),
        ("§§", "a", 'For X, the value of "§§" is a.'),
        ("via", "Kazan", 'For X, the value of "via" is Kazan.'),
        ("столица", "Рим", "The столица of X is Рим."),
    ],
)
def test_nouns_are_roles_that_the_object_fills(relation: str, value: str, text: str) -> None:
    assert said(("X", relation, value)) == text


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [
        ("battery life", "9 hours", "X has a battery life of 9 hours."),
        ("number of employees", "12", "X has 12 employees."),
        ("NUMBER_OF_PAGES", "1", "X has 1 page."),
        ("floorCount", "41", "X has 41 floors."),
        ("calories per serving", "210", "X has 210 calories per serving."),
        ("max participants", "10", "X has a maximum of 10 participants."),
        ("postal code", "4380", "X has the postal code 4380."),
        ("area (km²)", "63", "X has an area of 63 km²."),
        ("weightKg", "2.5", "X has a weight of 2.5 kg."),
        ("length in cm", "30", "X has a length of 30 cm."),
        ("population (2010 census)", "64", "The population (2010 census) of X is 64."),
        ("total liabilities", "995621.57", "The total liabilities of X are 995621.57."),
        ("SWB editions", "088066975", "The SWB editions of X are 088066975."),
        ("waterproof rating", "IP67", "X has a waterproof rating of IP67."),
        ("storage", "128 GB", "X has 128 GB of storage."),
        ("price", "£449", "X costs £449."),
        ("monthly price", "$6", "X costs $6 per month."),
    ],
)
def test_amounts(relation: str, value: str, text: str) -> None:
    assert said(("X", relation, value)) == text


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [
        ("ENDED", "Thirty Years' War", "X ended the Thirty Years' War."),
        ("ended", "1945", "X ended in 1945."),
        ("commissioned", "1937", "X was commissioned in 1937."),
        ("first aired", "3 May 1990", "X first aired on 3 May 1990."),
        ("took office", "March 4, 1927", "X took office on March 4, 1927."),
        ("built in", "1848", "X was built in 1848."),
        ("built in", "Norwich", "X was built in Norwich."),
        ("built", "Red Barn", "X built Red Barn."),
        ("held on", "21 December", "X is held on 21 December."),
        ("held on", "2019-12-21", "X was held on 2019-12-21."),
        ("founded", "19th century", "X was founded in the 19th century."),
        ("released", "2031", 'For X, the value of "released" is 2031.'),
        ("closed on", "Mondays", "X is closed on Mondays."),
        ("WAS_SELECTED_BY_NASA", "1963", "X was selected by NASA in 1963."),
        ("written_in", "Go", "X is written in Go."),
        ("written by", "Ann", "X was written by Ann."),
        ("fought between", "A and B", "X was fought between A and B."),
        ("designated as", "monument", "X is designated as a monument."),
        ("located in protected area", "Dartmoor", "X is located in the protected area Dartmoor."),
    ],
)
def test_past_forms_and_participles(relation: str, value: str, text: str) -> None:
    assert said(("X", relation, value)) == text


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [
        ("contains", "chlorophyll", "X contains chlorophyll."),
        ("goes well with", "tomato", "X goes well with tomato."),
        ("to study", "law", "X studies law."),
        ("graduate in", "2019", "X graduated in 2019."),
        ("YEAR_HIRED", "2014", "X was hired in 2014."),
        ("grossed", "$48 million", "X grossed $48 million."),
        ("injured", "212", "The number of injured people of X is 212."),
        ("best served", "hot", "X is best served hot."),
        ("is fluent in", "Danish", "X is fluent in Danish."),
        ("born to", "Lebanese parents", "X was born to Lebanese parents."),
        ("habitable", "unknown", 'For X, the value of "habitable" is unknown.'),
        ("features", "duck pond", "X features a duck pond."),
        ("supports programming language", "Zig", "X supports the programming language Zig."),
        ("COMPETE_IN", "Big 12 Conference", "X competes in Big 12 Conference."),
        ("premiered at", "Locarno Film Festival", "X premiered at the Locarno Film Festival."),
        ("takes place in fictional universe", "Oz", "X takes place in the fictional universe Oz."),
        ("departs", "23:10", "X departs at 23:10."),
        ("used to make", "glue", "X is used to make glue."),
        ("UNESCO site since", "2003", "X has been a UNESCO site since 2003."),
        ("dbo:birthPlace", "Pécs", "X was born in Pécs."),
        ("hasAuthor", "Ann", "X was written by Ann."),
        ("ships with", "USB-C cable", "X ships with a USB-C cable."),
        ("meets on", "Thursday", "X meets on Thursday."),
        ("archives at", "University of Graz", "X has archives at the University of Graz."),
        ("native to", "Himalayas", "X is native to the Himalayas."),
        ("taller than", "Ben", "X is taller than Ben."),
        ("on display at", "Tate Modern", "X is on display at Tate Modern."),
        ("studentOf", "Carlo Bassi", "X is a student of Carlo Bassi."),
        ("capital of", "Norland", "X is the capital of Norland."),
        ("member of military unit", "81st Guards", "X is a member of the military unit 81st Guards."),
        ("is part of", "Devon", "X is part of Devon."),
        ("WAS_A_CREW_MEMBER_OF", "Apollo 12", "X was a crew member of Apollo 12."),
        ("HAS_TO_ITS_NORTH", "Elm Ridge", "X has Elm Ridge to its north."),
        ("has cause", "flood", "A cause of X is flood."),
        ("does not eat", "meat", "X does not eat meat."),
        ("website account on", "Foo", "X has a website account on Foo."),
        ("music by", "Ann", "X has music by Ann."),
    ],
)
def test_verbs_adjectives_and_prepositions(relation: str, value: str, text: str) -> None:
    assert said(("X", relation, value)) == text


@pytest.mark.parametrize(
    ("relation", "value", "text"),
    [
        ("familyFriendly", "yes", "X is family-friendly."),
        ("headphoneJack", "false", "X has no headphone jack."),
        ("head of department", "yes", "X is a head of department."),
        ("is resolved", "'false'", "It is false that X is resolved."),
        ("familyFriendly", "no", "X is not family-friendly."),
        ("is_open", "no", "X is not open."),
        ("has balcony", "yes", "X has a balcony."),
        ("parking", "no", "X has no parking."),
        ("can fly", "no", "X cannot fly."),
        ("contains nuts", "no", "X does not contain nuts."),
        ("in stock", "yes", "X is in stock."),
        ("pets allowed", "no", "For X, pets are not allowed."),
        ("olympic sport", "yes", "X is an Olympic sport."),
        ("is resolved", "false", "X is not resolved."),
        ("is monitored", "True", "X is monitored."),
        ("cancelled", "No", "X is not cancelled."),
        ("writer", "yes", 'For X, the value of "writer" is yes.'),
    ],
)
def test_yes_and_no(relation: str, value: str, text: str) -> None:
    assert said(("X", relation, value)) == text


def test_facts_of_one_subject_are_joined() -> None:
    assert (
        of("Seven Ways to Cross a River", author="Noor El-Amin", illustrator="Bram de Wit", pages="48")
        == "Seven Ways to Cross a River was written by Noor El-Amin and illustrated by Bram de Wit, and has 48 pages."
    )
    assert (
        of("Ilsa Varga", occupation="astronaut", nationality="Hungarian", birthPlace="Pécs", birthDate="1984-02-17")
        == "Ilsa Varga is a Hungarian astronaut and was born in Pécs on 1984-02-17."
    )
    assert of("Dorset knob", type="biscuit", country="England") == "Dorset knob is a biscuit from England."
    assert (
        of("The Eagle", eatType="pub", food="Fast food", customer_rating="low", area="riverside", near="Burger King")
        == "The Eagle is a pub in the riverside area near Burger King, serves Fast food and has a low customer rating."
    )


def test_what_follows_a_preposition_is_not_moved_behind_another_noun() -> None:
    text = of("Ann", studentOf="Carlo Bassi", country="Italy", birthDate="1990")
    assert text == "Ann was born in 1990, is a student of Carlo Bassi and is from Italy."


def test_several_objects_of_a_relation_become_a_list() -> None:
    platforms = (("P", "supported platform", name) for name in ("macOS", "Android", "macOS"))
    assert said(*platforms) == "The supported platforms of P are macOS and Android."


def test_it_stands_only_for_things_and_only_where_it_is_clear() -> None:
    assert of("Tin Men", director="Ann", studio="Ghibli") == "Tin Men was directed by Ann. Its studio is Ghibli."
    assert of("Jo", occupation="potter", role="lead") == "Jo is a potter. The role of Jo is lead."
    chain = said(("Tin Men", "director", "Ann"), ("Tin Men", "studio", "Ghibli"), ("Ann", "age", "34"))
    assert chain == "Tin Men was directed by Ann. The studio of Tin Men is Ghibli. Ann is 34 years old."


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("red panda", "The red panda eats bamboo."),
        ("red pandas", "Red pandas eat bamboo."),
        ("United States", "The United States eats bamboo."),
        ("iPhone", "iPhone eats bamboo."),
        ("Volta 3 scooter", "The Volta 3 scooter eats bamboo."),
        ("ß", "ß eats bamboo."),
        ("Ann_Lee", "Ann Lee eats bamboo."),
    ],
)
def test_subjects_begin_sentences(subject: str, text: str) -> None:
    assert said((subject, "diet", "bamboo")) == text


def test_rows_of_tables() -> None:
    table = "[TABLECONTEXT]"
    facts = ((table, "[TITLE]", "Jari Litmanen"), (table, "DATE", "16 May 1991"), ("16 May 1991", "RESULT", "Win"))
    assert said(*facts) == (
        "The table on Jari Litmanen lists the date 16 May 1991. For 16 May 1991, the result is Win."
    )
    assert said((table, "[TITLE]", "Foo")) == "The table is about Foo."


@pytest.mark.parametrize(
    "fact",
    [("", "a", "b"), ("a", " ", "b"), ("a", "b", " "), ("a", "b", "\0"), ("a", "b\0", "c"), ("a", "b", "\ud800")],
)
def test_what_cannot_be_said_is_refused(fact: tuple[str, str, str]) -> None:
    with pytest.raises(InvalidInput, match="must"):
        said(fact)
    with pytest.raises(InvalidInput, match="at least one triple"):
        said()
