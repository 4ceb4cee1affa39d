"""Descriptions that are indirect questions: when, where, who, what, which and how."""

from __future__ import annotations

import re
from dataclasses import replace

from controldag.plain.clause import Clause
from controldag.plain.english import base_form, is_participle, is_past, is_plural, participle
from controldag.plain.finite import parse_clause
from controldag.plain.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    is_gerund,
    is_person,
    is_third_person,
    is_verb,
    takes_article,
    word_set,
)
from controldag.plain.noun_phrase import NounPhrase, parse, with_articles
from controldag.plain.questions import parse_question
from controldag.plain.relative import related
from controldag.plain.wording import VAGUE, Wording, of_phrase


def of_question_word(text: str, name: NounPhrase | None) -> Wording | None:
    """The wording of a description that is an indirect question: when, where, who, what, which, how."""
    first, _, rest = text.partition(" ")
    rule = {
        "when": _when, "where": _where, "who": _who, "whom": _who, "what": _what, "which": _what, "how": _how,
    }.get(first.lower())  # fmt: skip
    return rule(rest, name) if rule is not None and rest else None


_STATE = re.compile(
    r"^(?:(?:is|was) )?([a-z-]+)((?: for [a-z -]+?)?) (until|from|on|by|at|for|since|in|with|to|of|into)$"
)
_FALLS = re.compile(r"^(?:the )?([a-z-]+(?: [a-z-]+)?) (on|until|by)$")


_OPENS = re.compile(r"^(opens|closes|starts|begins|ends|departs|arrives|leaves|expires|finishes)(?: at| on)?$")


def of_state(text: str) -> Wording | None:
    """The wording of a description that lacks its subject or its verb: `open until`, `fitting on`; None for others."""
    opens = _OPENS.match(text)
    if opens is not None:
        question = f"when does it {base_form(opens[1])}"
        return Wording(f"the time when it {opens[1]}", happening=f"it {opens[1]}", question=question)
    match = _STATE.match(text)
    if match is not None and (match[1] in ADJECTIVES or is_participle(match[1])):
        return _state(match[1], match[2], match[3])
    falls = _FALLS.match(text)
    if falls is None:
        return None
    first, *second = falls[1].split()
    is_thing = takes_article((second or [first])[0]) or (is_gerund(first) and not second)
    if not is_thing or first in PREPOSITIONS | DETERMINERS:
        return None
    asked = "until when" if falls[2] == "until" else "when"
    return Wording(
        f"the {falls[1]}", around=(f"the {falls[1]} is {falls[2]}", ""), question=f"{asked} is the {falls[1]}"
    )


def _state(state: str, use: str, preposition: str) -> Wording:
    asked = {"until": "until when", "from": "from when", "since": "since when", "at": "at what time", "by": "by when"}
    if is_participle(state):
        asked = {"by": "by whom", "in": "where", "at": "where", "on": "when", "until": "until when"}
    question = f"{asked.get(preposition, f'{preposition} what')} is it {state}{use}"
    said = f"it is {state}{use} {preposition}"
    return Wording(f"what {said}", around=(said, ""), question=question)


def _straight(text: str) -> str:
    """An indirect question in the order of a statement: `do the guests want to stay` is `the guests want to stay`."""
    words = text.split()
    if len(words) < 2 or words[0].lower() not in AUXILIARIES - {"be"}:
        return text
    if words[1].lower() not in DETERMINERS | PRONOUNS and words[0].lower() not in ("do", "does", "did"):
        return text
    clause = parse_question(words)
    return clause.said if clause is not None else text


def _when(rest: str, name: NounPhrase | None) -> Wording:
    if rest.startswith("to "):
        return Wording(f"the time {rest}", question=f"when would you like {rest}")
    clause = parse_clause(_straight(rest), is_clause=True)
    if clause is None:
        return Wording(f"the time when {rest}", question=f"when is it that {rest}")
    return Wording(f"the time when {clause.said}", happening=clause.said, question=f"when {clause.asked_as_wish}")


