"""What kind of thing a value is, by its spelling alone: a price is said in other places than a street."""

from __future__ import annotations

import re

KINDS = ("name", "number", "money", "time", "date", "phone", "numbered name")
"""Rules that read like the values of dialogues and tables, and parse none of them; the last is most often a street."""

_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
# A date or a time is a few words; a longer text that holds one is the name of something.
_LONGEST = 4
_WITHIN = (
    ("money", re.compile(r"[$£€]\s?\d")),
    ("time", re.compile(r"\d\s?[ap]\.?m\b|\b\d{1,2}:\d\d\b|\bo'clock\b|\bhalf past\b|\bquarter (?:to|past)\b")),
    (
        "date",
        re.compile(rf"\b{_MONTH}\.? {_DAY}\b|\b{_DAY}(?: of)? {_MONTH}\b|\b(?:today|tomorrow)\b|^next {_WEEKDAY}$"),
    ),
)
_WHOLE = (
    ("time", re.compile(r"(?:(?:this|in the|early|late) )?(?:morning|noon|afternoon|evening|night|midnight)")),
    (
        "date",
        re.compile(r"(?:the )?\d{1,2}(?:st|nd|rd|th)(?: of this month)?|\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?"),
    ),
    ("date", re.compile(rf"(?:(?:this|on|coming) )*{_WEEKDAY}(?: (?:next|this) week)?")),
    ("number", re.compile(r"[-+]?\d[\d,.]*(?: ?%| percent| out of \d+)?")),
    ("phone", re.compile(r"\+?[\d() .-]{7,}")),
    ("numbered name", re.compile(r"#?\d+[\w/&-]*\s.*", re.DOTALL)),
)


def kind_of(value: str) -> str:
    """One of `KINDS`."""
    plain = value.strip().strip("\"'").lower()
    if len(plain.split()) <= _LONGEST:
        for kind, rule in _WITHIN:
            if rule.search(plain):
                return kind
    return next((kind for kind, rule in _WHOLE if rule.fullmatch(plain)), KINDS[0])
