"""Relations whose wording depends on what the subject is, or on the words of the object."""

from __future__ import annotations

import re
from collections.abc import Callable

from controldag.plain.english import counted, is_plural, with_article
from controldag.plain.facts_adjectives import DEGREES, is_adjective, is_colour, is_demonym
from controldag.plain.facts_frames import Fact, Form, Predicate, Role, Said, predicate
from controldag.plain.facts_happenings import destroyed, ends, held, held_at, in_year, on_date, race, starts
from controldag.plain.facts_kinds import EATERY, EVENT, FOOD, GROUP, PERSON, PLACE, PRODUCT, WORK
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_nouns import COUNT_NOUNS, MASS_NOUNS
from controldag.plain.facts_values import Kind, Value, as_member, head_of, is_common, is_counted_noun, listed
from controldag.plain.facts_verbs import is_passive


def special(fact: Fact) -> Said | None:
    """How a relation of this file is said; None: not one of them, or no special wording for this object."""
    rule = _RULES.get(fact.relation.key)
    return rule(fact) if rule is not None and fact.value.kind not in (Kind.YES, Kind.NO) else None


# Last syllables of what one does, not of who does it: farming, politics, law.
_FIELD = re.compile(r"(?:ing|ics|logy|graphy|ture|ment|ance|ence|ism)$")


def _job(fact: Fact) -> Said | None:
    """`is an astronaut`, `is retired`; a field (`farming`) and a post (`head of sales`) are named as such."""
    items = fact.value.items
    if fact.value.kind is Kind.TEXT and all(is_adjective(item) or is_passive(item) for item in items):
        return Predicate("is", listed(items))
    fields = [head_of(item) in MASS_NOUNS or _FIELD.search(head_of(item)) or " of " in item for item in items]
    return None if any(fields) else _member(fact)


def _breed(fact: Fact) -> Said | None:
    described = any(item.islower() and (is_adjective(item) or is_passive(item)) for item in fact.value.items)
    return None if described else _member(fact)


def _member(fact: Fact) -> Said | None:
    """`is an astronaut`: for classes, unless the object is a list or a plural."""
    if fact.value.kind is not Kind.TEXT or any(re.search(r"[,;/]", item) for item in fact.value.items):
        return None
    if any(is_plural(item) and head_of(item) not in COUNT_NOUNS for item in fact.value.items):
        return None
    return Predicate("is", listed([as_member(item) for item in fact.value.items]), form=Form.CLASS)


# Endings of adjectives; a noun that has one has to be on the list of nouns.
_ADJECTIVAL = re.compile(r"(?:ed|ing|ive|al|ic|ous|ful|less|able|ible|ish|ly|ar|ary|ory|ern|ese|ian)$")


def _class(fact: Fact) -> Said | None:
    """`is a biscuit`, `is private`: for types, where the object is a noun of everyday English or an adjective."""
    items = fact.value.items
    if fact.value.kind is not Kind.TEXT:
        return None
    if all(is_adjective(item) for item in items):
        return Predicate("is", listed(items))
    known = all(is_counted_noun(item) or (item.islower() and not _ADJECTIVAL.search(head_of(item))) for item in items)
    return _member(fact) if known and not any(map(is_plural, items)) else None


def _instance(fact: Fact) -> Said | None:
    return _member(fact) or Predicate("is", f"{_CLASSES.get(fact.relation.key, 'an instance')} of {fact.value.text}")


_CLASSES = {"subclass of": "a subclass", "kind of": "a kind", "type of": "a type"}


def _genre(fact: Fact) -> Said | None:
    heads = [head_of(item) for item in fact.value.items]
    tools = {
        "editor",
        "browser",
        "game",
        "compiler",
        "debugger",
        "framework",
        "database",
        "simulator",
        "emulator",
        "novel",
    }
    if all(head in tools or (fact.kind == WORK and head in _GENRES) for head in heads):
        return _member(fact)
    return None


_GENRES = word_set(
    """
    satire comedy drama thriller musical documentary western romance biography memoir novel novella opera ballad
    film sitcom tragedy fable fairytale parody
    """
)


def _nationality(fact: Fact) -> Said | None:
    items = fact.value.items
    if all(is_demonym(item) for item in items):
        return Predicate("is", listed(items), form=Form.ADJECTIVE)
    return _placed("from", fact) if fact.value.kind is Kind.TEXT else None


# How large a place of such a name is: the larger one is said last.
_SIZES = {
    "town": 1,
    "city": 2,
    "municipality": 3,
    "location city": 2,
    "district": 4,
    "county": 5,
    "region": 6,
    "province": 7,
    "state": 7,
}
_LARGEST = 9


def _placed(preposition: str, fact: Fact) -> Predicate:
    size = _SIZES.get(fact.relation.key, _LARGEST) if fact.value.single else 0
    return Predicate("is", fact.value.named, preposition, Form.PLACE, size)


