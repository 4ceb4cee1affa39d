"""Descriptions made ready to be said: without remarks about data types, addressed to the reader."""

from __future__ import annotations

import re

from controldag.plain.english import base_form, decapitalised, is_plural
from controldag.plain.irregular import WRITTEN_OUT
from controldag.plain.lexicon import (
    ADVERBS,
    AUXILIARIES,
    PREPOSITIONS,
    RELATIVES,
    is_third_person,
    is_verb,
    takes_article,
)

_MARKS = " ,;:.?!-–—"
_USER = r"(?:end[- ])?(?:user|customer|client|caller)"
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)?|\[[^\[\]]*\]?)")
# A sentence ends where a capital follows, or nothing: `est. delivery date` goes on.
_FIRST_SENTENCE = re.compile(r"(?<=[A-Za-z0-9)]{2})[.!?](?:\s+(?=[\"'(]*[A-Z0-9]).*|\s*$)", re.DOTALL)
_SHORT_FORM = re.compile(r"\b([A-Za-z]{2,7})\.(?=[\s,;)]|$)")
_IF_ANY = re.compile(
    r",?\s*\b(?:or none|or null|if any|if applicable|if needed|if desired|if known|where applicable)\b.*$",
    re.IGNORECASE,
)
_LISTING = re.compile(
    r"(?:,?\s*\b(?:e\.\s?g\.|i\.\s?e\.|eg\b|ie\b|for example\b|for instance\b|such as\b|namely\b)"
    r"|:\s|;|\s[-–—]\s|,\s*either\b"
    r"|,\s*one of\b|\s*[|/]{2}).*",
    re.DOTALL | re.IGNORECASE,
)
_KIND_OF_DATA = re.compile(
    r"^(?:an? |the )?(?:(?:free[- ]form |optional |required )?(?:string|integer|int|float|text|number|numeric|"
    r"numerical|"
    r"field|value|parameter|variable|slot|attribute|property|entry|enum|categorical|date field)\s*)+"
    r"(?:that |which |to |used to |for )?(?:indicat\w+|specif\w+|describ\w+|represent\w*|denot\w+|hold\w*|contain\w*|"
    r"giv\w+|stat\w+|show\w*|nam\w+|tell\w*|stor\w+|estimat\w+|with|:|=|-)\s+",
    re.IGNORECASE,
)
_SHOWING = re.compile(
    r"^(?:this (?:is|field is|slot is) |it is |indicates |specifies |represents |denotes |describes |states |refers to "
    r"|tells |gives |holds |contains |stores |shows )"
    r"(?=the |a |an |your |their |how |what |which |who |when |where |whe)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:please )?(?:choose|select|enter|specify|provide|give|display|pick|state|indicate|type in|type|fill in|write"
    r"|tell us|let us know|show|input|put in|say|set|list) "
    r"(?=the |a |an |your |their |his |how |what |which |who |when |where |whether |any |all )",
    re.IGNORECASE,
)
_OF_THE_USER = re.compile(
    rf"^(?:the |an? )?((?:[\w'-]+ ){{0,5}}?[\w'-]+) (?:of|from|given by|for) (?:the |an? )?{_USER}"
    r"(?!')((?: (?:for|in|at|on|to|when|who|that|during|with|as)\b.*)?)$",
    re.IGNORECASE,
)
_USERS = re.compile(rf"\b(?:(?:the|a|an|each) )?{_USER}(?:'s|s')(?= )", re.IGNORECASE)
_THE_USER = re.compile(rf"\b(?:(the|a|an) )?{_USER}\b(?!')", re.IGNORECASE)


_PHRASAL = re.compile(
    r"\b(check|pick|drop|walk|sign|log|take|drive|turn) (in|out|up|off|away|back|on) "
    r"(?=(?:date|time|day|hour|location|city|place|point|address|station|fee|counter|desk|window|service)s?\b)",
    re.IGNORECASE,
)


_WHEN = re.compile(
    r"((?:the )?(?:day and month|date and time|time|date|day|month)) (?:the )?([a-z]+) ([a-z]+s)\b(?! of\b)"
)
# Other words for a number and for a name.
_SAID_PLAINLY = (
    (re.compile(r"^what (?:is|are) ((?:the|an?|your) [\w' -]+) (?:called|named)$", re.IGNORECASE), r"name of \1"),
    (re.compile(r"^(?:the )?(?:count|quantity|total (?:number|count)) of (?=[\w-]+s\b)", re.IGNORECASE), "number of "),
    (re.compile(r"^(?:the )?([\w-]+)'s (?:(?:common|full|official) )?name$", re.IGNORECASE), r"name of the \1"),
    (re.compile(r"(?<=\w) (?:common|official|business) name$", re.IGNORECASE), " name"),
    (re.compile(r",? (?:between|from|ranging from) (?:one|zero|nought) (?:and|to) (?:five|ten|a hundred)$"), ""),
)


