"""What kind of thing the names of an input are, as its relations and their own words tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from controldag.plain.facts_lists import phrase_set
from controldag.plain.facts_nouns import COUNT_NOUNS
from controldag.plain.facts_values import head_of, is_common

PERSON, PLACE, WORK, GROUP, PRODUCT, FOOD, EATERY, EVENT = (
    "person", "place", "work", "group", "product", "food", "eatery", "event",
)  # fmt: skip


_SUBJECTS: Mapping[str, frozenset[str]] = {
    PERSON: phrase_set(
        """
        occupation| profession| job| job title| spouse| birth place| birth date| date of birth| place of birth|
        death place| death date| date of death| place of death| nationality| citizenship| alma mater| employer|
        works for| works at| husband| wife| children| child| sibling| brother| sister| father| mother| parent|
        educated at| student of| doctoral advisor| gender| hometown| instrument| age| birthplace| birthday| born|
        born in| born on| died| died in| died on| lives in| plays| voice type| hobby| eye colour| hair colour|
        given name| first name| surname| country of citizenship| alumni of| residence| date of retirement|
        jersey number| shirt number| team| speaks| is captain| known for| net worth| studied under| reports to|
        was selected by nasa| was a crew member of| studied at| married to| plays for
        """
    ),
    PLACE: phrase_set(
        """
        population| floors| floor count| number of floors|
        population density| capital| mayor| time zone| timezone| postal code| zip code| area code|
        leader name| leader| river| nearest airport| elevation above the sea level| official language| currency|
        demonym| anthem| largest city| administrative county| county seat| area total| ethnic group|
        highest point| elevation| governor| number of students| dean| rector| academic staff size| located in|
        location| continent| twin town| area of water| has to its north| architect| architectural style
        """
    ),
    WORK: phrase_set(
        """
        author| director| illustrator| producer| screenwriter| composer| publisher| first published| pages|
        number of pages| narrator| isbn| isbn number| starring| cast member| written by| directed by|
        release date| premiered at| lyrics by| publication date| translator| media type| cinematography| music by|
        original language| publication year| distributor| running time| runtime| box office| original title|
        translated by
        """
    ),
    GROUP: phrase_set(
        """
        industry| members| band members| albums| lead singer| formed in| number of employees| employees| ceo|
        founder| founded| founded by| headquarters| headquarter| key person| revenue| parent company| subsidiary|
        number of members| chairman| ground| products| net income| employs| traded as| stock exchange|
        foundation place| licence holder
        """
    ),
    PRODUCT: phrase_set(
        """
        manufacturer| brand| price| regular price| sale price| battery life| battery| storage| ships with|
        made by| model| waterproof rating| screen size| licence| programming language| file format|
        operating system| platform| version| supported platform| developer| maintainer| engine| payload| warranty|
        written in| frame material| power
        """
    ),
    FOOD: phrase_set(
        """
        ingredient| main ingredient| main ingredients| ingredients| course| dish variation| serving temperature|
        cooking time| filling| eaten with| eaten at| baking time|
        calories| calories per serving| preparation time| spice| flavour|
        served with
        """
    ),
    EATERY: phrase_set("eat type|price range|customer rating|family friendly"),
    EVENT: phrase_set(
        """
        held on| held in| organiser| entry fee| home team| away team| referee| winner| attendance| venue|
        start date| end date| took place| took place in| took place on| takes place in| host city|
        full time score| participants| number of participants
        """
    ),
}
_OBJECTS: Mapping[str, frozenset[str]] = {
    PERSON: phrase_set(
        """
        author| director| spouse| mayor| ceo| founder| captain| coach| illustrator| composer| father| mother|
        child| husband| wife| former ceo| leader name| doctoral advisor| student of| president| architect|
        narrator| screenwriter| referee| chairman
        """
    ),
    PLACE: phrase_set(
        """
        birth place| death place| place of birth| place of death| country| location| located in| city| capital|
        region| state| county| birthplace| hometown| headquarters| residence| born in| is part of| district|
        municipality| lives in| city served| nearest city
        """
    ),
    GROUP: phrase_set(
        """
        manufacturer| employer| publisher| brand| record label| studio| works for| parent company| made by
        """
    ),
}
_PLACE_WORDS = re.compile(
    r"\b(?:airport|county|city|town|village|university|college|school|hospital|cathedral|church|castle|palace|bridge|tower|"
    r"hall|museum|park|station|stadium|district|province|island|mountain|lake|river|building|temple|hotel|street|house|"
    r"monument|memorial|institute|academy|mill|library|theatre|theater|harbou?r|square|fort|abbey)\b",
    re.IGNORECASE,
)


# Lorain, Ohio.
_TOWN = re.compile(r"[A-Z][\w.'-]+(?: [A-Z][\w.'-]+)*, [A-Z][\w.' -]+")
_FOOD_WORDS = re.compile(
    r"\b(?:sauce|soup|cake|sandwich|pudding|stew|curry|salad|cheese|bread|pie|biscuit|noodles|dumplings?|pasta|pastry)$",
    re.IGNORECASE,
)
# Classes (`type = biscuit`) whose last word tells what their members are.
_CLASS_WORDS: Mapping[str, frozenset[str]] = {
    FOOD: phrase_set(
        """
        biscuit| cake| soup| sauce| stew| dish| dessert| bread| cheese| pastry| drink| beverage| cocktail|
        sandwich| salad| pudding| curry| pie| snack| sausage| wine| beer| fruit| vegetable
        """
    ),
    WORK: phrase_set(
        """
        novel| film| movie| album| song| book| play| opera| poem| painting| sculpture| series| musical| magazine|
        journal| short story
        """
    ),
    PLACE: phrase_set(
        """
        city| town| village| country| island| mountain| lake| river| castle| museum| church| bridge| building|
        park| hotel| university| school| stadium| airport| tower| palace| cathedral| hospital| theatre| volcano|
        valley| desert| district| municipality| temple
        """
    ),
    GROUP: phrase_set(
        """
        company| band| club| organisation| organization| charity| bank| airline| startup| brewery| publisher|
        brand| party
        """
    ),
    PRODUCT: phrase_set(
        """
        bicycle| bike| car| phone| smartphone| laptop| camera| kettle| scooter| software| app| library| tool|
        game| watch| vehicle
        """
    ),
    EVENT: phrase_set(
        """
        festival| race| tournament| conference| concert| match| exhibition| battle| war| election| marathon|
        competition
        """
    ),
}
_TYPES = phrase_set("type|instance of|is a|kind|category|eat type|genre|building type")


def kinds_of(facts: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """What each name is, where something tells: from (subject, key of the relation, object)."""
    votes: dict[str, dict[str, int]] = {}
    for subject, key, value in facts:
        for kind, keys in _SUBJECTS.items():
            if key in keys:
                _vote(votes, subject, kind)
        for kind, keys in _OBJECTS.items():
            if key in keys:
                _vote(votes, value, kind)
        if key in _TYPES:
            for kind, heads in _CLASS_WORDS.items():
                if head_of(value) in heads:
                    _vote(votes, subject, kind)
        if PERSON not in votes.get(subject, {}) and _PLACE_WORDS.search(subject):
            _vote(votes, subject, PLACE)
        if _TOWN.fullmatch(subject):
            _vote(votes, subject, PLACE)
        if _FOOD_WORDS.search(subject):
            _vote(votes, subject, FOOD)
    return {name: max(found, key=lambda kind: (found[kind], -_ORDER[kind])) for name, found in votes.items()}


# Of kinds with as many votes, the first here: the relations of the later ones are less sure.
_ORDER = {kind: index for index, kind in enumerate((FOOD, EATERY, PERSON, WORK, EVENT, PLACE, GROUP, PRODUCT))}


def _vote(votes: dict[str, dict[str, int]], name: str, kind: str) -> None:
    counts = votes.setdefault(name, {})
    counts[kind] = counts.get(kind, 0) + 1


# A name with a common noun behind it: Volta 3 scooter.
_NAMED_THING = re.compile(r"[A-Z][\w.-]*(?: [A-Z0-9][\w.-]*)*(?: [a-z-]+){1,2}")


def takes_definite(subject: str) -> bool:
    """Whether a subject is a common noun for a kind of thing (`red panda`, `economy of Chile`), said with `the`."""
    if re.match(r"[a-z]{3,} of [A-Z]", subject):
        return True
    words = subject.split()
    if len(words) > 1 and words[-1].islower() and words[-1] in COUNT_NOUNS and _NAMED_THING.fullmatch(subject):
        return True
    return is_common(subject) and head_of(subject) in COUNT_NOUNS and not re.match(r"(?:a|an|the|my|our)\b", subject)
