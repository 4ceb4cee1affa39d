"""Questions as statements: `does the place offer vegetarian food`."""

from __future__ import annotations

from controldag.plain.clause import Clause
from controldag.plain.english import is_participle, past, third_person
from controldag.plain.lexicon import DETERMINERS, MODALS, PREPOSITIONS, is_adjective, is_verb

COMPOUNDS = frozenset(("friendly", "free", "proof", "accessible", "safe"))
"""Words that make a quality with the noun before them: kid-friendly."""


def parse_question(words: list[str]) -> Clause | None:
    """`does the place offer vegetarian food` as a statement; the subject ends where its noun phrase does."""
    verb = words[0].lower()
    if len(words) < 3 or words[1].lower() == "to":
        return None
    if verb in ("does", "do", "did", *MODALS):
        for index in range(3 if words[1].lower() in DETERMINERS else 2, len(words)):
            if is_verb(words[index]) or words[index].lower() in ("be", "have", "do"):
                subject, main = " ".join(words[1:index]), words[index].lower()
                if verb in MODALS:
                    return Clause(subject, verb, " ".join(words[index:]))
                return Clause(subject, _finite(verb, main), " ".join(words[index + 1 :]))
        if verb in MODALS or len(words) < 4 or words[1].lower() not in DETERMINERS:
            return None
        # No verb is known: the subject is an article and one noun.
        return Clause(" ".join(words[1:3]), _finite(verb, words[3].lower()), " ".join(words[4:]))
    if verb in ("has", "have") and not any(is_participle(word) or word == "been" for word in words[2:]):
        return None
    subject_end = _end_of_subject(words)
    return Clause(" ".join(words[1:subject_end]), verb, " ".join(words[subject_end:])) if subject_end else None


def _finite(auxiliary: str, verb: str) -> str:
    """The verb as it is without `does`, `do` or `did`."""
    return {"does": third_person, "did": past}.get(auxiliary, str)(verb)


def _end_of_subject(words: list[str]) -> int:
    """Where the subject of `is the place smoker friendly` ends: behind the first noun that a quality can follow."""
    if words[1].lower() in ("there", "it", "you", "they"):
        return 2
    for index in range(2, len(words)):
        low = words[index].lower()
        if (
            low in COMPOUNDS
            and words[index + 1 : index + 2] != ["of"]
            and index > 3
            and words[1].lower() in DETERMINERS
        ):
            return index - 1
        if is_adjective(low) or low in DETERMINERS or low in PREPOSITIONS - {"of"} or words[index].endswith("ing"):
            return index
    return 3 if words[1].lower() in DETERMINERS and len(words) > 3 else 0
