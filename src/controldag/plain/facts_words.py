"""The words of a relation's name, in any style: `birthPlace`, `FLOOR_COUNT`, `full-time score`, `area (km²)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.facts_lists import word_set
from controldag.plain.irregular import ACRONYMS

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SURELY_CAMEL = re.compile(r"[a-z]{2,}(?:[A-Z][a-z]+)+")
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^][]*)\]")
# `_` and quotation marks separate; a hyphen or slash inside a word does not.
_EDGES = "\"'.,:;!?*-–—/\\=<>|~^`´+&{}[]()"
_UNIT = re.compile(
    r"(?:in )?(%|°[cf]|k?m²|k?m\^?[23]|m|km|cm|mm|ft|feet|foot|metres?|meters?|kilomet(?:re|er)s|miles|mi"
    r"|inch(?:es)?|kg|g|mg|lbs?|pounds|tonnes|tons|sq ?mi|sq ?km|square (?:kilomet(?:re|er)s|miles|met(?:re|er)s|feet)"
    r"|hectares|acres|mph|km/h|kw|w|hp|v|mah|gb|mb|tb|hz|mhz|ghz|minutes|hours|seconds|days|weeks|months|years|millions?|billions?|thousands"
    r"|usd|eur|gbp|dollars|euros|percent|litres|liters|inhabitants per square kilomet(?:re|er))",
    re.IGNORECASE,
)
_UNIT_WRITTEN = {
    "km2": "km²", "km^2": "km²", "m2": "m²", "m^2": "m²", "sqmi": "square miles", "sq mi": "square miles",
    "sq km": "km²", "sqkm": "km²", "millions": "million", "billions": "billion", "thousands": "thousand",
}  # fmt: skip
_ABBREVIATED = {
    "#": "number", "№": "number", "%": "percentage", "±%": "percentage change", "±": "change", "no": "number", "no.": "number", "nr": "number", "nr.": "number", "num": "number", "rd.": "round",
    "avg": "average", "avg.": "average", "prod.": "production", "pos": "position", "pos.": "position", "pts": "points",
    "pts.": "points", "yr": "year", "min.": "minimum", "max.": "maximum", "max": "maximum", "min": "minimum",
    "dob": "date of birth", "approx.": "approximate", "attr": "attribute", "qty": "quantity", "temp": "temperature",
    "dept": "department", "org": "organisation", "univ": "university", "pop": "population", "pop.": "population",
    "est.": "established", "desc": "description", "orig.": "original", "nat.": "nationality",
}  # fmt: skip
_MORE_ACRONYMS = word_set(
    """
    isbn issn oclc lccn icao iata coden iucn unesco uefa fifa nasa nfl nba nhl mlb ncaa gdp hdi cpu gpu ram usb
    hdmi lcd oled gps vat bpm rpm mpg ceo cfo cto coo mp phd dna rna ph imdb iso utc uk us usa eu un nhl
    nrhp mvp rbi dj vip hq sms dvd cd tv pc os api sdk url uri ip tcp http https html css sql json
    xml pdf svg ssd hdd dc uv fm gnp isin lei imo mmsi doi pmid orcid issn-l fbi cia bbc nato wto
    imf gmt ibu abv mls wnba afl nrl bmi iq gpa
    """
)
_ORDINAL = re.compile(r"[0-9]+(?:st|nd|rd|th)")
_PROPER = re.compile(
    r"(?:english|french|german|spanish|italian|latin|greek|chinese|japanese|korean|russian|arabic|hebrew|dutch|swedish|"
    r"danish|norwegian|finnish|polish|turkish|portuguese|hindi|cyrillic|american|british|european|asian|african|olympic|"
    r"olympics|january|february|april|june|july|august|september|october|november|december|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|christian|roman|canadian|australian|indian|irish|scottish|welsh)s?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation's name as English words.

    words: as they stand in a sentence. unit: of a number, where the name tells (`area (km²)`). remark: what else stood
    in brackets.
    """

    words: tuple[str, ...]
    unit: str = ""
    remark: str = ""

    @property
    def phrase(self) -> str:
        return " ".join(self.words)

    @property
    def key(self) -> str:
        """The words in lower case and British spelling, without hyphens: what tables are asked for."""
        low = self.phrase.lower().replace("-", " ")
        for american, british in _SPELLINGS:
            low = low.replace(american, british)
        return low


