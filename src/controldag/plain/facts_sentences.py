"""Sentences from the facts of one subject: predicates joined behind its name, roles joined in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controldag.plain.english import is_plural
from controldag.plain.facts_frames import Predicate, Role, Said, Statement
from controldag.plain.facts_joining import clauses_in_a_row, grouped, in_plural, joined_predicates, tidied
from controldag.plain.facts_kinds import FOOD, GROUP, PERSON, WORK, takes_definite
from controldag.plain.facts_the import takes_the
from controldag.plain.facts_values import Value, listed
from controldag.plain.facts_words import Relation

# Entries of a table and roles in a sentence: more are hard to follow.
_MOST_ENTRIES = 4
_MOST_ROLES = 3
# Characters after which a sentence takes no further fact.
_LONG = 180
_ENDS = (".", "!", "?", "…")


@dataclass(frozen=True, slots=True)
class Topic:
    """What the sentences are about: a subject, what it is, and the other subjects of the input."""

    subject: str
    kind: str
    others: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The subject behind the article it takes."""
        definite = takes_the(self.subject) or (self.kind != FOOD and takes_definite(self.subject))
        return f"the {self.subject}" if definite else self.subject

    @property
    def is_plural(self) -> bool:
        """Whether verbs must agree with a plural: `red pandas`."""
        band = self.kind == GROUP and self.subject.startswith("The ")
        common = self.subject.split()[-1].islower()
        return (band or (common and self.kind != WORK)) and is_plural(self.subject) and " of " not in self.subject

    def may_be_it(self, said: Sequence[str]) -> bool:
        """Whether `it` can only mean the subject: surely a thing, and no other subject was named beside it."""
        if self.kind in ("", PERSON) or self.is_plural:
            return False
        return not any(other in text for other in self.others for text in said)


def about(topic: Topic, facts: Sequence[Said]) -> list[str]:
    """The sentences that say all facts of a subject."""
    if topic.is_plural:
        facts = [in_plural(fact) for fact in facts]
    predicates = tidied([fact for fact in facts if isinstance(fact, Predicate)])
    roles = [fact for fact in facts if isinstance(fact, Role)]
    texts: list[str] = []
    for group in grouped(predicates):
        name = "it" if texts and topic.may_be_it(texts) else topic.name
        texts.append(f"{name} {joined_predicates(group)}")
    for roles_together in _grouped_roles(roles, topic.others):
        texts.append(_joined_roles(topic, roles_together, bool(texts) and topic.may_be_it(texts)))
    texts += [f"{fact.opening} {topic.name} {fact.predicate.text}" for fact in facts if isinstance(fact, Statement)]
    return [finished(text, topic.subject) for text in texts]


def _grouped_roles(roles: Sequence[Role], others: frozenset[str]) -> Iterator[list[Role]]:
    """Roles that may stand in one sentence: an object that is itself a subject ends it."""
    group: list[Role] = []
    for each in roles:
        if group and not _may_follow(each, group, others):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _may_follow(role: Role, group: Sequence[Role], others: frozenset[str]) -> bool:
    length = sum(len(other.value) + len(other.noun) for other in group) + len(role.value)
    return (
        len(group) < _MOST_ROLES
        and length <= _LONG
        and not any(other.value.removeprefix("the ") in others for other in group)
        and role.link == group[0].link != "by"
    )


def _joined_roles(topic: Topic, group: Sequence[Role], as_its: bool) -> str:
    """`The home team of X is A, the away team is B`; `its` instead of the first article where that is clear."""
    first = group[0]
    clauses = [f"{each.article} {each.noun} {each.verb} {each.value}".strip() for each in group]
    if as_its and first.link == "of" and all(each.article in ("the", "one of the") for each in group):
        clauses[0] = f"{first.article[:-3]}its {first.noun} {first.verb} {first.value}"
        return clauses_in_a_row(clauses)
    if not first.link:
        return f"for {topic.name}, {clauses_in_a_row(clauses)}"
    clauses[0] = f"{first.article} {first.noun} {first.link} {topic.name} {first.verb} {first.value}"
    return clauses_in_a_row(clauses)


def about_table(facts: Sequence[tuple[Relation, Value]]) -> list[str]:
    """What stands in a table itself: its title, and entries that belong to no row of their own."""
    titles = [value.text for relation, value in facts if relation.is_table_title]
    entries = [(relation, value) for relation, value in facts if not relation.is_table_title]
    if not entries:
        return [finished(f"the table is about {listed(titles)}")]
    table = "the table" if not titles else f"the table on {listed(titles)}"
    listings = [f"the {relation.phrase} {value.text}" for relation, value in entries]
    groups = [listings[at : at + _MOST_ENTRIES] for at in range(0, len(listings), _MOST_ENTRIES)]
    return [
        finished(f"{table if index == 0 else 'the table also'} lists {listed(group)}")
        for index, group in enumerate(groups)
    ]


def finished(text: str, subject: str = "") -> str:
    """The text as a sentence; a subject like `iPhone` keeps its small letter, and so do letters without a capital."""
    own_capitals = bool(subject) and text.startswith(subject) and subject[1:2].isupper()
    first = text[0].upper()
    if not own_capitals and len(first) == 1 and first.lower() == text[0].lower():
        text = first + text[1:]
    return text if text.rstrip("\"'”’)]").endswith(_ENDS) else f"{text}."
