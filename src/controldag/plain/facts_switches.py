"""Facts whose object is yes or no: the relation itself is said or denied."""

from __future__ import annotations

from controldag.data.phrases import SWITCHES_OF_TRIPLES
from controldag.plain.english import base_form, is_plural, third_person, with_article
from controldag.plain.facts_adjectives import is_adjective
from controldag.plain.facts_frames import Fact, Form, Predicate, Role, Said, Statement
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_nouns import COUNT_NOUNS, MASS_NOUNS
from controldag.plain.facts_values import Kind, head_of
from controldag.plain.facts_verbs import MODALS, PREPOSITIONS, is_adverb, is_passive, is_third_person
from controldag.plain.lexicon import takes_article

# Things that a subject has or has not, said without an article.
_MASS = word_set(
    """
    parking wifi wi-fi bluetooth heating breakfast conditioning internet access seating delivery takeaway service
    storage nfc gps shipping entry admission insurance support memory power water staff
    """
)
# Nouns that say what a subject is, not what it has.
_CLASSES = word_set(
    "sport site city town country species member landmark monument mammal planet metal band company school"
)
# Roles of people: whether the subject has or is one, nothing tells.
_PEOPLE = word_set(
    "writer author director producer actor actress singer composer editor designer player coach manager captain teacher"
)
# What a thing does by itself: noise-cancelling.
_DOING = word_set("cancelling canceling cleaning closing locking saving drying folding")
_STATES = word_set("allowed included available required permitted accepted provided needed welcome")


def switched(fact: Fact) -> Said:
    """`is family-friendly`, `has no parking`; where the relation cannot be read so, the object is named as an entry.

    Yes, no, true and false steer the wording and need not be said; in quotation marks they stand in the text.
    """
    words = fact.relation.words
    positive = fact.value.kind is Kind.YES
    word = fact.value.bare
    steers = fact.value.text in SWITCHES_OF_TRIPLES
    said = None if fact.relation.remark else _polar(words, positive or (word == "false" and not steers))
    if said is None:
        return _stated(words, fact) or Role(f'value of "{" ".join(words)}"', fact.value.text, link="")
    if steers:
        return said
    return Statement(f"{fact.value.text}," if word in ("yes", "no") else f"it is {word} that", said)


def _stated(words: tuple[str, ...], fact: Fact) -> Role | None:
    """`For X, pets are not allowed`: a noun and what is so of it."""
    state = words[-1].lower()
    if len(words) < 2 or state not in _STATES or fact.value.text not in SWITCHES_OF_TRIPLES:
        return None
    noun = " ".join(words[:-1])
    verb = "are" if is_plural(noun) else "is"
    return Role(noun, state if fact.value.kind is Kind.YES else f"not {state}", verb=verb, link="", article="")


def _polar(words: tuple[str, ...], positive: bool) -> Predicate | None:
    """The relation as a predicate, denied where `positive` is not; None: it is no predicate."""
    first, rest, text = words[0], " ".join(words[1:]), " ".join(words)
    if words[-1].lower() in PREPOSITIONS:
        return None
    if first in ("is", "are", "was", "were") and rest:
        return _being("is" if first in ("is", "are") else "was", _described(rest), positive)
    if first in ("has", "have", "had") and rest:
        return _having(rest, positive)
    if first in ("does", "do") and rest:
        return _doing(words[1], " ".join(words[2:]), positive)
    if first in MODALS and rest:
        return (
            Predicate("cannot", rest) if first == "can" and not positive else Predicate(first, _denied(rest, positive))
        )
    if words[-1] in _STATES:
        return None
    if (first in PREPOSITIONS and len(words) in (2, 3)) or words[-1] in ("out", "up", "off"):
        return _being("is", text, positive)
    if is_adverb(first) and is_adjective(rest):
        return _being("is", text, positive)
    if is_passive(first) and len(words) == 2 and not is_plural(text) and words[1] not in PREPOSITIONS:
        return _being("is", with_article(text), positive)
    if is_adjective(first) and len(words) > 2 and words[1] in PREPOSITIONS:
        return _being("is", text, positive)
    if len(words) == 2 and words[-1] in _DOING:
        return _being("is", "-".join(words), positive)
    if words[-1].lower() in MASS_NOUNS and len(words) > 1:
        return _being("is", text, positive)
    if words[-1].lower() in _CLASSES:
        return _being("is", with_article(text), positive)
    if is_adjective(text) or (is_passive(words[-1]) and len(words) <= 2):
        return _being("is", text.replace(" friendly", "-friendly").replace(" free", "-free"), positive)
    if is_third_person(first) or (first.endswith("s") and is_adverb(words[-1])):
        return _doing(base_form(first), rest, positive)
    if words[-1].lower() in _PEOPLE:
        return None
    if len(words) > 2 and words[1] == "of" and words[0].lower() in _PEOPLE | {"head", "leader", "member", "winner"}:
        return _being("is", with_article(text), positive)
    described = len(words) == 2 and (is_adjective(first) or words[-1].endswith("ing"))
    known = (
        described
        or words[-1].lower() in _MASS
        or is_plural(text)
        or head_of(text) in COUNT_NOUNS
        or takes_article(head_of(text))
    )
    return _having(text, positive) if known or (len(words) == 2 and text.islower()) else None


def _denied(text: str, positive: bool) -> str:
    return text if positive else f"not {text}"


def _being(verb: str, text: str, positive: bool) -> Predicate:
    return Predicate(verb, _denied(text, positive), form=Form.OTHER)


def _doing(verb: str, rest: str, positive: bool) -> Predicate:
    if positive:
        return Predicate(third_person(verb), rest)
    return Predicate("does", f"not {verb} {rest}".strip())


def _having(noun: str, positive: bool) -> Predicate:
    if not positive:
        return Predicate("has", f"no {noun}")
    bare = noun.split()[-1].lower() in _MASS or is_plural(noun) or noun.endswith("ing")
    return Predicate("has", noun if bare else with_article(noun))


def _described(rest: str) -> str:
    """What stands behind `is`: adjectives as they are, nouns with an article."""
    counted = head_of(rest) in COUNT_NOUNS and not rest.startswith(("a ", "an ", "the "))
    return with_article(rest) if counted else rest