def _where(rest: str, name: NounPhrase | None) -> Wording:
    brought = re.match(r"to (deliver|ship|send|bring|post) ((?:the|your) [\w -]+)$", rest)
    if brought is not None:
        return Wording(f"the place {rest}", question=f"where should {brought[2]} be {participle(brought[1])}")
    if rest.startswith("to "):
        return Wording(f"the place {rest}", question=f"where would you like {rest}")
    clause = parse_clause(_straight(rest), is_clause=True)
    if clause is None:
        return Wording(f"the place where {rest}", question=f"where is it that {rest}")
    if clause.verb in ("is", "are") and not clause.rest:
        return Wording(f"the location of {clause.subject}", question=f"where {clause.asked_now}")
    return Wording(f"the place where {clause.said}", question=f"where {clause.asked_as_wish}")


def _who(rest: str, name: NounPhrase | None) -> Wording:
    if rest.startswith("to "):
        return Wording(f"the person {rest}", question=f"who would you like {rest}")
    if name is not None and not name.tail and is_person(name.head):
        unclear = re.search(r"\b(?:it|this|them|him|her)\b", rest)
        question = f"who {'are' if name.plural else 'is'} {name.full}" if unclear else f"who {rest}"
        return Wording(name.full, name.plural, thing=name.core, question=question)
    return Wording(f"the person who {rest}", question=f"who {rest}")


def _what(rest: str, name: NounPhrase | None) -> Wording:
    """`what has to be done`, `what the workshop charges for an hour`, `which airline is operating the flight`."""
    words = rest.split()
    first = words[0].lower()
    if first in AUXILIARIES or is_third_person(first) or is_past(first):
        # `what is the rent`: the noun phrase itself.
        if first in ("is", "are") and words[1:2] and words[1].lower() in DETERMINERS:
            phrase = parse(" ".join(words[1:]))
            if phrase is not None:
                return of_phrase(phrase, "")
        if name is not None and takes_article(name.head) and name.head not in VAGUE:
            return replace(of_phrase(name, ""), question=f"what {rest}")
        return Wording(f"what {rest}", question=f"what {rest}")
    if first == "there" and len(words) > 2:
        return Wording(f"what {rest}", question=f"what {words[1]} there {' '.join(words[2:])}")
    is_subject = is_plural(first) and len(words) > 1 and is_verb(words[1])
    if first in DETERMINERS | PRONOUNS or is_subject:
        return _what_someone_does(rest, name)
    return _of_noun_and_clause(rest, "which")


def _what_someone_does(rest: str, name: NounPhrase | None) -> Wording:
    clause = parse_clause(rest, is_clause=True)
    if clause is None:
        return Wording(f"what {rest}", question=f"what is it that {rest}")
    question = f"what {clause.asked_now}"
    following = clause.rest.split()[:1]
    # The object goes behind a verb that has none yet: the workshop charges [..] for one hour.
    ends_open = clause.rest.split()[-1:] and clause.rest.split()[-1] in (
        *("about", "for", "with", "to", "from", "of", "by", "at", "on", "in", "as", "called", "named"),
    )
    if ends_open:
        return Wording(f"what {clause.said}", around=(clause.said, ""), question=question)
    if clause.verb not in AUXILIARIES and (not following or following[0] in PREPOSITIONS):
        return Wording(f"what {rest}", around=(f"{clause.subject} {clause.verb}", clause.rest), question=question)
    return Wording(f"what {clause.said}", question=question)


def _are_counted(clause: Clause) -> bool:
    """Whether those who do something are counted: `people follow the show`."""
    alone = not set(clause.subject.lower().split()) & (DETERMINERS | PRONOUNS | {"to"})
    return alone and clause.verb not in AUXILIARIES and is_plural(clause.subject) and is_verb(clause.verb)


def _order(clause: Clause) -> str:
    return clause.asked_as_wish if clause.subject == "you" else clause.asked_now


