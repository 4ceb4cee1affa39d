"""Where the finite verb of a clause is: `the hotel | has | a pool`."""

from __future__ import annotations

from controldag.plain.clause import PLURAL_SUBJECTS, Clause, head_of
from controldag.plain.english import is_participle, is_past, is_plural
from controldag.plain.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    is_third_person,
    is_verb,
    word_set,
)

# Behind a plural these are verbs: lessons take place.
_ONLY_VERBS = word_set("take need require include contain come get go run start begin live enter travel eat pay")
_FINITE = AUXILIARIES - {"be", "cannot"}


def parse_clause(text: str, is_clause: bool = False) -> Clause | None:
    """The clause in `text`, split at its finite verb; None where no verb can be told for sure.

    `is_clause`: there is a verb somewhere, so a word that only looks like one is taken where no known verb is found.
    """
    words = text.split()
    relative = False
    for index in range(1, len(words)):
        low, previous = words[index].lower(), words[index - 1].lower()
        if low in RELATIVES or low in CONJUNCTIONS - {"as"}:
            relative = True
            continue
        is_finite = low in _FINITE or _is_main_verb(words, index, is_clause)
        if is_finite and relative:
            relative = False
            continue
        if is_finite and previous not in ("to", "or", "and"):
            return Clause(" ".join(words[:index]), low, " ".join(words[index + 1 :]))
    place = (_plural_verb(words) or _unknown_verb(words) or _past_verb(words)) if is_clause else 0
    return Clause(" ".join(words[:place]), words[place], " ".join(words[place + 1 :])) if place else None


def _plural_verb(words: list[str]) -> int:
    """Where the verb of a plural subject with a prepositional phrase is: `children under 12 travel`; 0 if nowhere."""
    if not is_plural(head_of([word.lower() for word in words])):
        return 0
    for index in range(2, len(words)):
        if is_verb(words[index]) and words[index - 1].lower() not in DETERMINERS | PREPOSITIONS | {"to", "and", "or"}:
            return index
    return 0


def _unknown_verb(words: list[str]) -> int:
    """Where a word in -s follows `the` and a noun in the singular (`the stylist caters`); 0 where none does."""
    if words[0].lower() in ("it", "he", "she"):
        return 1 if len(words) > 1 and words[1].endswith("s") else 0
    if words[0].lower() not in DETERMINERS:
        return 0
    for index in range(2, len(words)):
        low, previous = words[index].lower(), words[index - 1].lower()
        if low.endswith("s") and not low.endswith(("ss", "'s", "us")) and not is_plural(previous):
            return index
    return 0


def _past_verb(words: list[str]) -> int:
    """Where a verb in the past follows its subject (`the symptoms started`); 0 where none does."""
    for index in range(1, len(words)):
        previous = words[index - 1].lower()
        if (
            is_participle(words[index]) or is_past(words[index])
        ) and previous not in DETERMINERS | PREPOSITIONS | ADJECTIVES:
            return index
    return 0


def _is_main_verb(words: list[str], index: int, is_clause: bool) -> bool:
    """Whether the word is a verb that agrees with the subject before it."""
    low, previous = words[index].lower(), words[index - 1].lower()
    if low == "last" and index + 1 < len(words) and (words[index + 1] in AUXILIARIES or is_past(words[index + 1])):
        return False
    if previous in DETERMINERS or previous in PREPOSITIONS or previous in ADJECTIVES:
        return False
    following = words[index + 1].lower() if index + 1 < len(words) else ""
    acts = is_plural(previous) and low in _ONLY_VERBS
    if previous not in PLURAL_SUBJECTS and not (is_clause or acts or following in DETERMINERS or is_third_person(low)):
        # `mains water on site` is a thing, `trees shade the roof` a clause.
        return False
    if is_third_person(low):
        # `the room rates are`: a noun in the plural, since a verb follows.
        after = words[index + 2].lower() if index + 2 < len(words) else ""
        if is_participle(following) and (not after or after in PREPOSITIONS):
            # `house calls offered`: a noun and what is said of it.
            return False
        return following not in AUXILIARIES and (not is_plural(previous) or _behind_preposition(words, index))
    return (previous in PLURAL_SUBJECTS or is_plural(previous)) and is_verb(low)


def _behind_preposition(words: list[str], index: int) -> bool:
    """Whether the noun before the word belongs to a prepositional phrase: the price of the tours [includes]."""
    return any(word.lower() in PREPOSITIONS for word in words[:index])
