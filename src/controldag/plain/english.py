"""Small English grammar: words of a name, articles, numbers, verb forms, lists, ends of sentences.

Nothing here knows a data set. Rules cover what names and descriptions of slots, intents and relations hold; the words
that follow no rule are in `irregular`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from controldag.plain.irregular import (
    A_BEFORE,
    ABBREVIATIONS,
    ACRONYMS,
    ALWAYS_PLURAL,
    AN_BEFORE,
    AN_UNI,
    DOUBLED_VERBS,
    IRREGULAR_PLURALS,
    IRREGULAR_VERBS,
    SAME_IN_PLURAL,
    SINGULAR_IN_S,
    STEMS_BEFORE_E,
    UNCOUNTABLE,
)

_BORDERS = re.compile(
    r"[^\w]+|_+"  # snake_case, kebab-case, blanks
    r"|(?<=[a-z])(?=[A-Z])|(?<=[0-9])(?=[A-Z][a-z])"  # camelCase, but not 3D
    r"|(?<=[A-Z])(?=[A-Z][a-z])"  # HTTPPort
    r"|(?<=[A-Za-z]{2})(?=[0-9])"  # address2, but not A1 or 3D
)
_APOSTROPHES = re.compile(r"(?<=\w)['’](?=\w)")
_SINGULARS = {plural: single for single, plural in IRREGULAR_PLURALS.items()}
_PASTS = {past: base for base, (past, _) in IRREGULAR_VERBS.items()}
_PARTICIPLES = {participle: base for base, (_, participle) in IRREGULAR_VERBS.items()}
_VOWELS = "aeiou"
_VERBS_WITH_IN = frozenset(
    [
        "walk",
        "check",
        "sign",
        "log",
        "drop",
        "plug",
        "add",
        "stand",
        "trade",
        "built",
        "sit",
        "phone",
        "call",
        "break",
        "stop",
        "tie",
    ]
)
_SINGULAR_IN_MEN = frozenset(("specimen", "regimen", "acumen", "abdomen", "omen", "semen", "stamen", "amen", "yemen"))
# Letters whose names begin with a vowel: an FM radio, an SUV.
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in any style: `studentOf`, `BACKUP_PILOT`, `price-per-night`; acronyms stay in capitals.

    Capitals that the style alone explains are lowered.
    """
    pieces = [piece for piece in _BORDERS.split(_APOSTROPHES.sub("’", name).replace("’", "'")) if piece]
    pieces = _with_genitives(pieces)
    all_capitals = name.upper() == name and sum(len(piece) for piece in pieces) > 3
    return tuple(_natural(piece, all_capitals) for piece in pieces)


def _with_genitives(pieces: Sequence[str]) -> list[str]:
    """`donor`, `s` as `donor's`: the genitive that splitting at punctuation took apart."""
    joined: list[str] = []
    for piece in pieces:
        if piece == "s" and joined and len(joined[-1]) > 2:
            joined[-1] += "'s"
        else:
            joined.append(piece)
    return joined


def _natural(word: str, all_capitals: bool) -> str:
    if word.lower() in ACRONYMS:
        return "Wi-Fi" if word.lower() == "wifi" else word.upper()
    if word.isupper() and len(word) > 1 and not all_capitals:
        return word
    return word.lower()


def spelled_out(words: Iterable[str]) -> tuple[str, ...]:
    """The words with common abbreviations written out: `min`, `addr` as `minimum`, `address`."""
    written: list[str] = []
    for word in words:
        if word.lower() in ("in", "ins") and written and written[-1].lower() in _VERBS_WITH_IN:
            # Walk-ins and plug-ins, not a walk insurance.
            written[-1] += f"-{word}"
            continue
        written.extend(ABBREVIATIONS.get(word.lower(), word).split("_"))
    return tuple(written)