def _country(fact: Fact) -> Said | None:
    if fact.value.kind is not Kind.TEXT:
        return None
    if (is_plural(fact.value.bare) and not fact.value.named.startswith("the ")) or fact.value.bare.endswith("cuisine"):
        return None
    if fact.kind in (PLACE, EVENT, EATERY):
        return _placed("in", fact)
    return _placed("from", fact) if fact.kind in (PERSON, WORK, GROUP, PRODUCT, FOOD) else None


def _inside(fact: Fact) -> Said | None:
    """City, state, region: `is in`, for places."""
    if fact.value.kind is Kind.TEXT and fact.kind in (PLACE, EVENT, EATERY, GROUP):
        return _placed("in", fact)
    return _placed("from", fact) if fact.value.kind is Kind.TEXT and fact.kind == FOOD else None


def _location(fact: Fact) -> Said | None:
    return Predicate("is", fact.value.where, "located") if fact.value.kind is Kind.TEXT else None


def _language(fact: Fact) -> Said | None:
    if fact.value.kind is not Kind.TEXT:
        return None
    if fact.kind == WORK and fact.relation.key != "original language":
        return Predicate("is", fact.value.named, "in", Form.PLACE)
    if fact.kind == PERSON:
        return predicate(f"speaks {fact.value.named}")
    return Role("language", fact.value.named) if fact.relation.key == "in language" else None


def _colour(fact: Fact) -> Said | None:
    if fact.kind not in (PERSON, GROUP, PLACE) and all(is_colour(item) for item in fact.value.items):
        return Predicate("is", fact.value.text, form=Form.OTHER)
    return None


