"""Everyday relations and the predicates that say them: one line a predicate, `names = template`.

A name may stand on several lines; `value_kind` before a colon says for which objects a line is meant (`time`, `text`,
`number`, `measure`, `amount` for the last two); the first line that fits wins. A relation that no line fits is left to
the grammar. An indented line goes on with the one before. What depends on the subject or on the words of the object is
in `facts_special`.
"""

from __future__ import annotations

import re

from controldag.plain.facts_values import Kind, Value, as_time
from controldag.plain.facts_words import Relation

_LINES = """
# People
birth place, place of birth, birthplace, born in, born at, birth city, city of birth,
    country of birth, birth country = text: was
    born in {the}
birth date, date of birth, birthday, birthdate, born on, born, birth year, year of birth, was born on, was born in
    = time: was born {t}
born, was born in, was born = text: was born {in}
married = text: married {o}
death place, place of death, died in, died at, deathplace = text: died in {the}
death date, date of death, died on, died, death year, year of death, deathdate, died in = time: died {t}
every = any: takes place every {o}
best before = any: is best before {o}
cause of death, died of, death cause = text: died of {o}
place of burial, burial place, buried in, buried at, resting place = text: is buried in {the}
spouse, married to, is married to, spouse name = text: is married to {o}
employer, works for, employed by, is employed by = text: works for {the}
works at, workplace, place of work = text: works at {the}
lives in, resides in = text: lives {in}
alma mater, educated at = text: was educated at {the}
studied at, university attended = text: studied at {the}
graduated from, alumni of, alumnus of = text: graduated from {the}
student of, is student of, pupil of = text: is a student of {o}
field of study, studied, major, academic major = text: studied {o}
doctoral advisor, thesis advisor, phd advisor = text: had {o} as a doctoral advisor
award, awards, award received, received award, has won prize, won award, awards received, won prize = text:
    received {the}
award, awards = number: has {o} awards
nominated for, was nominated for = text: was nominated for {the}
citizenship, country of citizenship, citizen of, is citizen of = text: is a citizen of {the}
native language, mother tongue = text: speaks {o} as a native language
languages spoken, languages spoken written or signed, language spoken, speaks, speaks language, knows language =
    text: speaks {o}
political party, party membership, member of political party = text: is a member of {the}
member of, is member of, membership, member of sports team, band member of = text: is a member of {the}
influenced by = text: was influenced by {o}
age = number: is {o} years old
date of retirement, retirement date, retired, retired on, retired in = time: retired {t}
plays for, current club, current team = text: plays for {the}
played for, former club, former team = text: played for {the}
active since = time: has been active since {o}
known for, famous for = text: is known for {the}
blood type = text: has blood type {o}
has pet = text: has a pet called {o}
phone, telephone, phone no, telephone number, mobile = any: has the phone number {o}
elected, elected as = text: was elected {o}
appointed, appointed as = text: was appointed {o}
awarded, was awarded = text: was awarded {the}
rated = text: is rated {o}
ranked = text: is ranked {o}
titled, entitled = text: is titled {o}
priced = measure: is priced at {o}
# Works
author, written by, writer, book author, authored by = text: was written by {o}
director, directed by, film director = text: was directed by {o}
producer, produced by, film producer = text: was produced by {o}
illustrator, illustrated by = text: was illustrated by {o}
composer, composed by, music composer = text: was composed by {o}
screenwriter, screenplay by, screenplay = text: has a screenplay by {o}
music by, music = text: has music by {o}
lyrics by, lyricist, lyrics writer = text: has lyrics by {o}
translator, translated by = text: was translated by {o}
narrator, narrated by = text: is narrated by {a}
editor, edited by, book editor = text: is edited by {o}
creator, created by, character creator = text: was created by {o}
painter, painted by = text: was painted by {o}
sculptor, sculpted by = text: was sculpted by {o}
photographer, photographed by = text: was photographed by {o}
choreographer, choreographed by = text: was choreographed by {o}
publisher, published by = text: is published by {the}
distributor, distributed by = text: is distributed by {the}
broadcasted by, broadcast by = text: is broadcast by {the}
starring, stars, cast member, main cast, starred by = text: stars {o}
production company = text: was produced by {the}
performer, performed by, sung by = text: is performed by {o}
recorded at, recorded in = text: was recorded at {the}
followed by = text: is followed by {o}
preceded by = text: is preceded by {o}
based on = text: is based on {the}
running time, runtime = amount: has a running time of {o}
release date, released, released on, released in, date of release, release year, year of release =
    time: was released {t}
publication date, published, published in, published on, year of publication, publication year, date of
    publication = time: was published {t}
first released = time: was first released {t}
first publication year, first published, first publication date, year first published = time: was first published {t}
first aired, first air date, original air date, airdate, air date = time: first aired {t}
last aired, last air date = time: last aired {t}
premiere date, premiered, premiered on, premiered in, premiere year = time: premiered {t}
filming location, filmed in, shot in = text: was filmed in {the}
set in, setting = text: is set in {the}
isbn = any: has the ISBN {o}
written in, programming language, implemented in = text: is written in {o}
# Organisations
founder, founded by, established by, founders = text: was founded by {o}
founded, founding date, foundation date, founded in, founding year, date of foundation, foundation year, year
    founded = time: was founded {t}
established, established in, date established, establishment date, year established, date of establishment = time:
    was established {t}
founding location, foundation place, founded at, founding place, formation location = text: was founded in {the}
headquarters, headquarter, headquarters location, hq, headquartered in, headquarters in, hq location, head office
    = text: has its headquarters {in}
parent company, subsidiary of = text: is a subsidiary of {the}
owner, owned by, is owned by = text: is owned by {the}
operator, operated by, operating organisation = text: is operated by {the}
leader name, led by, leader = text: is led by {o}
sponsor, sponsored by = text: is sponsored by {the}
governing body = text: is governed by {the}
dissolved, dissolution date, date of dissolution = time: was dissolved {t}
competes in, compete in, plays in league, league = text: competes in {the}
affiliation, affiliations, affiliated with, affiliated to = text: is affiliated with {the}
# Places and buildings
located in, is located in, situated in, lies in, is situated in, contained in place, located = text: is located {in}
based, based in, is based in, base = text: is based {in}
located at, location at = text: is located at {the}
located on, situated on = text: is located on {the}
part of, is part of, ispart of = text: is part of {the}
near, located near, close to, is near = text: is near {the}
borders, shares border with, bordering, neighbouring country, neighbouring municipality = text: borders {the}
population, population total, inhabitants, total population, number of inhabitants = amount: has a population of {o}
population density, density of population = amount: has a population density of {o}
continent, on continent = text: is in {o}
architect, designed by architect = text: was designed by {o}
designer, designed by = text: was designed by {o}
builder, built by, constructed by = text: was built by {the}
built, built in, built on, year built, year of construction, construction year, constructed in, date built, build
    year = time: was built {t}
built in, constructed in = text: was built {in}
opened, opened in, opening date, opened on, date opened, opening year, year opened = time: opened {t}
inauguration date, inaugurated = time: was inaugurated {t}
completed, completion date, completed in, year completed, date completed = time: was completed {t}
closed, closing date, closed in, date closed, year closed = time: closed {t}
dedicated to = text: is dedicated to {the}
spoken in = text: is spoken in {the}
nickname, nicknamed, has nickname = text: is nicknamed {o}
native name = any: has the native name {o}
founded as = text: was founded as {o}
# Things
manufacturer, made by, maker, manufactured by, producer company = text: is made by {the}
developer, developed by = text: was developed by {the}
maintainer, maintained by, maintains = text: is maintained by {the}
inventor, invented by = text: was invented by {o}
discoverer, discovered by, discoverer or inventor = text: was discovered by {o}
invented, invented in, date of invention, year of invention, invention year = time: was invented {t}
discovered, discovered in, date of discovery, year of discovery, discovery date, discovery year = time: was
    discovered {t}
introduced, introduced in, introduction date = time: was introduced {t}
weight, weighs, mass, body weight = measure: weighs {o}
price, costs, cost, retail price, list price, priced at = measure: costs {o}
monthly price, price per month, monthly fee, monthly cost = measure: costs {o} per month
annual price, yearly price, price per year, annual fee, yearly fee = measure: costs {o} per year
hourly rate, price per hour = measure: costs {o} per hour
nightly rate, price per night, nightly price = measure: costs {o} per night
regular price, normal price, usual price, original price, standard price = measure: has a regular price of {o}
sale price, discounted price, reduced price = measure: is on sale for {o}
width = measure: is {o} wide
thickness = measure: is {o} thick
depth = measure: is {o} deep
material, made of, made from, made from material, construction material, building material = text: is made of {o}
operating system, runs on, platform operating system = text: runs on {o}
ships with, comes with, sold with = text: ships with {a}
ingredient, ingredients, has ingredient, listed ingredient = text: contains {o}
spice, spiced with, seasoned with = text: is seasoned with {o}
conservation status = text: has the conservation status {o}
symbol, chemical symbol, atomic symbol = text: has the symbol {o}
chemical formula, formula, molecular formula = any: has the formula {o}
atomic number = number: has the atomic number {o}
melts at = measure: melts at {o}
boils at = measure: boils at {o}
opposite of, opposite, antonym = text: is the opposite of {o}
named after, eponym = text: is named after {the}
current use = text: is currently used as {a}
former use, original use = text: was formerly used as {a}
launched, launch date, launched on, launched in, date of launch, launch year = time: was launched {t}
commissioned, commissioned in, commissioned on, commissioning date = time: was commissioned {t}
decommissioned, decommissioned in, decommissioning date = time: was decommissioned {t}
sunk, sunk in, sunk on = time: was sunk {t}
crew, crew size = number: has a crew of {o}
powered by = text: is powered by {a}
# Events
organiser, organised by, host organisation = text: is organised by {the}
host, hosted by = text: is hosted by {the}
presenter, presented by = text: is presented by {the}
winner, won by = text: was won by {the}
referee, refereed by = text: was refereed by {o}
premiered at = text: premiered at {the}
"""


def _table() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for line in re.sub(r"\n +", " ", _LINES).strip().splitlines():
        if line.startswith("#"):
            continue
        names, _, rest = line.partition(" = ")
        kind, _, template = rest.partition(": ")
        for name in names.split(", "):
            found.setdefault(name.strip(), []).append((kind, template))
    return found


TABLE = _table()


def from_table(relation: Relation, value: Value) -> tuple[str, Value] | None:
    """The template for the relation and this kind of object, with the object as the template reads it."""
    for kind, template in TABLE.get(relation.key, ()):
        read = as_time(value) if kind == "time" else value
        # What closes on Mondays did not close once.
        once = read.has_year or not template.startswith("closed")
        if fits(kind, read) and once and not (kind == "time" and read.is_to_come):
            return template, read
    return None


def fits(kind: str, value: Value) -> bool:
    """Whether an object is of the kind that a line is meant for."""
    match kind:
        case "any":
            return value.kind not in (Kind.YES, Kind.NO)
        case "amount":
            return value.kind in (Kind.NUMBER, Kind.MEASURE)
        case "text":
            return value.kind in (Kind.TEXT, Kind.MEASURE)
        case _:
            return value.kind.value == kind
