"""Points of time with the preposition they need: `on Tuesday at 8 am`, `at 7 am tomorrow`, `tomorrow`, `in May`."""

from __future__ import annotations

import re

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_WEEKDAY = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?\b\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\b"
_CLOCK = r"\d{1,2}(?:[:.]\d\d(?::\d\d)?)?\s*(?:[ap]\.?\s?m\b\.?|o'clock)|\d{1,2}:\d\d(?::\d\d)?"
_RULES = (
    # Said as they are: tomorrow, next Friday, every Monday, in two weeks, from 9 to 5.
    (
        "",
        re.compile(
            r"(?:today|tomorrow|tonight|yesterday|now|immediately|asap|this|next|last|every|each|within|in|after|before|from"
            r"|by|until|between|during|at|on|around|about|all|any ?time|as soon|once|twice|later|early next|late next"
            r"|the day (?:after|before)|as|over|since|throughout"
            r"|(?:\d+|an?|two|three|half an?) (?:second|minute|hour|day|week|month|year)s? "
            r"(?:before|after|from|later|ago|prior))\b",
            re.IGNORECASE,
        ),
    ),
    (
        "at",
        re.compile(
            rf"(?:{_CLOCK}|noon|midday|midnight|half past|quarter (?:past|to)|sunrise|sunset|dawn|dusk)(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (
        "on",
        re.compile(
            rf"(?:{_WEEKDAY}|{_MONTH}\s+(?:the\s+)?{_DAY}|(?:the\s+)?{_DAY}(?:\s+of)?\s+{_MONTH}|\d{{4}}-\d\d-\d\d"
            rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}|the\s+\d{{1,2}}(?:st|nd|rd|th)|\d{{1,2}}(?:st|nd|rd|th)"
            r"|christmas (?:eve|day)|new year's (?:eve|day)|weekdays|weekends|mondays?)(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (
        "in",
        re.compile(
            rf"(?:{_MONTH}(?:\s+\d{{4}})?|(?:early|mid|late)[ -]?{_MONTH}|(?:1[5-9]|20)\d\d"
            r"|(?:the\s+)?(?:spring|summer|autumn|winter)(?:\s+\d{4})?)$",
            re.IGNORECASE,
        ),
    ),
    ("in", re.compile(r"the (?:morning|afternoon|evening)s?\b", re.IGNORECASE)),
)


def when(value: str) -> str | None:
    """The value behind its preposition, as it follows a verb; None where no preposition is known to be right."""
    text = value.strip()
    if text.lower().startswith("day after "):
        return f"the {value}"
    for preposition, rule in _RULES:
        if rule.match(text):
            return f"{preposition} {value}".strip() if preposition else value
    return None


def all_when(values: tuple[str, ...]) -> list[str] | None:
    """Each value behind its preposition; None where one of them has none that is known."""
    found = [when(value) for value in values]
    known = [each for each in found if each is not None]
    return known if len(known) == len(values) else None