def _of_noun_and_clause(rest: str, word: str) -> Wording:
    """`airline is operating the flight`, `language to show subtitles in`, `days the transfer will take`."""
    words = rest.rstrip("?").split()
    doing = parse_clause(rest, is_clause=True) if word == "how many" else None
    if doing is not None and _are_counted(doing):
        return Wording(f"the {doing.subject} that {doing.verb} {doing.rest}".strip(), question=f"{word} {rest}")
    subject = re.match(r"((?:[\w-]+ )?[\w-]+?) ([a-z]+s) (?=the |an? |your |this |it\b)", rest)
    if word == "which" and subject is not None and is_third_person(subject[2]) and not is_plural(subject[1]):
        # `company installs the panels`: what one asks for is the subject.
        return Wording(f"the {subject[1]} that {rest[len(subject[1]) + 1 :]}", question=f"{word} {rest}")
    phrase = parse(rest)
    if phrase is None:
        end = next((i for i, each in enumerate(words) if i and each.lower() in AUXILIARIES), len(words))
        inner = parse(" ".join(words[:end])) if end < len(words) else None
        if inner is None:
            return Wording(f"the {rest}", question=f"{word} {rest}")
        if words[end + 1 :] in (["it"], ["this"], ["that"], ["they"]):
            return Wording(inner.full, inner.plural, question=f"{word} {rest}")
        turned = _straight(" ".join(words[end:]))
        if turned == " ".join(words[end:]) and words[end + 1 : end + 2] and words[end + 1].lower() in DETERMINERS:
            # `days is the reservation`: no order of a statement can be made of it.
            return Wording(inner.full, inner.plural, question=f"{word} {rest}")
        relative = "" if turned != " ".join(words[end:]) else "that "
        turned = with_articles("that", turned.split())
        return Wording(f"{inner.full} {relative}{turned}", inner.plural, question=f"{word} {rest}")
    if re.match(r"to [a-z]+", phrase.tail) and is_verb(phrase.tail.split()[1]):
        return Wording(phrase.full, phrase.plural, question=f"{word} {phrase.core} would you like {phrase.tail}")
    clause = parse_clause(phrase.tail, is_clause=True) if word.startswith("how") and phrase.tail else None
    if clause is not None and phrase.tail.split()[0] in DETERMINERS | PRONOUNS:
        return Wording(phrase.full, phrase.plural, question=f"{word} {phrase.core} {_order(clause)}")
    link = related(phrase)
    if link.question:
        asked = re.sub("^which", word, link.question)
        return Wording(phrase.full, phrase.plural, happening=link.happening, question=asked)
    return Wording(phrase.full, phrase.plural, question=f"what {'are' if phrase.plural else 'is'} {phrase.full}")


_MEASURES = {
    "old": "age", "big": "size", "large": "size", "high": "height", "tall": "height", "heavy": "weight",
    "deep": "depth", "long": "length", "wide": "width", "expensive": "price level",
    "hot": "temperature", "difficult": "difficulty", "hard": "difficulty", "strong": "strength", "loud": "volume",
    "urgent": "urgency", "bright": "brightness", "popular": "popularity", "fast": "speed", "far": "distance",
}  # fmt: skip