def indefinite(phrase: str) -> str:
    """`a` or `an`, as the sound of the phrase's beginning asks."""
    first = re.match(r"[\W_]*(\w[\w'.-]*)", phrase)
    if first is None:
        return "a"
    word = first.group(1)
    if word[0].isdigit():
        return "an" if word.startswith("8") or re.match(r"1[18](?!\d)|1[18]\d{3}(?!\d)", word) else "a"
    letters = re.match(r"[A-Z]{1,4}(?![a-zA-Z])", word)
    if letters is not None and (word.lower() in ACRONYMS or not re.search("[AEIOU]", letters.group()[1:])):
        return "an" if word[0] in _VOWEL_LETTERS else "a"
    low = word.lower()
    if low.startswith(AN_BEFORE):
        return "an"
    if low.startswith(A_BEFORE) and not low.startswith(AN_UNI):
        return "a"
    return "an" if low[0] in _VOWELS else "a"


def with_article(phrase: str) -> str:
    """`phrase` behind `a` or `an`."""
    return f"{indefinite(phrase)} {phrase}"


def is_plural(noun: str) -> bool:
    """Whether the noun (its last word) is most likely a plural."""
    word = _last_word(noun)
    if word in ALWAYS_PLURAL or word in _SINGULARS or (word.endswith("men") and word not in _SINGULAR_IN_MEN):
        return True
    if word in SINGULAR_IN_S or word in SAME_IN_PLURAL or word.upper() == word:
        return False
    return len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))


