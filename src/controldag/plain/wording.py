"""How a slot is spoken of: a noun phrase or a clause, made from its description where that is better than its name."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from controldag.data.schema import Slot
from controldag.plain.clause import parse_clause
from controldag.plain.described import cleaned, to_reader
from controldag.plain.english import base_form, is_participle, is_plural, plural, spelled_out, words_of
from controldag.plain.irregular import UNITS
from controldag.plain.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_abbreviation,
    is_gerund,
    is_third_person,
    is_verb,
    takes_article,
    word_set,
)
from controldag.plain.noun_phrase import NounPhrase, parse
from controldag.plain.relative import related


@dataclass(frozen=True, slots=True)
class Wording:
    """What the sentences about a slot are made of.

    subject: a noun phrase, `the estimated cost of the whole repair`. plural: whether its verb is plural.
    several: the same for several values; "" where the subject does for them too.
    thing: what a value of the slot is the name of (`workshop`); "" where it names nothing.
    unit: said behind a bare number. happening: a clause that takes a point of time at its end, `you bring the car in`.
    around: a clause with the value inside, `the workshop charges` ... `for one hour of labour`.
    question: the question for the slot where it is not `What is` and the subject.
    """

    subject: str
    plural: bool = False
    several: str = ""
    thing: str = ""
    unit: str = ""
    happening: str = ""
    around: tuple[str, str] | None = None
    question: str = ""
    free_text: bool = False


# Single nouns that say little without what they belong to: `time` of what?
_VAGUE = word_set(
    "time date day name title type kind category class style price cost fee amount total number count quantity value "
    "address location place city area level grade size length duration distance weight height width rate rating score "
    "group status state code id ID key note text description detail details info information period start end begin "
    "from to where when who what subject item thing option choice result reason method mode format phone contact email "
    "year month week hour percentage ratio speed version range limit minimum maximum quality position order"
)
# Words that change what a number means: a name that lacks them may not stand for a description that has them.
_QUALIFIERS = word_set(
    "per each every estimated average mean minimum maximum smallest largest lowest highest least most total overall "
    "first last earliest latest previous next new old current former additional extra approximate tentative expected "
    "preferred remaining deposit monthly weekly daily yearly annual hourly nightly net gross half double percentage "
    "percent without excluding including before after alternative second"
)
_NAMED = re.compile(
    r"^(?:the )?(?:(?:full|common|first|business|popular|official|listed|advertised|brand|exact) )?(?:name|title)s? "
    r"(?:of|for) (.+)$"
)
_UNIT = re.compile(
    r",? (?:in|as|given in|measured in|expressed in) (?:an? |the )?(?:number of |units? of )?"
    r"((?:(?:square|cubic|whole|full|us|degrees?|british|american|canadian|swiss) )?"
    r"(?:kilogram|kilo|gram|pound|ounce|ton|tonne|litre|liter|millilitre|milliliter|gallon|metre|meter|kilometre|"
    r"kilometer|"
    r"centimetre|centimeter|millimetre|inche?|feet|foot|yard|mile|second|minute|hour|day|night|week|month|year|dollar|"
    r"euro|cent|franc|yen|rupee|degree|celsius|fahrenheit|percent|percentage|per cent|star|point|page|calorie|"
    r"kilocalorie|watt|kilowatt|volt|kilowatt hour|kilowatt-hour|gigabyte|megabyte|mph|km/h|kmh|kg|km|cm|mm|lbs|hrs"
    r"|mins"
    r")s?(?: (?:per|an?) [a-z]+)?)(?: (?:of|for) .*)?$",
    re.IGNORECASE,
)
_UNIT_WORDS = {
    "celsius": "degrees Celsius", "fahrenheit": "degrees Fahrenheit", "percentage": "percent", "per cent": "percent",
    "degrees celsius": "degrees Celsius", "degrees fahrenheit": "degrees Fahrenheit", "mph": "miles per hour",
    "km/h": "kilometres per hour", "kmh": "kilometres per hour", "inche": "inches",
}  # fmt: skip
_LONGEST_QUESTION = 8
_PERSONS = word_set("person someone somebody individual people one")
_FREE_TEXT = word_set(
    "note notes message messages comment comments instruction instructions remark remarks text wording inscription "
    "reason complaint feedback greeting dedication engraving caption motto"
)


def wording_of(slot: Slot) -> Wording:
    """How to speak of a slot that is no flag."""
    text = to_reader(cleaned(slot.description))
    name = _name_phrase(slot.name)
    found = _of_question_word(text, name) if text else None
    if found is not None:
        return found
    described = parse(text) if text else None
    if described is None:
        return _of_phrase(name, slot.name) if name is not None else _of_label(slot.name)
    spoken = _of_phrase(described, slot.name)
    if name is None or not _prefers_name(slot.name, name, text, described):
        return spoken
    named = _of_phrase(name, slot.name)
    if name.head == "name" and described.head != "name":
        return named
    # A question may be longer than a statement.
    return replace(named, question=spoken.question) if len(text.split()) <= _LONGEST_QUESTION else named


def _of_label(name: str) -> Wording:
    """A name that is no noun phrase, said as it is."""
    label = " ".join(spelled_out(words_of(name))) or "answer"
    return Wording(f"the “{label}” entry" if " " in label or is_verb(label) else f"the {label}")


def _of_phrase(phrase: NounPhrase, name: str) -> Wording:
    text, unit = _unit_of(phrase.full, name)
    named = _NAMED.match(text)
    thing, subject, is_many = "", text, phrase.plural
    question = f"what {'are' if is_many else 'is'} {text}"
    if named is not None:
        inner = parse(named.group(1))
        if inner is not None and inner.determiner in ("the", "a", "an") and not is_plural(inner.core):
            subject = inner.full
            thing = inner.core if not inner.tail else ""
    elif phrase.head in ("name", "title") and not phrase.tail and len(phrase.core.split()) > 1:
        thing = " ".join(phrase.core.split()[:-1])
        subject = f"{phrase.determiner} {thing}" if takes_article(thing.split()[-1]) else text
        thing = thing if subject != text else ""
    elif not phrase.tail and takes_article(phrase.head) and phrase.head not in _VAGUE:
        thing = phrase.core
    link = related(phrase)
    question = _count_question(phrase) or link.question or question
    free_text = phrase.head in _FREE_TEXT
    several = _several(parse(subject) or phrase)
    return Wording(subject, is_many, several, thing, unit, link.happening, link.around, question, free_text)


def _several(phrase: NounPhrase) -> str:
    """The phrase for several values: `the workshops`; "" where it is a plural already."""
    if phrase.plural:
        return ""
    determiner = "" if phrase.determiner in ("a", "an") else phrase.determiner
    return replace(phrase, determiner=determiner, core=plural(phrase.core)).full


def _count_question(phrase: NounPhrase) -> str:
    """`how many seats would you like to reserve` for `the number of seats to reserve`; "" for other phrases."""
    match = re.match(r"of (?:the )?([\w-]+(?: [\w-]+)?) to ([a-z]+)\b(.*)$", phrase.tail)
    if phrase.core != "number" or match is None or not is_verb(match[2]) or not is_plural(match[1]):
        return ""
    return f"how many {match[1]} would you like to {match[2]}{match[3]}"


def _unit_of(text: str, name: str) -> tuple[str, str]:
    """The phrase without its unit, and the unit as it is said behind a number."""
    match = _UNIT.search(text)
    if match is not None:
        unit = re.sub(r"^(?:whole|full) ", "", match[1].lower())
        return text[: match.start()], _UNIT_WORDS.get(unit, unit)
    last = words_of(name)[-1:] if len(words_of(name)) > 1 else ()
    short = last[0].lower() if last else ""
    if short in UNITS and not re.search(r"\bper\b|\beach\b|number of", text):
        return text.removesuffix(f" {short}"), UNITS[short].replace("_", " ")
    return text, ""


def _name_phrase(name: str) -> NounPhrase | None:
    """The name as a noun phrase; None where it holds abbreviations or is no noun phrase."""
    words = list(words_of(name))
    units = words[-1].lower() in UNITS if len(words) > 1 else False
    plain = words[:-1] if units else words
    if not plain or any(is_abbreviation(word) for word in plain):
        written = list(spelled_out(plain))
        if not plain or any(is_abbreviation(word) for word in written if word != "ID"):
            return None
        plain = written
    if plain[0] in ("number", "num", "count") and len(plain) > 1 and plain[1] != "of" and is_plural(plain[-1]):
        plain = ["number", "of", *plain[1:]]
    last = plain[-1].lower()
    wrong_end = last in PREPOSITIONS or is_gerund(last) or is_participle(last) or is_third_person_only(last)
    if plain[0].lower() in PREPOSITIONS | RELATIVES | AUXILIARIES or wrong_end:
        return None
    phrase = parse(" ".join(plain))
    return phrase if phrase is not None and not (phrase.tail and " of " not in f" {phrase.tail} ") else None


def is_third_person_only(word: str) -> bool:
    """Whether the word is a verb's form in -s and no plural noun that people use: `begins`, not `stops`."""
    return is_third_person(word) and not takes_article(word.removesuffix("s")) and word not in ("minutes", "hours")


