"""Tables for reading names of relations: units, abbreviations, acronyms, words that keep or lose their capitals."""

from __future__ import annotations

import re

from controldag.plain.facts_lists import phrase_set, word_set
from controldag.plain.facts_nouns import COUNT_NOUNS

UNIT = re.compile(
    r"(?:in )?(%|°[cf]|k?m²|k?m\^?[23]|m|km|cm|mm|ft|feet|foot|metres?|meters?|kilomet(?:re|er)s|miles|mi"
    r"|inch(?:es)?|kg|g|mg|lbs?|pounds|tonnes|tons|sq ?mi|sq ?km|square (?:kilomet(?:re|er)s|miles|met(?:re|er)s|feet)"
    r"|hectares|acres|mph|km/h|kw|w|hp|v|mah|gb|mb|tb|hz|mhz|ghz|minutes"
    r"|hours|seconds|days|weeks|months|years|millions?|billions?|thousands"
    r"|usd|eur|gbp|dollars|euros|percent|litres|liters|inhabitants per square kilomet(?:re|er))",
    re.IGNORECASE,
)
TRAILING_UNITS = word_set(
    """
    km2 km² m2 m² sqmi kg km mm cm ml usd eur gbp mph kmh metres meters feet miles minutes hours seconds grams
    litres liters percent celsius fahrenheit watts gb mb tb knots l g m ft in lb lbs mi hrs mins chf kw w kwh pct
    hectares acres months weeks days years tonnes
    """
)
# Behind whatever noun these are units: `deposit_eur`, `sugar_g`.
SURE_UNITS = word_set("kg km cm mm lb lbs kw kwh eur usd gbp chf km2 km² m2 m² sqmi mph kmh g mg ml knots")
# Words before a unit at the end of a name: `weightKg`, but not `flight hours`.
MEASURED = word_set(
    """
    in life time duration length width height depth weight mass price cost distance size area speed range capacity
    volume temperature age total fee diameter radius power memory storage runtime altitude elevation draft beam
    payload load deposit revenue salary rent fare income budget balance consumption voltage thickness lifespan
    period term warranty wingspan
    """
)
UNIT_WRITTEN = {
    "km2": "km²", "km^2": "km²", "m2": "m²", "m^2": "m²", "sqmi": "square miles", "sq mi": "square miles",
    "sq km": "km²", "usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "pct": "percent",
    "kw": "kW", "w": "W", "kwh": "kWh", "kmh": "km/h", "gb": "GB", "mb": "MB", "tb": "TB",
    "sqkm": "km²", "millions": "million", "billions": "billion", "thousands": "thousand",
}  # fmt: skip
ABBREVIATED = {
    "#": "number", "№": "number", "%": "percentage", "±%": "percentage change", "±": "change",
    "no": "number", "no.": "number", "nr": "number", "nr.": "number", "num": "number", "rd.": "round",
    "avg": "average", "avg.": "average", "prod.": "production", "pos": "position", "pos.": "position", "pts": "points",
    "pts.": "points", "yr": "year", "min.": "minimum", "max.": "maximum", "max": "maximum", "min": "minimum",
    "dob": "date of birth", "approx.": "approximate", "attr": "attribute", "qty": "quantity", "temp": "temperature",
    "dept": "department", "org": "organisation", "univ": "university", "pop": "population", "pop.": "population",
    "est.": "established", "desc": "description", "orig.": "original", "nat.": "nationality",
}  # fmt: skip
MORE_ACRONYMS = word_set(
    """
    isbn issn oclc lccn icao iata coden iucn unesco uefa fifa nasa nfl nba nhl mlb ncaa gdp hdi cpu gpu ram usb
    hdmi lcd oled gps vat bpm rpm mpg ceo cfo cto coo mp phd dna rna ph imdb iso utc uk us usa eu un nrhp mvp rbi
    dj vip hq sms dvd cd tv pc os api sdk url uri ip tcp http https html css sql json xml pdf svg ssd hdd dc uv fm
    gnp isin lei imo mmsi doi pmid orcid issn-l fbi cia bbc nato wto imf gmt sku iban ean upc gtin ibu abv mls
    wnba afl nrl bmi iq gpa
    """
)
PHRASAL = phrase_set(
    "check in|check out|log in|log out|sign up|sign in|follow up|start up|back up|kick off|take off|drop off|pick up|"
    "set up|line up|run time|spin off|runner up"
)
# Roles of people before `name`: `mayorName` is the mayor.
NAMED_ROLES = word_set(
    "mayor owner manager teacher doctor coach captain president artist author governor director principal chairman boss"
)
# First words of relations that are no names.
ORDINARY = COUNT_NOUNS | word_set(
    """
    is are was were has have had can does did do may must will should number date place name time year birth death
    first last next main current former total average maximum minimum official original native best worst top home
    away full short long high low of part type kind size area length height weight width depth speed price cost
    battery screen fuel engine net gross annual monthly daily weekly opening closing check start end release
    publication located based built founded written made born married owned run led known famous suitable
    available used named called field country region city state mother father blood eye hair phone email postal
    zip street alma job work mailing customer food family wheelchair outdoor indoor free pets dogs contains serves
    allows accepts works lives plays
    """
)
ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)")
PROPER = re.compile(
    r"(?:english|french|german|spanish|italian|latin|greek|chinese|japanese|korean|russian|arabic|hebrew|dutch|swedish|"
    r"danish|norwegian|finnish|polish|turkish|portuguese|hindi|cyrillic|american|british|european|asian|african|olympic|"
    r"olympics|january|february|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|christian|roman|canadian|australian|indian|irish|scottish|welsh)s?",
    re.IGNORECASE,
)


SPELLINGS = (
    ("color", "colour"), ("center", "centre"), ("organiz", "organis"), ("license", "licence"), ("theater", "theatre"),
    ("flavor", "flavour"), ("neighbor", "neighbour"), ("jewelry", "jewellery"), ("fiber", "fibre"),
    ("program ", "programme "), ("honors", "honours"), ("headquarter ", "headquarters "),
)  # fmt: skip
