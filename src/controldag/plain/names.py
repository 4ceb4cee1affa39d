"""Names of slots as noun phrases."""

from __future__ import annotations

from controldag.plain.english import is_participle, is_plural, singular, spelled_out, words_of
from controldag.plain.lexicon import (
    ADJECTIVES,
    ADVERBS,
    AUXILIARIES,
    PREPOSITIONS,
    RELATIVES,
    is_abbreviation,
    is_gerund,
    is_third_person,
    is_verb,
    takes_article,
)
from controldag.plain.noun_phrase import NounPhrase, parse
from controldag.plain.units import CURRENCIES, SPANS, unit_of_name


def name_phrase(name: str) -> NounPhrase | None:
    """The name as a noun phrase; None where it holds abbreviations or is no noun phrase."""
    words = list(words_of(name))
    # `loan period days` is a phrase as it stands; its wording tells the unit.
    units = "" if words and words[-1].lower() in SPANS else unit_of_name(words)
    plain = words[:-1] if units else words
    if units and len(plain) > 1 and plain[-1] == "in":
        plain = plain[:-1]
    if not plain or any(is_abbreviation(word) for word in plain):
        written = list(spelled_out(plain))
        if len(written) > 1 and written[-2:-1] == ["temperature"] and written[-1] in ("c", "f"):
            return parse(" ".join(written))
        if not plain or any(is_abbreviation(word) for word in written if word != "ID"):
            return None
        plain = written
    if plain[-1].lower() == "no" and len(plain) > 1:
        plain = [*plain[:-1], "number"]
    if plain[0] in ("number", "num", "count") and len(plain) > 1 and plain[1] != "of" and is_plural(plain[-1]):
        plain = ["number", "of", *plain[1:]]
    last = plain[-1].lower()
    wrong_end = (
        last in PREPOSITIONS
        or is_gerund(last)
        or (is_participle(last) and len(plain) == 1)
        or is_third_person_only(last)
    )
    if plain[0].lower() in PREPOSITIONS | RELATIVES | AUXILIARIES or wrong_end:
        return None
    if units and words[-1].lower() not in CURRENCIES and last in ("price", "cost", "fee", "rate", "charge", "fare"):
        # A price with a unit is a price for one of it.
        plain = [*plain, "per", singular(units)]
    phrase = parse(" ".join(plain))
    return phrase if phrase is not None and not (len(plain) == 1 and _is_no_noun(last)) else None


def _is_no_noun(word: str) -> bool:
    """Whether a single word is an adjective, an adverb or a verb rather than a thing."""
    if word in ("last", "next", "first", "previous", "total", "due", "left") or word in ADVERBS:
        return True
    return word in ADJECTIVES or (is_verb(word) and not takes_article(word) and not is_plural(word))


def is_third_person_only(word: str) -> bool:
    """Whether the word is a verb's form in -s and no plural noun that people use: `begins`, not `stops`."""
    return is_third_person(word) and not takes_article(singular(word)) and word not in ("minutes", "hours")