def _prefers_name(name: str, phrase: NounPhrase, text: str, described: NounPhrase) -> bool:
    """Whether the name says it better than its description."""
    if any(is_abbreviation(word) for word in words_of(name)):
        return False
    words = set(phrase.full.lower().split())
    said = set(re.findall(r"[\w'-]+", text.lower()))
    if phrase.head == "name" and described.head == "number":
        return True
    if said & _QUALIFIERS - words or described.head == "number" or "your" in said or _UNIT.search(text):
        return False
    if _NAMED.match(described.full):
        return False
    if len(phrase.core.split()) == 1 and not phrase.tail and phrase.head in _VAGUE:
        return len(text.split()) > 12
    if described.head in _PERSONS:
        return True
    # A name of several words stands for a longer description of the same thing.
    same_head = phrase.head in said or phrase.head.rstrip("s") in said
    return (same_head and len(text.split()) > 4) or len(text.split()) > 9


def _of_question_word(text: str, name: NounPhrase | None) -> Wording | None:
    """The wording of a description that is an indirect question: when, where, who, what, which, how."""
    first, _, rest = text.partition(" ")
    rule = {
        "when": _when, "where": _where, "who": _who, "whom": _who, "what": _what, "which": _what, "how": _how,
    }.get(first.lower())  # fmt: skip
    return rule(rest, name) if rule is not None and rest else None


