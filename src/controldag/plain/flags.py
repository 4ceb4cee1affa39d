"""Yes and no in words, read out of a slot's description or name: `Smoking is not allowed.`"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from controldag.plain.clause import Clause, is_narrow
from controldag.plain.described import to_reader
from controldag.plain.english import (
    decapitalised,
    is_participle,
    is_plural,
    participle,
    spelled_out,
    third_person,
    with_article,
    words_of,
)
from controldag.plain.finite import parse_clause
from controldag.plain.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    PREPOSITIONS,
    PRONOUNS,
    is_adjective,
    is_person,
    is_third_person,
    is_verb,
    takes_article,
    word_set,
)
from controldag.plain.noun_phrase import NounPhrase, parse, with_articles
from controldag.plain.questions import parse_question
from controldag.plain.wishes import BOOKED

_TRUE_FALSE = re.compile(
    r"\b(?:true|yes|1)\b\s*(?:=|:|->|→|means|for|is|if|when|-|–)\s*(?P<yes>[^,;.|/]+?)\s*(?:[,;.|/]|\bor\b|\band\b)*\s*"
    r"\b(?:false|no|0)\b\s*(?:=|:|->|→|means|for|is|if|when|-|–)\s*(?P<no>[^,;.|/]+)",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(r"^(?:not|otherwise|else|no|none|if not|it is not|it does not|opposite)\b.*$", re.IGNORECASE)
_WHETHER = re.compile(
    r"^(?:(?:indicat\w+|show\w*|stat\w+|say\w*|mean\w*|specif\w+|denot\w+|true means|means) that"
    r"|.*?\bwhether(?: or not)?[:,]?|(?:.{0,60}?\b(?:flag|bool(?:ean)?|indicat\w*|tell\w*|show\w*|stat\w*|"
    r"specif\w*|denot\w*|"
    r"identif\w*|determin\w*|check\w*|say\w*|field|value|yes|no)\b.{0,20}?)?\bif)\s+",
    re.IGNORECASE,
)
_TRUE_IF = re.compile(
    r"^(?:set (?:to true )?(?:if|when)|(?:is )?(?:true|yes)\s*(?:if|when|where|for|=|:))\s+", re.IGNORECASE
)
_META = re.compile(
    r"^(?:an? |the )?(?:boolean|bool|binary|y/n|yes[/ -]?(?:or[ -])?no|true[/ -]?(?:or[ -])?false)?\s*"
    r"(?:flag|value|field|indicator|switch|option|question|boolean|toggle|marker|parameter|variable)?\s*"
    r"(?:(?:that |which |to |for |used to )?(?:indicat\w+|specif\w+|tell\w*|show\w*|say\w*|denot\w+|stat\w+|describ\w+|"
    r"mark\w*|signal\w*|determin\w+|represent\w*)(?: that)?|for|of|on)?\s*[:.,=-]*\s+",
    re.IGNORECASE,
)
_META_WORDS = re.compile(
    r"\b(?:boolean|bool|flag|indicator|yes[/ -]no|true[/ -]false|y/n|toggle|switch)\b", re.IGNORECASE
)
_INDICATES = re.compile(r"^(?:indicates|denotes|signals|represents|specifies|marks|flags) (?=\w)", re.IGNORECASE)
_OR_ELSE = re.compile(
    r",? or (?:not|if|whether|just|otherwise)\b.*$|\s*\(.*$|[?.!;].*$|,? (?:yes or no|true or false)$|\s+[-–]\s.*$",
    re.IGNORECASE,
)
_PRESENCE = re.compile(r"^(?:the )?(?:presence|existence|provision|indication) of ", re.IGNORECASE)
_NAME_OF_FLAG = re.compile(r"(?: yes(?: or)? no| flag| indicator| boolean| bool| status| info| information| on off)+$")
# What things can do, and persons hardly: `may contain nuts`.
_OF_THINGS = word_set(
    "be have contain include seat hold cause require take need carry cost last differ vary change fit"
)
# Of things that nobody has spoken of before: `a signature is required`.
_GIVEN = word_set("available required needed included provided necessary mandatory offered possible")
_NEVER_WISHED = word_set(
    "emergency problem injury allergy allergies deposit fee penalty charge damage leak delay accident limit surcharge"
)
# What one thing does, said of a noun that no list holds: `lounge has showers`.
_SAID_OF_ONE = word_set("has offers provides serves accepts contains includes")
_PARTICLES = frozenset(("up", "out", "in", "off", "on"))
_OWNING = {"has": "has", "have": "has", "with": "has", "having": "has"}


@dataclass(frozen=True, slots=True)
class Flag:
    """A slot that is true or false: what to say for yes and for no, how to ask, and what follows `whether`."""

    yes: str
    no: str
    asked: str
    whether: str


def flag_of(name: str, description: str) -> Flag:
    """The wordings of a flag: from its description, else from its name."""
    text = " ".join(description.replace("’", "'").replace("(s)", "s").replace("_", " ").split())
    found = _alternatives(text) or (_from_description(text, name) if text else None)
    return found or _from_name(name)


def _of_clause(clause: Clause) -> Flag:
    return Flag(clause.said, clause.denied, clause.wished, clause.said)


def _alternatives(text: str) -> Flag | None:
    """`true = video lessons, false = classroom`: each value has a name of its own."""
    match = _TRUE_FALSE.search(text)
    if match is None:
        return None
    yes, no = (decapitalised(match[group].strip(" .\"'")) for group in ("yes", "no"))
    label = parse(to_reader(decapitalised(text[: match.start()].strip(" :;,.-–("))))
    if label is not None and _META_WORDS.search(label.full) is None and len(yes.split()) < 4:
        verb = "are" if label.plural else "is"
        asked = f"what {verb} {label.full}, {yes} or {no}"
        said = f"{label.full} {verb}"
        return Flag(f"{said} {yes}", f"{said} {no}", asked, f"{said} {yes} or {no}")
    clause = parse_clause(to_reader(yes))
    if clause is not None or _NOTHING_SAID.match(no):
        found = _from_phrase(to_reader(yes))
        other = parse_clause(to_reader(no))
        if found is None or other is None or _NOTHING_SAID.match(no):
            return found
        return Flag(found.yes, other.said, found.asked, found.whether)
    return Flag(
        f"the option is {yes} rather than {no}",
        f"the option is {no} rather than {yes}",
        f"would you like {yes} rather than {no}",
        f"the option is {yes} or {no}",
    )


def _from_description(text: str, name: str) -> Flag | None:
    whether = _WHETHER.match(text)
    true_if = _TRUE_IF.match(text)
    is_clause = True
    if whether is not None and (whether.end() < 70 or _META_WORDS.search(whether.group())):
        rest = text[whether.end() :]
    elif true_if is not None:
        rest = text[true_if.end() :]
    else:
        is_clause = False
        rest = _META.sub("", text, count=1) if _META_WORDS.search(text[:40]) else text
    rest = _INDICATES.sub("", rest)
    rest = _OR_ELSE.sub("", rest).strip(" ,:;-")
    rest = re.sub(r"\bthere's\b", "there is", re.sub(r"\bcan't\b", "cannot", rest))
    if not rest or _META_WORDS.fullmatch(rest) or rest.lower() in ("true", "false", "yes", "no"):
        return None
    return _from_phrase(to_reader(decapitalised(rest)), is_clause)


def _from_phrase(text: str, is_clause: bool = False) -> Flag | None:
    """The flag that a phrase states: a question, an infinitive, a clause, a quality, or a thing that is there.

    `is_clause`: the phrase followed `whether` or the like, so that it has a verb, even one that is not known.
    """
    words = text.split()
    first = words[0].lower()
    if first == "no" and len(words) > 1 and parse_clause(text, is_clause) is None:
        # `no pets`: what is true is that there are none.
        found = _from_phrase(" ".join(words[1:]), is_clause)
        return Flag(found.no, found.yes, found.asked, found.no) if found is not None else None
    if first in ("without", "only") and len(words) > 1:
        return _of_clause(Clause("it", "is", text))
    if first == "not" and len(words) > 1:
        rest = " ".join(words[1:])
        return Flag(f"it is not {rest}", f"it is {rest}", f"is it not {rest}", f"it is not {rest}")
    following = words[1].lower() if len(words) > 1 else ""
    is_order = not takes_article(first) or following in DETERMINERS or is_plural(following)
    if (
        following
        and following not in PREPOSITIONS - _PARTICLES
        and is_verb(first)
        and is_order
        and not (is_adjective(first) or is_clause)
    ):
        words = ["to", *words]
        first = "to"
    if first == "have" and following not in PRONOUNS | {"to", "the"} and not is_clause:
        # `have red eyes removed`: what one may have done.
        words, first = ["to", *words], "to"
    if first == "to" and len(words) > 1:
        action = " ".join(words[1:])
        return Flag(f"the choice is to {action}", f"the choice is not to {action}", f"would you like to {action}", text)
    quality = _compound_quality([word.lower() for word in words])
    if quality:
        return _of_clause(Clause("it", "is", quality))
    turned = parse_question(words) if first in AUXILIARIES - {"be"} else None
    if turned is not None and not is_clause:
        # A description that is a question is asked as it stands.
        turned = _mended(turned)
        return replace(_of_clause(turned), asked=turned.asked_now)
    clause = turned or _clause_without_subject(words) or parse_clause(text, is_clause) or _without_verb(words)
    if clause is not None:
        return _of_clause(_mended(clause))
    return _availability(text) or _thing(text, is_clause)


def _clause_without_subject(words: list[str]) -> Clause | None:
    """`includes breakfast`, `can be cancelled`: said of the thing in question."""
    first = words[0].lower()
    starts = first in _OWNING or first in AUXILIARIES - {"be"} or is_third_person(first)
    # A verb that stands alone says nothing of the thing: `must` may be a name.
    if len(words) < 2 or not starts or (is_plural(first) and parse_clause(" ".join(words)) is not None):
        return None
    if first in ("does", "do", "did", "are", "were"):
        return None
    acts = first in MODALS and words[1].lower() not in _OF_THINGS
    subject = "you" if acts else "it"
    rest = " ".join(words[1:])
    if _OWNING.get(first, first) in ("is", "has") and takes_article(words[-1]) and len(words) < 4:
        rest = _with_article(rest)
    return Clause(subject, _OWNING.get(first, first), rest)


def _without_verb(words: list[str]) -> Clause | None:
    """`pets allowed`, `suitable for children`: a quality without its verb."""
    first = words[0].lower()
    qualified = first.endswith("ly") and len(words) == 2 and is_adjective(words[1])
    if qualified or (is_adjective(first) and (len(words) == 1 or words[1].lower() in PREPOSITIONS)):
        return Clause("it", "is", " ".join(words))
    for index in range(1, len(words)):
        low = words[index].lower()
        following = words[index + 1].lower() if index + 1 < len(words) else ""
        ends = not following or following in PREPOSITIONS or following in ("and", "or")
        if ends and (is_participle(low) or low in ADJECTIVES or is_adjective(low)):
            subject = words[:index]
            if subject[-1].lower() in PREPOSITIONS | DETERMINERS:
                continue
            verb = "are" if is_plural(subject[-1]) else "is"
            said = " ".join(subject)
            if low in _GIVEN and subject[0].lower() not in DETERMINERS and takes_article(subject[-1]):
                said = with_article(said)
            return Clause(said, verb, " ".join(words[index:]))
    return None


def _mended(clause: Clause) -> Clause:
    """The clause with the articles that its subject and its rest lack."""
    subject, words = clause.subject, clause.subject.split()
    first = words[0].lower() if words else ""
    if first not in DETERMINERS | PRONOUNS | {"there"} and not first.endswith("'s"):
        phrase = parse(subject)
        if phrase is not None and (takes_article(phrase.head) or phrase.tail):
            subject = phrase.full if takes_article(phrase.head) else f"{phrase.core} {phrase.tail}".strip()
        elif len(words) == 1 and clause.verb in _SAID_OF_ONE and not is_plural(first):
            subject = f"the {subject}"
    rest = with_articles(clause.verb, clause.rest.split())
    return Clause(subject, clause.verb, rest)


def _availability(text: str) -> Flag | None:
    match = re.fullmatch(r"(?:the )?availability of (.+)|(.+?) availability(.*)", text, re.IGNORECASE)
    if match is None:
        return None
    thing = match[1] or match[2]
    verb = "are" if is_plural(thing) else "is"
    return _of_clause(_mended(Clause(thing, verb, f"available{match[3] or ''}")))


def _thing(text: str, is_clause: bool = False) -> Flag | None:
    """`courtesy car during the repair`: it is there or it is not."""
    phrase = None if is_clause and len(text.split()) > 1 else parse(_PRESENCE.sub("", text), determiner="")
    if phrase is None:
        sure = len(text.split()) > 2 or is_clause
        return (
            Flag(f"it is true that {text}", f"it is not true that {text}", f"is it true that {text}", text)
            if sure
            else None
        )
    if phrase.tail.endswith("ing") and " " not in phrase.tail:
        # `night skiing`: the last word is what is there.
        phrase = NounPhrase(phrase.determiner, f"{phrase.core} {phrase.tail}")
    bare = f"{phrase.core} {phrase.tail}".strip()
    thing = with_article(bare) if takes_article(phrase.head) else bare
    if phrase.determiner in ("your", "the"):
        thing = f"{phrase.determiner} {bare}"
    verb = "are" if phrase.plural else "is"
    there = f"there {verb} {thing}"
    denied = f"it is not true that {there}" if is_narrow(bare) else f"there {verb} no {bare}"
    is_fact = (phrase.tail and phrase.head not in BOOKED) or is_person(phrase.head) or phrase.head in _NEVER_WISHED
    return Flag(there, denied, f"{verb} there {thing}" if is_fact else f"would you like {thing}", there)


def _from_name(name: str) -> Flag:
    """The wordings that a name alone gives: `has_pool`, `pets_allowed`, `is_refundable`, `wifi`."""
    label = _NAME_OF_FLAG.sub("", " ".join(spelled_out(words_of(name))))
    words = _PRESENCE.sub("", label).split()
    if not words:
        return Flag("the answer is yes", "the answer is no", "yes or no", "the answer is yes or no")
    first, rest = words[0], " ".join(words[1:])
    if first in ("no", "without") and rest:
        found = _from_phrase(" ".join(words))
        if found is not None:
            return found
    if first in ("non", "not") and rest:
        return _of_clause(Clause("it", "is", f"non-{rest}" if first == "non" else f"not {rest}"))
    if first in ("is", "are", "was") and rest:
        return _of_clause(_mended(_named_quality(first, words[1:])))
    if first in _OWNING and rest:
        return _of_clause(Clause("it", "has", _with_article(rest)))
    if first in ("can", "may") and rest and is_verb(words[1]):
        return _of_clause(Clause("it", "is", f"possible to {rest}"))
    if first in ("needs", "need", "requires", "require") and rest:
        thing = _with_article(rest)
        return _of_clause(Clause(thing, "are" if is_plural(thing) else "is", participle(first.removesuffix("s"))))
    if first in ("wants", "want", "prefers") and rest:
        return _of_clause(Clause("you", first.removesuffix("s"), _with_article(rest)))
    if is_third_person(first) and rest:
        return _of_clause(Clause("it", first, _with_article(rest)))
    joined = _compound_quality(words)
    if joined:
        return _of_clause(Clause("it", "is", joined))
    clause = _without_verb(words)
    if clause is not None:
        return _of_clause(_mended(clause))
    if is_verb(first) and rest and not (takes_article(first) or first in ADJECTIVES):
        return _of_clause(Clause("it", third_person(first), rest))
    found = _thing(" ".join(words))
    return found or Flag(f"{label}: yes", f"{label}: no", f"{label}: yes or no", f"{label} is needed")


def _named_quality(verb: str, words: list[str]) -> Clause:
    """`is_smoking_allowed`: smoking is allowed; `is_unisex`: it is unisex; `is_apartment`: it is an apartment."""
    if is_adjective(words[-1]) and (len(words) > 2 or (len(words) == 2 and not is_adjective(words[0]))):
        quality = _compound_quality(words)
        if quality:
            return Clause("it", "is", quality)
        return Clause(" ".join(words[:-1]), "are" if is_plural(words[-2]) else "is", words[-1])
    return Clause("it", "is", _with_article(" ".join(words)))


def _compound_quality(words: list[str]) -> str:
    """`kid friendly`, `gluten free` and the like with their hyphen; "" for other words."""
    if (
        len(words) == 2
        and words[1] in ("friendly", "free", "proof", "accessible", "safe")
        and words[0] not in ADJECTIVES
    ):
        return "-".join(words) if words[1] != "accessible" else " ".join(words)
    return ""


def _with_article(phrase: str) -> str:
    return with_article(phrase) if takes_article(phrase.split()[-1]) else phrase