def cleaned(description: str) -> str:
    """The first phrase of a description, without brackets, lists of values, data types and orders; "" where none is.

    `Choose the kind of landmark (required)` is `the kind of landmark`. A question mark at the end goes too.
    """
    text = re.sub(r"^(?:someone|somebody|anyone) (?=who|that)", "person ", first_phrase(description))
    text = re.sub(r"^(?:integer|numeric|numerical|string|float) (?=number|value|count)", "", text, flags=re.IGNORECASE)
    for rule in (_KIND_OF_DATA, _SHOWING, _ORDER, _KIND_OF_DATA):
        text = rule.sub("", text) or text
    for rule, plain in _SAID_PLAINLY:
        text = rule.sub(plain, text)
    happening = _WHEN.match(text)
    if happening is not None and takes_article(happening[2]) and is_third_person(happening[3]):
        # `time plane leaves from the airport`
        text = f"{happening[1]} when the {text[happening.start(2) :]}"
    return decapitalised(_PHRASAL.sub(r"\1-\2 ", text).strip(_MARKS))


def first_phrase(description: str) -> str:
    """A description up to its first stop, list or remark, lower case at first."""
    text = " ".join(description.replace("`", "'").replace("(s)", "s").replace("’", "'").replace("_", " ").split())
    text = _SHORT_FORM.sub(_written_out, text)
    text = _IF_ANY.sub("", _FIRST_SENTENCE.sub("", _BRACKETS.sub("", text))).lstrip(_MARKS)
    text = re.sub(r"(?<=[a-z]{2})/(?=[a-z]{3})", " or ", _LISTING.sub("", text)).replace("and or ", "and ")
    return decapitalised(_without_remark(text.strip(_MARKS)).strip(_MARKS))


def _written_out(found: re.Match[str]) -> str:
    """A short form in front of its stop as the word it stands for: `est.` is `estimated`, `no.` a number."""
    return WRITTEN_OUT.get(found[1].lower(), found.group())


def _without_remark(text: str) -> str:
    """The text up to its first comma, unless the comma belongs to a list: `rain, sleet or snow`."""
    front, comma, rest = text.partition(",")
    if re.match(r"\s*(?:given |measured |expressed )?(?:in|as)(?! per\b) (?:[\w-]+ ?){1,4}$", rest):
        return text
    listed = comma and re.match(r"\s*(?:[\w'-]+ ){0,3}(?:and|or) |(?:[^,]*,)+\s*(?:and|or) ", rest)
    text = front if comma and not listed and len(front.split()) > 1 else text
    # `the date for the reservation or to find availability`: the first use is enough.
    return re.sub(r"(?<=\w{3}) or (?:to|for) [a-z]+(?:ing)? .*$", "", text)


def to_reader(text: str) -> str:
    """The text with users and customers addressed: `the user's account` is `your account`."""
    owned = _OF_THE_USER.match(text)
    if owned is not None and not _has_verb(owned.group(1)):
        text = f"your {owned.group(1)}{owned.group(2)}"
    text = _USERS.sub("your", text)
    return _you(text)


def _has_verb(phrase: str) -> bool:
    return any(word in AUXILIARIES or word in PREPOSITIONS for word in phrase.lower().split())


def _you(text: str) -> str:
    """`the user wants` as `you want`; a user in front of another noun (`user rating`) stays."""
    found = _THE_USER.search(text)
    if found is None:
        return text
    before, after = text[: found.start()], text[found.end() :]
    words = after.split()
    previous = before.split()[-1].lower() if before.split() else ""
    if previous in AUXILIARIES and found.group(1) is not None:
        turned = {"is": "are", "was": "were", "has": "have", "does": "do"}.get(previous, previous)
        return f"{before[: before.lower().rindex(previous)]}{turned} you{after}"
    subject = not previous or previous in PREPOSITIONS | RELATIVES or is_plural(previous)
    if found.group(1) is None and (not words or words[0].lower() not in _SURE_VERBS or not subject):
        return before + found.group() + _you(after)
    if words and not _can_follow_subject(words[0]):
        return before + found.group() + _you(after)
    return f"{before}you{_agreeing(after)}".replace(" their ", " your ").replace(" themselves", " yourself")


# Behind `user` without an article (`alarms user has set`) only these are surely verbs, not nouns (`user reviews`).
_SURE_VERBS = AUXILIARIES | {"wants", "needs", "wishes", "prefers", "would", "likes", "gets", "chooses", "desires"}


def _can_follow_subject(word: str) -> bool:
    low = word.lower().strip(",")
    return (
        low in AUXILIARIES
        or low in PREPOSITIONS
        or low in ADVERBS
        or is_third_person(low)
        or low in ("and", "or", "last", "first")
    )


def _agreeing(after: str) -> str:
    """What follows `you`: its first verb without the ending of the third person."""
    fixed = {"is": "are", "was": "were", "has": "have", "does": "do"}
    words = after.split(" ")
    for index, word in enumerate(words):
        if not word or word in ADVERBS:
            continue
        if word in fixed:
            words[index] = fixed[word]
        elif is_third_person(word) and is_verb(base_form(word)):
            words[index] = base_form(word)
        break
    return " ".join(words)