def _straight(text: str) -> str:
    """An indirect question in the order of a statement: `do the guests want to stay` is `the guests want to stay`."""
    words = text.split()
    if words[0].lower() in ("do", "does", "did") and len(words) > 2:
        return " ".join(words[1:])
    if words[0].lower() in AUXILIARIES - {"be"} and words[1:2] and words[1].lower() in DETERMINERS | PRONOUNS:
        for index in range(2, len(words)):
            if is_gerund(words[index]) or is_participle(words[index]) or words[index].lower() in PREPOSITIONS:
                return " ".join([*words[1:index], words[0], *words[index:]])
    return text


def _when(rest: str, name: NounPhrase | None) -> Wording:
    if rest.startswith("to "):
        return Wording(f"the time {rest}", question=f"when would you like {rest}")
    clause = parse_clause(_straight(rest), is_clause=True)
    if clause is None:
        return Wording(f"the time when {rest}", question=f"when is it that {rest}")
    return Wording(f"the time when {clause.said}", happening=clause.said, question=f"when {clause.asked_as_wish}")


def _where(rest: str, name: NounPhrase | None) -> Wording:
    if rest.startswith("to "):
        return Wording(f"the place {rest}", question=f"where would you like {rest}")
    clause = parse_clause(_straight(rest), is_clause=True)
    if clause is None:
        return Wording(f"the place where {rest}", question=f"where is it that {rest}")
    return Wording(f"the place where {clause.said}", question=f"where {clause.asked_as_wish}")


def _who(rest: str, name: NounPhrase | None) -> Wording:
    if name is not None and not name.tail and name.head not in _VAGUE:
        unclear = re.search(r"\b(?:it|this|them|him|her)\b", rest)
        question = f"who {'are' if name.plural else 'is'} {name.full}" if unclear else f"who {rest}"
        return Wording(name.full, name.plural, thing=name.core, question=question)
    return Wording(f"the person who {rest}", question=f"who {rest}")


