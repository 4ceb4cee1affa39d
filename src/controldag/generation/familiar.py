"""What a model may be trusted with: how far its texts must pass the verifier's bar, by how familiar the input is.

All of it is decided here, so that a model that reads schemas in words can be given other bars.
"""

from __future__ import annotations

import math
from enum import Enum

from controldag.checkpoint.knowledge import Knowledge
from controldag.data.records import Example
from controldag.data.service_words import kinship
from controldag.data.templates import Templates
from controldag.generation.odd_input import odd_acts

SEARCHED_FROM = 0.32
"""A service of which no learnt one has this share of its words is said plainly, without a search (docs/decisions/0032).

0: every service is searched.
"""


class Familiarity(Enum):
    """How well a model knows what an input is about.

    bar: how much surer than its own bar the verifier must be of a graph's text. In blind readings 7 % of such texts
    were wrong on services that the model had learnt from, 41 to 90 % on others: the same evidence is worth less there.
    searched: whether the graph is asked first; else the input is said plainly at once, and the graph is searched only
    for lists, and where the user's constraints leave no plain sentence.
    """

    LEARNT = (0.0, True)
    LEARNT_RELATIONS = (0.75, True)
    KIN = (1.85, True)
    UNTOLD = (2.5, True)  # the checkpoint does not say what it has learnt
    STRANGE = (2.5, False)
    UNKNOWN_ACT = (math.inf, False)  # neither the model nor the verifier has met it

    def __init__(self, bar: float, searched: bool) -> None:
        self.bar = bar
        self.searched = searched


def familiarity(example: Example, knowledge: Knowledge, templates: Templates | None = None) -> Familiarity:
    """How well a model with this knowledge knows the example; takes no forward pass."""
    if example.triples and knowledge.learnt:
        known = all(triple.relation in knowledge.learnt for triple in example.triples)
        return Familiarity.LEARNT_RELATIONS if known else Familiarity.STRANGE
    if example.triples:
        return Familiarity.UNTOLD
    if odd_acts(example, knowledge, templates):
        return Familiarity.UNKNOWN_ACT
    if example.service in knowledge.learnt:
        return Familiarity.LEARNT
    if not knowledge.learnt:
        return Familiarity.UNTOLD
    service = knowledge.schema.services.get(example.service) if knowledge.schema is not None else None
    if service is None:
        return Familiarity.STRANGE
    return Familiarity.KIN if kinship(service, knowledge.learnt_words) >= SEARCHED_FROM else Familiarity.STRANGE
