"""The words of a relation's name, in any style: `birthPlace`, `FLOOR_COUNT`, `full-time score`, `area (km²)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controldag.plain.english import third_person
from controldag.plain.facts_spelling import (
    ABBREVIATED,
    MEASURED,
    MORE_ACRONYMS,
    NAMED_ROLES,
    ORDINAL,
    ORDINARY,
    PHRASAL,
    PROPER,
    SPELLINGS,
    SURE_UNITS,
    TRAILING_UNITS,
    UNIT,
    UNIT_WRITTEN,
)
from controldag.plain.irregular import ACRONYMS
from controldag.plain.lexicon import is_verb

_CAMEL = re.compile(r"(?<=[a-z0-9])(?<!^[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Where names of knowledge bases come from: http://dbpedia.org/ontology/birthPlace, dbo:birthPlace.
_NAMESPACE = re.compile(r"^(?:https?://\S*[/#](?=\w)|[a-z]{2,8}:(?=[A-Za-z]))")
_SURELY_CAMEL = re.compile(r"[a-z]{2,}(?:[A-Z][a-z]+)+")
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^][]*)\]")
# `_` and quotation marks separate; a hyphen or slash inside a word does not.
_EDGES = "\"'.,:;!?*-–—/\\=<>|~^`´+&{}[]()"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation's name as English words.

    words: as they stand in a sentence. unit: of a number, where the name tells (`area (km²)`). remark: what else stood
    in brackets. is_table_title: whether this is DART's mark for the title of a table, not a column of that name.
    """

    words: tuple[str, ...]
    unit: str = ""
    remark: str = ""
    is_table_title: bool = False

    @property
    def phrase(self) -> str:
        return " ".join(self.words)

    @property
    def key(self) -> str:
        """The words in lower case and British spelling, without hyphens: what tables are asked for."""
        low = self.phrase.lower().replace("-", " ")
        for american, british in SPELLINGS:
            low = low.replace(american, british)
        return low


def relation_of(name: str, *, of_number: bool = False) -> Relation:
    """The name's words; a name of signs alone (`±%`) is one word, and `words` is empty where there is nothing.

    of_number: whether the object is a bare number, so that a unit at the end of the name (`weightKg`) is its own.
    """
    name = _NAMESPACE.sub("", name.strip())
    spaced = " " in name
    name = name.replace("_", " ").replace("’", "'").strip()
    remarks = [first or second for first, second in _BRACKET.findall(name)]
    plain = _BRACKET.sub(" ", name) if _BRACKET.sub("", name).strip(_EDGES + " ") else name
    if plain == name:
        remarks = []
    remarks = [remark.strip() for remark in remarks if remark.strip() and remark.strip().lower() != "s"]
    words = _words(plain, spaced)
    if len(words) == 2 and words[-1] == "total":
        words = ("total", words[0])
    unit = remark = ""
    if len(remarks) == 1 and UNIT.fullmatch(remarks[0]):
        unit = _unit(remarks[0])
    elif not remarks and len(words) > 2 and re.fullmatch(r"[0-9][0-9,.]*", words[-2]) and UNIT.fullmatch(words[-1]):
        # The 100 metres of a personal best are a remark: the best is one.
        words, remark = words[:-2], " ".join(words[-2:])
    elif remarks:
        remark = ", ".join(" ".join(_words(each, True)) or each for each in remarks)
    elif of_number and _ends_with_unit(words):
        unit = _unit(words[-1])
        words = words[: -2 if len(words) > 2 and words[-2] == "in" else -1]
    elif (
        of_number and len(words) > 2 and words[-2] == "in" and words[-1].lower() in ("years", "months", "weeks", "days")
    ):
        words, unit = words[:-2], words[-1].lower()
    if len(words) > 1 and words[0] in ("the", "a", "an"):
        words = words[1:]
    if len(words) > 1 and words[0].lower() == "to" and is_verb(words[1]):
        words = (third_person(words[1].lower()), *words[2:])  # `to study`
    # "Has parking": a capital that the beginning alone explains.
    if len(words) > 1 and words[0].istitle() and words[0].lower() in ORDINARY:
        words = (words[0].lower(), *words[1:])
    return Relation(words or tuple(name.split()), unit, remark, name == "[TITLE]")


def _ends_with_unit(words: tuple[str, ...]) -> bool:
    """Whether the last word is a unit: by itself, or because what it follows is measured."""
    if len(words) < 2 or words[-1].lower() not in TRAILING_UNITS:
        return False
    counted = "of" in words and words[0].lower() in ("number", "amount")
    return not counted and (words[-1].lower() in SURE_UNITS or words[-2].lower() in MEASURED)


def _unit(text: str) -> str:
    low = re.sub(r"^in ", "", text.strip(), flags=re.IGNORECASE)
    return UNIT_WRITTEN.get(low.lower(), low if any(letter.islower() for letter in low) else low.lower())


def _words(name: str, spaced: bool) -> tuple[str, ...]:
    shouted = name == name.upper()
    whole = not spaced
    pieces = [part for piece in name.split() for part in _split(piece, whole)]
    camel = len(pieces) > len(name.split())
    titled = all(
        not piece[0].islower() for piece in pieces if piece not in ("of", "in", "and", "the", "for", "by", "to")
    )
    written: list[str] = []
    for piece in pieces:
        full = ABBREVIATED.get(piece.lower())
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
    return _phrasal(written)


def _phrasal(words: list[str]) -> tuple[str, ...]:
    """The words with nouns like `check-in` as one, so that no preposition stands in them."""
    joined: list[str] = []
    for word in words:
        if joined and f"{joined[-1]} {word}" in PHRASAL:
            joined[-1] += f"-{word}"
        else:
            joined.append(word)
    if len(joined) > 1 and joined[-1] == "name" and joined[-2] in NAMED_ROLES:
        joined.pop()
    return tuple(joined)


def _split(piece: str, whole: bool) -> list[str]:
    """The parts of camelCase; beside blanks only what is surely written so: `McCune system` is not."""
    camel = (whole and piece != piece.upper()) or _SURELY_CAMEL.fullmatch(piece)
    return _CAMEL.sub(" ", piece).split() if camel else [piece]


def _natural(word: str, shouted: bool, capitals_mean_nothing: bool) -> str:
    """The word as it stands inside a sentence: acronyms and names of languages keep or get their capitals."""
    low = word.lower()
    if low in MORE_ACRONYMS and (shouted or capitals_mean_nothing or low in ("ceo", "isbn", "issn", "gdp")):
        return word.upper() if low not in ("phd", "ph") else {"phd": "PhD", "ph": "pH"}[low]
    if low in ACRONYMS and low not in ("no", "id", "am") and not word.isupper():
        return "Wi-Fi" if low == "wifi" else word.upper()
    if low == "id":
        return "ID"
    if "." in word and len(word) < 5:
        return word.upper() + "."
    if ORDINAL.fullmatch(low):
        return low
    if PROPER.fullmatch(word):
        return word[0].upper() + low[1:]
    if shouted:
        return low if re.search("[AEIOUY]", word) or len(word) > 4 else word
    if word.isupper() and len(word) > 1:
        return word
    if capitals_mean_nothing and word[1:] == word[1:].lower():
        return low
    return word