def _what(rest: str, name: NounPhrase | None) -> Wording:
    """`what has to be done`, `what the workshop charges for an hour`, `which airline is operating the flight`."""
    words = rest.split()
    first = words[0].lower()
    if first in AUXILIARIES or is_third_person(first):
        # `what is the rent`: the noun phrase itself.
        if first in ("is", "are") and words[1:2] and words[1].lower() in DETERMINERS:
            phrase = parse(" ".join(words[1:]))
            if phrase is not None:
                return _of_phrase(phrase, "")
        return Wording(f"what {rest}", question=f"what {rest}")
    if first in DETERMINERS | PRONOUNS:
        return _what_someone_does(rest, name)
    return _of_noun_and_clause(rest, "which")


def _what_someone_does(rest: str, name: NounPhrase | None) -> Wording:
    clause = parse_clause(rest, is_clause=True)
    if clause is None:
        return Wording(f"what {rest}", question=f"what is it that {rest}")
    question = f"what {clause.asked}"
    following = clause.rest.split()[:1]
    # The object goes behind a verb that has none yet: the workshop charges [..] for one hour.
    if clause.verb not in AUXILIARIES and (not following or following[0] in PREPOSITIONS):
        return Wording(f"what {rest}", around=(f"{clause.subject} {clause.verb}", clause.rest), question=question)
    return Wording(f"what {clause.said}", question=question)


def _of_noun_and_clause(rest: str, word: str) -> Wording:
    """`airline is operating the flight`, `language to show subtitles in`, `days the transfer will take`."""
    words = rest.rstrip("?").split()
    phrase = parse(rest)
    if phrase is None:
        end = next((i for i, each in enumerate(words) if i and each.lower() in AUXILIARIES), len(words))
        inner = parse(" ".join(words[:end])) if end < len(words) else None
        if inner is None:
            return Wording(f"the {rest}", question=f"{word} {rest}")
        turned = _straight(" ".join(words[end:]))
        relative = "" if turned != " ".join(words[end:]) else "that "
        return Wording(f"{inner.full} {relative}{turned}", inner.plural, question=f"{word} {rest}")
    if re.match(r"to [a-z]+", phrase.tail) and is_verb(phrase.tail.split()[1]):
        return Wording(phrase.full, phrase.plural, question=f"{word} {phrase.core} would you like {phrase.tail}")
    return Wording(phrase.full, phrase.plural, question=f"what {'are' if phrase.plural else 'is'} {phrase.full}")


def _how(rest: str, name: NounPhrase | None) -> Wording:
    """`how many people are coming`, `how long the class lasts`, `how the order is paid`."""
    words = rest.split()
    first, inner = words[0].lower(), " ".join(words[1:])
    if first in ("many", "much") and inner and words[1].lower() not in DETERMINERS | PRONOUNS:
        return _how_many(first, inner)
    clause = parse_clause(_straight(inner), is_clause=True) if inner else None
    if clause is None:
        clause = parse_clause(_straight(rest), is_clause=True)
        if clause is not None and first in DETERMINERS | PRONOUNS:
            return Wording(f"the way in which {clause.said}", question=f"how {clause.asked_now}")
        return Wording(name.full if name else f"the answer to how {rest}", question=f"how {rest}")
    question = f"how {first} {clause.asked_now}"
    if first == "long" and base_form(clause.verb) in ("last", "take") and not clause.rest:
        return Wording(f"the length of time that {clause.said}", around=(clause.said, ""), question=question)
    if name is not None and not (name.head in _VAGUE and len(name.core.split()) == 1):
        return Wording(name.full, name.plural, question=question)
    measure = {"long": "length of time that", "much": "amount that"}.get(first)
    return Wording(f"the {measure} {clause.said}" if measure else f"how {first} {clause.said}", question=question)


def _how_many(word: str, rest: str) -> Wording:
    found = _of_noun_and_clause(rest, f"how {word}")
    kind = "number" if word == "many" else "amount"
    subject = f"the {kind} of {found.subject.removeprefix('the ')}"
    question = f"what is {subject}" if found.question.startswith("what ") else found.question
    return Wording(subject, question=question)