def plural(noun: str) -> str:
    """The plural of a noun phrase whose last word is its head; a plural stays."""
    word = _last_word(noun)
    if not word or is_plural(noun) or word in SAME_IN_PLURAL | UNCOUNTABLE:
        return noun
    stem = noun[: len(noun) - len(word)]
    if word in IRREGULAR_PLURALS:
        return stem + IRREGULAR_PLURALS[word]
    ending = noun[len(noun) - len(word) :]
    for irregular in ("man", "child", "person"):
        if word.endswith(irregular) and word not in ("human", "german", "roman", "ottoman", "talisman"):
            return noun[: len(noun) - len(irregular)] + IRREGULAR_PLURALS[irregular]
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return stem + ending[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    return noun + "s"


def singular(noun: str) -> str:
    """The singular of a noun phrase whose last word is its head; a singular stays."""
    word = _last_word(noun)
    if not is_plural(noun) or word in ALWAYS_PLURAL - {"people"}:
        return noun
    stem = noun[: len(noun) - len(word)]
    if word in _SINGULARS:
        return stem + _SINGULARS[word]
    if word.endswith("men"):
        return noun[:-2] + "an"
    if word.endswith("ies") and len(word) > 4 and word not in ("movies", "cookies", "selfies", "zombies", "calories"):
        return noun[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes", "buses", "viruses", "campuses", "bonuses", "statuses")):
        return noun[:-2]
    return noun[:-1]


def counted(number: str, noun: str) -> str:
    """`5 workshops`, `1 workshop`: the noun agrees with the number in front of it."""
    one = number.strip().lower() in ("1", "one", "a", "1.0")
    return f"{number} {singular(noun) if one else plural(noun)}"


def _last_word(phrase: str) -> str:
    found = re.search(r"[^\W\d_][\w']*$", phrase)
    return found.group().lower() if found else ""


def third_person(verb: str) -> str:
    """`arrive` as `arrives`; `be` and `have` as `is` and `has`."""
    fixed = {"be": "is", "have": "has", "do": "does", "go": "goes", "can": "can", "may": "may", "will": "will"}
    if verb in fixed:
        return fixed[verb]
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")


def past(verb: str) -> str:
    """The past tense of a base form: `build` as `built`."""
    return IRREGULAR_VERBS[verb][0] if verb in IRREGULAR_VERBS else _regular_past(verb)


def participle(verb: str) -> str:
    """The past participle of a base form: `write` as `written`."""
    return IRREGULAR_VERBS[verb][1] if verb in IRREGULAR_VERBS else _regular_past(verb)


def gerund(verb: str) -> str:
    """The -ing form of a base form: `set` as `setting`."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and verb != "be":
        return verb[:-1] + "ing"
    return _with_doubled_end(verb) + "ing"


def _regular_past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ied"
    return _with_doubled_end(verb) + "ed"


def _with_doubled_end(verb: str) -> str:
    short = re.fullmatch(r"[^aeiou]*(?:qu)?[aeiou][^aeiouwxy]", verb) is not None
    return verb + verb[-1] if short or verb in DOUBLED_VERBS else verb


def base_form(verb: str) -> str:
    """The base form of a verb in any form: `offers`, `offered`, `offering`, `is`, `written`; unknown ones by rule."""
    low = verb.lower()
    fixed = {"is": "be", "are": "be", "am": "be", "were": "be", "was": "be", "being": "be", "has": "have", "does": "do"}
    if low in fixed:
        return fixed[low]
    if low in IRREGULAR_VERBS:
        return low
    if low in _PARTICIPLES or low in _PASTS:
        return _PARTICIPLES.get(low) or _PASTS[low]
    if low.endswith("ing") and len(low) > 4:
        return _from_stem(low[:-3])
    if low.endswith("ied") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith("ed") and not low.endswith("eed") and len(low) > 3:
        return _from_stem(low[:-2])
    return _from_third_person(low)


def _from_third_person(low: str) -> str:
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zzes", "goes", "does")):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith(("ss", "us", "is")) else low


def _from_stem(stem: str) -> str:
    """The base form behind a stem that lost its ending: `stopp` as `stop`, `provid` as `provide`."""
    for verb in IRREGULAR_VERBS:
        if stem in (verb, verb.removesuffix("e"), _with_doubled_end(verb)):
            return verb
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "slfze":
        return stem[:-1]
    if stem in STEMS_BEFORE_E or stem.endswith(
        ("at", "iz", "is", "v", "c", "u", "bl", "dl", "tl", "pl", "gl", "rg", "dg")
    ):
        return (
            stem if stem in ("treat", "seat", "heat", "eat", "beat", "float", "repeat", "visit", "exit") else stem + "e"
        )
    return stem


def is_participle(word: str) -> bool:
    """Whether the word looks like a past participle: `included`, `built`, `written`."""
    low = word.lower()
    return low in _PARTICIPLES or (
        low.endswith("ed") and len(low) > 4 and low not in ("need", "speed", "breed", "exceed")
    )


def is_past(word: str) -> bool:
    """Whether the word is the past tense of an irregular verb and no base form: `began`, `left`."""
    return word.lower() in _PASTS and word.lower() not in IRREGULAR_VERBS


def possessive(name: str) -> str:
    """`Ilsa Varga's`, `James'`."""
    plural_name = name.endswith("s") and is_plural(name) and name == name.lower()
    return f"{name}'" if plural_name else f"{name}'s"


def joined(items: Sequence[str], conjunction: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; semicolons instead of commas where an item holds a comma itself.

    Behind items that hold a conjunction themselves a comma stands before the last one.
    """
    if len(items) < 2:
        return "".join(items)
    separator = "; " if any(", " in item for item in items) else ", "
    if len(items) == 2 and separator == ", ":
        return f"{items[0]} {conjunction} {items[1]}"
    nested = separator == "; " or any(f" {conjunction} " in item for item in items)
    last = f"{separator}{conjunction} " if nested else f" {conjunction} "
    return separator.join(items[:-1]) + last + items[-1]


def capitalised(text: str) -> str:
    """The text with its first letter in upper case; the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str, end: str = ".") -> str:
    """The text as one sentence: capital first, and exactly one mark at its end (`St.` keeps its own stop)."""
    text = capitalised(text.strip())
    bare = text.rstrip("\"'”’)]")
    if end == ".":
        return text if bare.endswith((".", "!", "?", "…")) else text + "."
    return text + end


def decapitalised(text: str) -> str:
    """The text with a first letter in lower case, unless its first word is a name, an acronym or `I`."""
    first = re.match(r"[^\W\d_]+", text)
    if first is None:
        return text
    word = first.group()
    if word == "I" or (len(word) > 1 and not word[1:].islower()) or any(map(str.isupper, text.split()[0][1:])):
        return text
    return text[0].lower() + text[1:]
