"""Exact-occurrence error rate of triples, and how many of all subjects and objects are said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controldag.data.occurrence import OccurrenceRules
from controldag.data.records import Example
from controldag.metrics.measure import Measure, percentage
from controldag.metrics.pairing import check_one_each

_MARKERS = ("[TABLECONTEXT]", "[TITLE]")
_SWITCHES = frozenset({"yes", "no"})


def occurrence_measures(examples: Sequence[Example], texts: Sequence[str], rules: OccurrenceRules) -> list[Measure]:
    """`eor` over all texts and `eor_constrained` over those whose input a rule speaks about; case ignored."""
    check_one_each("texts", texts, examples)
    required = [rules.required(example) for example in examples]
    wrong = [
        any(phrase.lower() not in text.lower() for phrase in phrases)
        for phrases, text in zip(required, texts, strict=True)
    ]
    settings = f"rules:{len(rules)}, support {rules.minimum_support} or more|case:ignored|substring"
    return [
        percentage("eor", f"{settings}|over all texts", wrong),
        percentage("eor_constrained", f"{settings}|over those with a rule", wrong, [bool(each) for each in required]),
    ]


def ends_said(examples: Sequence[Example], texts: Sequence[str]) -> Measure:
    """`ends_said`: percentage of all subjects and objects that are in their text, case ignored."""
    check_one_each("texts", texts, examples)
    wanted = [set(_ends(example)) for example in examples]
    said = [sum(end in text.lower() for end in ends) for ends, text in zip(wanted, texts, strict=True)]
    signature = "different subjects and objects without table markers, yes and no|case:ignored|substring"
    return percentage("ends_said", signature, said, [len(ends) for ends in wanted], lower_is_better=False)


def _ends(example: Example) -> Iterator[str]:
    for triple in example.triples:
        for value in (triple.subject, triple.object):
            if value and not value.startswith(_MARKERS) and value not in _SWITCHES:
                yield value.replace("_", " ").lower()