def _height(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.MEASURE and fact.kind in (PERSON, PLACE):
        return Predicate("is", f"{fact.value.text} tall")
    return None


def _area(fact: Fact) -> Said | None:
    """The part of a town (`riverside`), not a measure."""
    if fact.value.kind is not Kind.TEXT or not fact.value.single:
        return None
    ends = r"\b(?:area|centre|center|district|quarter|side|town|city|zone|region)$"
    place = fact.value.text if re.search(ends, fact.value.bare) else f"{fact.value.text} area"
    return Predicate("is", f"the {place}", "in", Form.PLACE)


def _gender(fact: Fact) -> Said | None:
    return Predicate("is", fact.value.text) if fact.value.bare in ("male", "female") else None


def _died(fact: Fact) -> Said | None:
    """`died in Salta`, `died of pneumonia`: a name is a place, a common noun a cause."""
    if fact.value.kind is not Kind.TEXT:
        return None
    return Predicate("", f"of {fact.value.text}" if is_common(fact.value.text) else fact.value.where, "died")


def _served(fact: Fact) -> Said | None:
    """`is served warm or cold`; otherwise someone served something."""
    if re.match(r"(?:warm|cold|hot|chilled|fresh|with|as|at|in|on|over|room|cool|frozen)\b", fact.value.bare):
        return Predicate("is", fact.value.text, "served")
    return Predicate("served", fact.value.named) if fact.value.kind is Kind.TEXT else None


def _parts(fact: Fact) -> Said | None:
    """`has an engine as a part`, `has rings as parts`."""
    several = not fact.value.single or is_plural(fact.value.text)
    return Predicate("has", f"{fact.value.with_articles} as {'parts' if several else 'a part'}")


def _is(fact: Fact) -> Said | None:
    return Predicate("is", fact.value.with_articles)


def _has(fact: Fact) -> Said | None:
    return Predicate("has", fact.value.with_articles)


def _food(fact: Fact) -> Said | None:
    meals = all(is_demonym(item) or item.lower().endswith(" food") for item in fact.value.items)
    if fact.value.kind is not Kind.TEXT or not (fact.kind == EATERY or meals):
        return None
    kinds = [item if item.lower().endswith(("food", "foods")) else f"{item} food" for item in fact.value.items]
    return Predicate("serves", listed(kinds))


def _cuisine(fact: Fact) -> Said | None:
    if fact.kind == EATERY and all(map(is_demonym, fact.value.items)):
        return Predicate("serves", f"{fact.value.text} cuisine")
    return None


def _species(fact: Fact) -> Said | None:
    return _member(fact) if all(map(is_counted_noun, fact.value.items)) else None


def _degree(fact: Fact) -> Said | None:
    """`a low customer rating`, `a price range of less than £20`."""
    noun = fact.relation.phrase
    if not fact.value.single:
        return None
    if fact.value.bare in DEGREES:
        return Predicate("has", with_article(f"{fact.value.text} {noun}"))
    return Predicate("has", f"{with_article(noun)} of {fact.value.text}")


def _instrument(fact: Fact) -> Said | None:
    if fact.kind not in ("", PERSON) or fact.value.kind is not Kind.TEXT:
        return None
    if any(is_plural(item) or re.search(r"voice|vocal|sing|[,;/]", item.lower()) for item in fact.value.items):
        return None
    return Predicate("plays", listed([f"the {item}" for item in fact.value.items]))


_INSTRUMENTS = word_set(
    "violin viola cello piano guitar flute clarinet oboe trumpet trombone tuba harp saxophone accordion banjo mandolin "
    "ukulele harmonica bassoon drums organ sitar lute recorder bass"
)


def _plays(fact: Fact) -> Said | None:
    return _instrument(fact) if all(head_of(item) in _INSTRUMENTS for item in fact.value.items) else None


def _medals(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.NUMBER:
        return Predicate("has", counted(fact.value.text, f"{fact.relation.key} medal"))
    return None


def _industry(fact: Fact) -> Said | None:
    if fact.value.kind is not Kind.TEXT or not fact.value.single or "," in fact.value.text:
        return None
    tail = "" if fact.value.bare.endswith(("industry", "sector")) else " industry"
    return Predicate("is", f"in the {fact.value.text}{tail}")


def _river(fact: Fact) -> Said | None:
    return (
        Predicate("is", _rivers(fact.value), "on", Form.PLACE)
        if fact.kind == PLACE and fact.value.kind is Kind.TEXT
        else None
    )


def _rivers(value: Value) -> str:
    return listed([item if item.lower().startswith("the ") else f"the {item}" for item in value.items])


def _time_zone(fact: Fact) -> Said | None:
    if not fact.value.single:
        return None
    tail = "" if fact.value.bare.endswith(("time", "zone")) else " time zone"
    return Predicate("is", f"in the {fact.value.text}{tail}")


def _amount(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.MEASURE:
        return Predicate("has", f"{fact.value.text} of {fact.relation.phrase}")
    return None


def _nutrient(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.MEASURE:
        return Predicate("contains", f"{fact.value.text} of {fact.relation.phrase}")
    return None


def _licence(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.TEXT and fact.value.single:
        tail = "" if fact.value.bare.endswith(("license", "licence")) else f" {fact.relation.words[-1]}"
        tail = tail if tail.strip() in ("license", "licence") else ""
        return Predicate("is", f"under the {fact.value.text}{tail}", "available")
    return None


def _diet(fact: Fact) -> Said | None:
    """`eats bamboo`; `carnivore` and `vegetarian` are no food."""
    if fact.value.kind is Kind.TEXT and not any(
        re.search(r"(?:vore|vorous|tarian|vegan|diet|fed|carb|based|protein|-.*)\b", item.lower()) or is_adjective(item)
        for item in fact.value.items
    ):
        return Predicate("eats", fact.value.text)
    return None


def _alternative_name(fact: Fact) -> Said | None:
    return Predicate("is", f"also known as {fact.value.text}")


def _age(fact: Fact) -> Said | None:
    if fact.value.kind is Kind.NUMBER:
        return Predicate("is", f"{fact.value.text} years old")
    return Predicate("is", f"{fact.value.text} old") if fact.value.bare.endswith("years") else None


def _rules(table: dict[str, Callable[[Fact], Said | None]]) -> dict[str, Callable[[Fact], Said | None]]:
    return {key.strip(): rule for keys, rule in table.items() for key in keys.split("|")}


_RULES = _rules(
    {
        "occupation|profession|job|has occupation|works as|job title": _job,
        "breed|animal breed": _breed,
        "eat type": _member,
        "year": in_year,
        "date|event date": on_date,
        "type|kind|category|type of business|building type|product type|classification|category of thing": _class,
        "instance of|is a|is an|isa|kind of|type of|rdf type|subclass of|is a kind of|is a type of": _instance,
        "genre|literary genre|software genre": _genre,
        "nationality": _nationality,
        "country|country of origin|origin country|origin|place of origin|country origin|hometown|home town": _country,
        "city|state|region|county|province|district|municipality|town|location city|location country": _inside,
        "location": _location,
        "language|in language|original language|languages": _language,
        "colour": _colour,
        "height": _height,
        "area": _area,
        "food": _food,
        "cuisine": _cuisine,
        "species": _species,
        "price range|customer rating|price category": _degree,
        "instrument|plays instrument|musical instrument|instruments": _instrument,
        "plays": _plays,
        "gold|silver|bronze": _medals,
        "industry|sector": _industry,
        "river|located next to river": _river,
        "time zone|timezone": _time_zone,
        "storage|memory|ram|disk space|internal storage|internal memory": _amount,
        "protein|fat|carbohydrate|carbohydrates|sugar|fibre|salt|sodium|caffeine|saturated fat|cholesterol": _nutrient,
        "licence|licenced under|software licence": _licence,
        "diet|feeds on|main diet": _diet,
        "held on|date held|takes place on|took place on": held,
        "held in|held at|takes place in|took place in|takes place at|took place at": held_at,
        "start date|starts on|begins on|started on|starting date|start time|begin date": starts,
        "end date|ends on|finish date|ending date|end time": ends,
        "demolished|demolition date|demolished in|destroyed|destroyed in|demolition year": destroyed,
        "race": race,
        "alternative name|other name|also known as|alias|aka|alternative names|aliases": _alternative_name,
        "age": _age,
        "gender|sex": _gender,
        "died": _died,
        "served": _served,
        "has part|has parts|has a part": _parts,
        "is|are|be|equals": _is,
        "has|have": _has,
    }
)  # fmt: skip