def _how(rest: str, name: NounPhrase | None) -> Wording:
    """`how many people are coming`, `how long the class lasts`, `how the order is paid`."""
    words = rest.split()
    first, inner = words[0].lower(), " ".join(words[1:])
    if name is not None and name.core.lower() == first:
        # `busy: how busy the place is`: no thing has this name.
        name = None
    if first == "much" and re.match(r"(?:is|are) (?:the|an?|your) ", inner):
        asked_for = inner.split(" ", 1)[1]
        is_price = re.search(r"\b(?:price|cost|rent|fee|fare|charge|rate|bill)\b", asked_for)
        return Wording(asked_for if is_price else f"the price of {asked_for}", question=f"how {rest}")
    if first == "much" and words[1:2] and words[1].lower() in AUXILIARIES - {"be"}:
        return _how_much(rest, inner)
    if first in ("many", "much") and inner and words[1].lower() not in DETERMINERS | PRONOUNS:
        return _how_many(first, inner)
    if first == "to":
        return Wording(f"the way {rest}", question=f"how would you like {rest}")
    if first in DETERMINERS | PRONOUNS:
        return _way(rest, name)
    alone = inner and words[1].lower() not in ("or", "and")
    clause = parse_clause(_straight(inner), is_clause=True) if alone else None
    if clause is None:
        subject = name.full if name else f"how {rest}"
        around = None if name else (f"as to how {rest}, the answer is", "")
        return Wording(subject, around=around, question=f"what is {subject}" if name else f"how {rest}")
    question = f"how {first} {clause.asked_now}"
    if first == "often":
        return Wording(f"how often {clause.said}", around=(clause.said, ""), question=question)
    lasts = base_form(clause.verb) in ("last", "take", "turn", "cost") and not clause.rest
    if lasts or (first == "long" and clause.verb in ("has", "have") and clause.rest in ("lasted", "taken", "existed")):
        return Wording(f"how {first} {clause.said}", around=(clause.said, ""), question=question)
    if first in _MEASURES and clause.verb in ("is", "are", "was") and (not clause.rest or clause.subject == "it"):
        owner = clause.rest if clause.subject == "it" else f"of {clause.subject}"
        return Wording(f"the {_MEASURES[first]} {owner}".strip(), question=question)
    if name is not None and not (name.head in VAGUE and len(name.core.split()) == 1):
        return Wording(name.full, name.plural, question=question)
    measure = {"long": "length of time that", "much": "amount that"}.get(first)
    if measure:
        return Wording(f"the {measure} {clause.said}", question=question)
    subject = f"how {first} {clause.said}"
    # A subject that ends with a verb cannot be followed by another one.
    around = (f"as to {subject}, the answer is", "") if clause.rest == "" else None
    return Wording(subject, around=around, question=question)


# What follows these verbs is an amount.
_WITH_AMOUNTS = word_set(
    "pay cost charge owe weigh spend save earn get receive donate send transfer lend borrow withdraw deposit "
    "contribute tip refund claim consume use need lose gain charged billed paid owed"
)


def _how_much(rest: str, inner: str) -> Wording:
    """`how much does the patient have to pay`: the patient has to pay the value."""
    question, turned = f"how {rest}", _straight(inner)
    clause = parse_clause(turned, is_clause=True) if turned != inner else None
    if clause is None:
        # `how much is charged`: what one asks for is the subject.
        return Wording(f"the amount that {turned}", question=question)
    ends = clause.said.split()[-1].lower()
    if ends in _WITH_AMOUNTS or base_form(ends) in _WITH_AMOUNTS:
        return Wording(f"the amount that {clause.said}", around=(clause.said, ""), question=question)
    following = clause.rest.split()[:1]
    if base_form(clause.verb) in _WITH_AMOUNTS and following and following[0] in PREPOSITIONS:
        said = (f"{clause.subject} {clause.verb}", clause.rest)
        return Wording(f"the amount that {clause.said}", around=said, question=question)
    return Wording(f"the amount that {clause.said}", question=question)


def _way(rest: str, name: NounPhrase | None) -> Wording:
    """`how the cleaner gets in`: the way in which it is done."""
    clause = parse_clause(_straight(rest), is_clause=True)
    if name is not None and name.head in ("method", "mode", "way", "means", "option") and len(name.core.split()) > 1:
        return Wording(name.full, question=f"how {clause.asked_now}" if clause is not None else f"what is {name.full}")
    if clause is None:
        return Wording(name.full if name else f"how {rest}", question=f"how is it that {rest}")
    return Wording(f"the way in which {clause.said}", question=f"how {clause.asked_now}")


def _how_many(word: str, rest: str) -> Wording:
    found = _of_noun_and_clause(rest, f"how {word}")
    kind = "number" if word == "many" else "amount"
    subject = f"the {kind} of {found.subject.removeprefix('the ')}"
    question = f"what is {subject}" if found.question.startswith("what ") else found.question
    return Wording(subject, question=question)