_SPELLINGS = (
    ("color", "colour"), ("center", "centre"), ("organiz", "organis"), ("license", "licence"), ("theater", "theatre"),
    ("flavor", "flavour"), ("neighbor", "neighbour"), ("jewelry", "jewellery"), ("fiber", "fibre"),
    ("program ", "programme "), ("honors", "honours"), ("headquarter ", "headquarters "),
)  # fmt: skip


def relation_of(name: str) -> Relation:
    """The name's words; a name of signs alone (`±%`) is one word, and `words` is empty where there is nothing."""
    name = name.replace("_", " ").replace("’", "'").strip()
    remarks = [first or second for first, second in _BRACKET.findall(name)]
    plain = _BRACKET.sub(" ", name) if _BRACKET.sub("", name).strip(_EDGES + " ") else name
    if plain == name:
        remarks = []
    remarks = [remark.strip() for remark in remarks if remark.strip() and remark.strip().lower() != "s"]
    words = _words(plain)
    unit = remark = ""
    if len(remarks) == 1 and _UNIT.fullmatch(remarks[0]):
        unit = _unit(remarks[0])
    elif remarks:
        remark = ", ".join(" ".join(_words(each)) or each for each in remarks)
    elif len(words) > 1 and words[-1].lower() in ("km2", "km²", "m2", "m²", "sqmi", "kg", "km", "mm", "cm", "kmh"):
        words, unit = words[:-1], _unit(words[-1])
    return Relation(words or tuple(name.split()), unit, remark)


def _unit(text: str) -> str:
    low = re.sub(r"^in ", "", text.strip(), flags=re.IGNORECASE)
    return _UNIT_WRITTEN.get(low.lower(), low if any(letter.islower() for letter in low) else low.lower())


def _words(name: str) -> tuple[str, ...]:
    shouted = name == name.upper()
    whole = " " not in name.strip()
    pieces = [part for piece in name.split() for part in _split(piece, whole)]
    camel = len(pieces) > len(name.split())
    titled = all(
        not piece[0].islower() for piece in pieces if piece not in ("of", "in", "and", "the", "for", "by", "to")
    )
    written: list[str] = []
    for piece in pieces:
        full = _ABBREVIATED.get(piece.lower())
        # `no` is a number at the end of a name, and nothing in `no smoking`.
        if full is not None and (piece.lower() not in ("no", "pop") or piece is pieces[-1]):
            written.extend(full.split())
            continue
        if piece.endswith("#"):
            written.extend((_natural(piece[:-1], shouted, camel or titled), "number"))
            continue
        bare = piece.rstrip(_EDGES).lstrip(_EDGES) if re.search(r"\w", piece) else ""
        if bare:
            written.append(_natural(bare, shouted, camel or titled))
    return tuple(written)


def _split(piece: str, whole: bool) -> list[str]:
    """The parts of camelCase; beside blanks only what is surely written so: `McCune system` is not."""
    return _CAMEL.sub(" ", piece).split() if whole or _SURELY_CAMEL.fullmatch(piece) else [piece]


def _natural(word: str, shouted: bool, capitals_mean_nothing: bool) -> str:
    """The word as it stands inside a sentence: acronyms and names of languages keep or get their capitals."""
    low = word.lower()
    if low in _MORE_ACRONYMS and (shouted or capitals_mean_nothing or low in ("ceo", "isbn", "issn", "gdp")):
        return word.upper() if low not in ("phd", "ph") else {"phd": "PhD", "ph": "pH"}[low]
    if low in ACRONYMS and low not in ("no", "id", "am") and not word.isupper():
        return "Wi-Fi" if low == "wifi" else word.upper()
    if low == "id":
        return "ID"
    if "." in word and len(word) < 5:
        return word.upper() + "."
    if _ORDINAL.fullmatch(low):
        return low
    if _PROPER.fullmatch(word):
        return word[0].upper() + low[1:]
    if shouted:
        return low if re.search("[AEIOUY]", word) or len(word) > 4 else word
    if word.isupper() and len(word) > 1:
        return word
    if capitals_mean_nothing and word[1:] == word[1:].lower():
        return low
    return word
