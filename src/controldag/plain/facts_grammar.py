"""A predicate or role for any relation: verbs, participles, adjectives and prepositions are told from nouns."""

from __future__ import annotations

import re

from controldag.plain.english import base_form, counted, is_plural, past, third_person, with_article
from controldag.plain.facts_adjectives import is_adjective, is_demonym
from controldag.plain.facts_frames import Fact, Form, Predicate, Role, Said
from controldag.plain.facts_happenings import by_participle
from controldag.plain.facts_lists import word_set
from controldag.plain.facts_noun_relations import SIGNS, noun_relation
from controldag.plain.facts_nouns import COUNT_NOUNS
from controldag.plain.facts_values import Kind, Value, as_time, is_common
from controldag.plain.facts_verbs import (
    BEHIND_PARTICIPLES,
    BY_SUBJECT,
    INTRANSITIVE,
    MODALS,
    PLACE_PREPOSITIONS,
    PREPOSITIONS,
    PURE_VERBS,
    SHORT_PARTICIPLES,
    STATIVE,
    VERBS,
    is_adverb,
    is_passive,
    is_past,
    is_third_person,
    is_verb_before,
)
from controldag.plain.lexicon import takes_article

_BE = {"is": "is", "are": "is", "was": "was", "were": "was", "be": "is"}
_HAVE = {"has": "has", "have": "has", "had": "had"}
_ARTICLES = ("a", "an", "the")
# Nouns before `of` that only one thing can be: the capital of, but a member of.
_UNIQUE = word_set(
    """
    capital author founder ceo director president king queen father mother husband wife birthplace home mayor
    captain leader head headquarters inventor creator owner winner seat mouth source centre center site son
    daughter chairman chairperson discoverer composer designer successor predecessor opposite result subject host
    governor editor
    """
)
_ONLY = word_set("national official first last only main capital current largest oldest")
_NO_ARTICLE = word_set("part parts north south east west northeast northwest southeast southwest")
# Nouns that a further noun may follow behind `of`: member of military unit.
# Nouns that a subject is, not has, before other prepositions: a participant in, but has a view on.
_SOMEONE = re.compile(
    r"(?:er|or|ist|ian|ee|pant|dant|ident|ate)$|^(?:vaccine|heir|enclave|gateway|alternative|tribute|sequel|prequel|key|rival|"
    r"member|treatment|remedy|cure|reaction|response|synonym|antonym|symbol|substitute|host|guest|witness|hero|cousin)$"
)
# Adjectives before `of`; others are nouns there: the opposite of.
_WITH_OF = word_set("afraid aware capable full fond proud jealous guilty tired scared independent")
_ADJECTIVE_ENDS = ("ive", "ent", "ant", "al", "ful", "ous", "able", "ible", "ar")
_FORMERLY = word_set("originally formerly previously initially once")
_BELONGING = word_set("member citizen resident part instance")
# Past forms that stand in STATIVE for their passive, and take an object all the same: led, held.
_ALSO_ACTIVE = word_set("led made held sold played found caused supported sponsored owned managed")


# Past forms with a noun behind them that are no adjectives: won medal, but supported platform.
_ACHIEVED = word_set("won received wrote attended earned achieved gained scored")
# Verbs that a time follows: departs at 23:10.
_AT_TIMES = word_set(
    "departs arrives opens closes starts begins ends leaves lands launches airs expires meets runs finishes"
)
# Verbs that ask the reader: what they stand for is named, not done by the subject.
_REQUESTS = word_set("bring avoid try remember see")
# What doors do at a time: `doors open`.
_OPENING = word_set("open close start begin end")
_SURELY_ADJECTIVES = ("able", "ible", "ful", "ous", "less")
_OPENINGS = word_set("opens closes starts begins ends")
# Verbs whose object is a thing that is counted: features a duck pond, but eats fish.
_WITH_THINGS = word_set(
    "features includes uses requires needs offers owns carries houses wears has wants buys rides drives"
)


def grammatical(fact: Fact) -> Said:
    """How a relation of no table is said."""
    words = fact.relation.words
    first = words[0].lower()
    said: Said | None
    if not _is_readable(words):
        return Role(f'value of "{fact.relation.phrase}"', fact.value.text, link="")
    if first in _BE and len(words) > 1:
        said = _be(_BE[first], words[1:], fact.value)
    elif first in _HAVE and len(words) > 1:
        said = _have(fact, _HAVE[first], words[1:])
    elif len(words) == 1 and _is_bare_verb(first, fact.subject):
        said = Predicate(first if first == "beat" else third_person(first), fact.value.named)
    elif _is_quality(words) and fact.value.text.islower():
        said = Role(f'value of "{first}"', fact.value.text, link="")
    elif first in MODALS:
        said = Predicate(words[0], _tail(words[1:], fact.value))
    elif words[-1].lower() in PREPOSITIONS:
        said = _before_preposition(words, fact.value)
    else:
        said = _around_preposition(words, fact.value) or _verbal(words, fact.value)
    return said if said is not None else noun_relation(fact)


def _is_quality(words: tuple[str, ...]) -> bool:
    """Whether the name is an adjective alone: `habitable`."""
    return len(words) == 1 and words[0].endswith(_SURELY_ADJECTIVES) and words[0] not in COUNT_NOUNS


def _is_readable(words: tuple[str, ...]) -> bool:
    """Whether a name is more than signs, and no sentence of its own (`bridge carries`, `statement is subject of`)."""
    low = [word.lower() for word in words]
    if not any(letter.isalnum() for word in low for letter in word) or any(word in _BE for word in low[1:]):
        return False
    if len(low) == 1 and low[0] in _REQUESTS:
        return False
    return len(low) == 1 or not is_third_person(words[-1]) or low[-1][:-1] in COUNT_NOUNS or low[-1] in _OPENINGS


def _is_bare_verb(word: str, subject: str) -> bool:
    """Whether a base form alone is a verb: `eat`, behind a plural also `use`."""
    return word in PURE_VERBS or word == "beat" or (word in VERBS and subject.islower() and is_plural(subject))


def _tail(words: tuple[str, ...], value: Value) -> str:
    """The words, then the object, behind a preposition where it is a time and the words end without one."""
    text = " ".join(words)
    when = as_time(value)
    if words and words[-1].lower() == "as":
        return f"{text} {value.with_articles}"
    if words and words[-1].lower() not in PREPOSITIONS and when.kind is Kind.TIME:
        return f"{text} {when.when}"
    return f"{text} {value.named}".strip()


def _core(words: tuple[str, ...]) -> int:
    """Where the first word stands that is no adverb."""
    return next((index for index, word in enumerate(words) if not is_adverb(word)), 0)


def _be(verb: str, words: tuple[str, ...], value: Value) -> Said | None:
    """Names with `is` or `was`: `is part of`, `was a crew member of`, `isCitizenOf`, `is peer reviewed`."""
    first, last = words[0].lower(), words[-1].lower()
    if first == "no" and words[1:2] == ("longer",) and len(words) > 2:
        # An adverb of two words: `is no longer classified as`.
        still = _be(verb, words[2:], value)
        return Predicate(verb, f"no longer {still.behind}") if isinstance(still, Predicate) else None
    core = words[_core(words)].lower()
    describes = first in _ARTICLES or first == "not" or is_passive(core) or is_adjective(core) or first in PREPOSITIONS
    if last in PREPOSITIONS:
        # Fluent in, eligible for: what no list holds, and is no noun.
        describes = describes or (len(words) == 2 and last != "of" and _is_state(core))
        thing = value.with_articles if last == "as" else value.named
        return Predicate(verb, f"{' '.join(words) if describes else _with_article(words)} {thing}")
    if not describes and core not in _BELONGING:
        return None
    if words == ("not",):
        return Predicate(verb, f"not {value.with_articles}")
    if len(words) == 1 and is_passive(core):
        # `was elected treasurer` and `year elected` share their verb.
        return Predicate(verb, _tail(words, value).removeprefix(f"{words[0]} "), words[0])
    if as_time(value).kind is Kind.TIME or len(words) == 1:
        return Predicate(verb, _tail(words, value))
    inner = _around_preposition(words, value)
    return Predicate(verb, inner.rest, inner.stem) if isinstance(inner, Predicate) else None


def _is_state(word: str) -> bool:
    """Whether the word looks like an adjective: `fluent`, `eligible`."""
    return word.endswith(_ADJECTIVE_ENDS) and word not in COUNT_NOUNS and not takes_article(word)


def _with_article(words: tuple[str, ...]) -> str:
    """`a member of`, `the capital of`, `part of`: a noun with its preposition behind the right article."""
    text = " ".join(words)
    border = next((index for index, word in enumerate(words) if word.lower() in PREPOSITIONS), len(words))
    head = words[border - 1].lower() if border else ""
    if head in _NO_ARTICLE or is_plural(head) or words[0].lower() in _ARTICLES:
        return text
    alone = head in _UNIQUE or words[0].lower() in _ONLY or words[0].lower().endswith("est")
    return f"the {text}" if alone and words[border].lower() == "of" else with_article(text)


def _have(fact: Fact, verb: str, words: tuple[str, ...]) -> Said | None:
    """Names with `has`: `has won`, `has to its north`, `has nickname`, `has cause`."""
    first = words[0].lower()
    text = " ".join(words)
    if is_passive(first) and (len(words) == 1 or words[-1].lower() in PREPOSITIONS):
        return Predicate(verb, _tail(words, fact.value))
    if first in PREPOSITIONS:
        return Predicate(verb, f"{fact.value.named} {text}")
    if words[-1].lower() in SIGNS:
        return Predicate(verb, f"the {text} {fact.value.text}")
    said = noun_relation(fact, words)
    if isinstance(said, Role) and said.article == "the" and said.verb == "is" and said.link == "of":
        return Role(said.noun, said.value, article=with_article(said.noun).split()[0])
    return said


def _before_preposition(words: tuple[str, ...], value: Value) -> Said | None:
    """Names that end with a preposition: `native to`, `built in`, `works at`, `student of`, `music by`."""
    if len(words) == 1:
        return _preposition_alone(words[0], value)
    return _since(words, value) or _verb_before_preposition(words, value) or _other_before_preposition(words, value)


def _since(words: tuple[str, ...], value: Value) -> Said | None:
    """`has been a member since 2003`, `has been married since 1998`."""
    core = words[0].lower()
    if core == "born":
        return Predicate("was", f"{' '.join(words)} {value.named}")
    if words[-1].lower() != "since" or len(words) < 2 or core in VERBS or is_third_person(words[0]):
        return None
    state = " ".join(words[:-1])
    alone = is_passive(core) or is_adjective(core) or is_plural(state)
    return Predicate("has", f"been {state if alone else with_article(state)} since {value.text}")


def _verb_before_preposition(words: tuple[str, ...], value: Value) -> Said | None:
    """`works at`, `premiered at`, `compete in`, `built in`, `designed by`."""
    at = _core(words)
    core, last = words[at].lower(), words[-1].lower()
    following = words[at + 1].lower() if at + 1 < len(words) else ""
    front, back = " ".join(words[: at + 1]), " ".join(words[at + 1 :])
    when = as_time(value)
    if core == "closed" and when.kind is Kind.TIME and not when.has_year:
        return Predicate("is", f"{back} {value.text}", front)
    if last == "than":
        return Predicate("is", f"{' '.join(words)} {value.named}")
    passive = (core in ("served", "played") and last in ("with", "on", "at")) or (core, last) == ("fought", "between")
    passive = passive or (core == "served" and is_common(value.text)) or (core == "taught" and is_demonym(value.text))
    active = (core in INTRANSITIVE or (core, last) == ("recorded", "for")) and last != "by" and not passive
    if (
        active
        or is_third_person(words[at])
        or (at + 2 == len(words) and value.kind is not Kind.NUMBER and is_verb_before(core, last))
    ):
        return Predicate(words[0], _tail(words[1:], value))
    bare = core in VERBS and core not in SHORT_PARTICIPLES and not is_passive(core) and not is_adjective(core)
    if at == 0 and bare and following in PREPOSITIONS:
        happened = when.has_year and not when.is_to_come
        return Predicate(past(core) if happened else third_person(core), _tail(words[1:], value))
    short = core in SHORT_PARTICIPLES and following in BEHIND_PARTICIPLES
    if short or (is_passive(core) and (following in PREPOSITIONS | {"out", "up", "off"} or last == "by")):
        thing = value.with_articles if last in ("with", "as") or core == "served" else value.named
        tense = "was" if words[0].lower() in _FORMERLY else _tense(core, last, value)
        return Predicate(tense, f"{back} {thing}", front)
    return None


def _other_before_preposition(words: tuple[str, ...], value: Value) -> Said | None:
    """`native to`, `on display at`, `music by`, `student of`."""
    core, following, last = words[0].lower(), words[1].lower(), words[-1].lower()
    text = " ".join(words)
    listed = is_adjective(core) and (following != "of" or core in _WITH_OF)
    adjective = listed or (last in ("with", "to") and core.endswith(_ADJECTIVE_ENDS))
    if following in PREPOSITIONS and adjective:
        return Predicate("is", f"{text} {value.named}")
    if core in PREPOSITIONS:
        return Predicate("is", f"{text} {value.named}") if len(words) > 2 else None
    if any(map(is_passive, words[:-1])) or last == "as" or value.kind is Kind.NUMBER:
        return None
    if last in ("by", "at") or is_plural(words[-2]):
        return Predicate("has", f"{text} {value.named}")
    border = next(index for index, word in enumerate(words) if word.lower() in PREPOSITIONS)
    someone = words[border].lower() == "of" or _SOMEONE.search(words[border - 1].lower())
    return Predicate("is" if someone else "has", f"{_with_article(words)} {value.named}")


def _preposition_alone(preposition: str, value: Value) -> Said | None:
    """`near`, `in`: only where what follows is no number or time (`from 1959` may be anything)."""
    if value.kind is not Kind.TEXT:
        return None
    if preposition in PLACE_PREPOSITIONS or preposition == "from":
        return Predicate("is", f"{preposition} {value.named}", form=Form.PLACE)
    return (
        Predicate("is", f"{preposition} {value.named}")
        if preposition in ("about", "for", "by", "like", "with")
        else None
    )


def _around_preposition(words: tuple[str, ...], value: Value) -> Said | None:
    """Names with a noun behind their preposition: `located in protected area`, `member of military unit`."""
    at = _core(words)
    core = words[at].lower()
    border = next((index for index in range(len(words) - 1, 0, -1) if words[index].lower() in PREPOSITIONS), 0)
    if (
        border == 0
        or at + 1 > border
        or words[at + 1].lower() not in PREPOSITIONS
        or value.kind in (Kind.NUMBER, Kind.MEASURE)
    ):
        return None
    infinitive = words[border].lower() == "to" and (words[border + 1].lower() in VERBS or words[border + 1] == "be")
    if infinitive and is_third_person(words[at]):
        return Predicate(words[0], f"{' '.join(words[1:])} {value.with_articles}")
    article = "" if infinitive or words[border + 1].lower() in _ARTICLES else "the "
    rest = f"{' '.join(words[at + 1 : border + 1])} {article}{' '.join(words[border + 1 :])} {value.text}"
    front = " ".join(words[: at + 1])
    if is_third_person(words[at]) or (core in INTRANSITIVE and at == 0):
        return Predicate(words[0], f"{' '.join(words[1 : at + 1])} {rest}".strip())
    if is_passive(core):
        if as_time(value).kind is Kind.TIME:
            return Predicate("was", _tail(words[at + 1 :], value), front)
        return Predicate(_tense(core, words[at + 1].lower(), value), rest, front)
    if is_adjective(core):
        return Predicate("is", f"{front} {rest}")
    return (
        Predicate("is", f"{_with_article((*words[: at + 1], 'of')).removesuffix(' of')} {rest}")
        if core in _BELONGING
        else None
    )


def _tense(participle: str, preposition: str, value: Value) -> str:
    """`is` for what lasts, `was` for what happened: a time with a year, or a verb of making."""
    when = as_time(value)
    if when.kind is Kind.TIME:
        return "was" if (when.has_year or participle not in STATIVE) and not when.is_to_come else "is"
    if participle == "written":
        return "is" if preposition == "in" else "was"
    return "is" if participle in STATIVE else "was"


def _verbal(words: tuple[str, ...], value: Value) -> Said | None:
    """Names that begin with a verb and end without a preposition: `contains`, `ENDED`, `took office`, `first aired`."""
    at = _core(words)
    core = words[at].lower()
    is_time = as_time(value).kind is Kind.TIME
    happened = by_participle(words, value)
    if happened is not None:
        return happened
    if len(words) == at + 1 and (is_passive(core) or is_past(core)):
        return _past(words, value)
    if (
        is_time
        and len(words) > 1
        and core in ("took", "left", "entered", "assumed", "began", "joined", "ended", "started")
    ):
        return Predicate(words[0], _tail(words[1:], value))
    if is_time and len(words) > 1 and words[-1].lower() in INTRANSITIVE and not is_passive(core):
        return Role(" ".join(words[:-1]), as_time(value).when, verb=words[-1], link="")
    if is_time and len(words) > 1 and words[-1].lower() in (_OPENING if is_plural(words[-2]) else _OPENINGS):
        return Role(" ".join(words[:-1]), as_time(value).when, verb=words[-1], link="")
    if at and core.endswith("ing") and base_form(core) in VERBS:
        return Predicate("is", _tail(words, value))
    alone = len(words) == 1 and core not in ("serves", "sleeps", "holds", "weighs", "costs")
    counts = value.kind is Kind.NUMBER and (alone or (len(words) > 1 and words[1].lower() in PREPOSITIONS))
    if is_third_person(words[at]) and not counts:
        return _third_person(words, value)
    if at == 0 and len(words) > 1 and core in _ACHIEVED and value.kind is Kind.TEXT:
        return Predicate(words[0], f"the {' '.join(words[1:])} {value.text}")
    if len(words) > 1 and is_passive(words[-1]) and not any(map(is_passive, words[:-1])):
        if words[-1].lower() in BY_SUBJECT and value.kind is Kind.NUMBER and is_plural(words[-2]):
            return Predicate("has", f"{words[-1]} {counted(value.text, ' '.join(words[:-1]))}")
        several = is_plural(words[-2]) and (not value.single or value.kind is not Kind.TEXT)
        article = "one of the" if is_plural(words[-2]) and value.single and value.kind is Kind.TEXT else "the"
        link = "by" if words[-1].lower() in BY_SUBJECT else ""
        return Role(" ".join(words), value.named, verb="are" if several else "is", link=link, article=article)
    return None


def _past(words: tuple[str, ...], value: Value) -> Said | None:
    """A past form alone: `was commissioned in 1937`, `joined in 1981`, `ended the war`, `won 8`."""
    core, said = words[-1].lower(), " ".join(words)
    when = as_time(value)
    if when.is_to_come:
        return Role(f'value of "{said}"', value.text, link="")
    if core == "closed" and when.kind is Kind.TIME and not when.has_year:
        return Predicate("is", when.when, said)
    if when.kind is Kind.TIME:
        active = core in INTRANSITIVE or not is_passive(core)
        return Predicate("", when.when, said) if active else Predicate("was", when.when, said)
    if core in ("considered", "deemed"):
        return Predicate("was" if words[0].lower() in _FORMERLY else "is", value.with_articles, said)
    if core in ("called", "named") or (value.text.islower() and value.text.endswith("ly")):
        return Predicate("is", value.text, core)
    if is_past(core) and (core not in STATIVE or core in _ALSO_ACTIVE):
        return Predicate(words[0], " ".join((*words[1:], value.named)))
    return None


def _third_person(words: tuple[str, ...], value: Value) -> Said:
    """`contains rice`, `supports the programming language Python`."""
    if len(words) == 1 and words[0].lower() in _AT_TIMES and as_time(value).kind is Kind.TIME:
        return Predicate(words[0], as_time(value).when)
    if len(words) == 1 or words[-1].lower() in ("out", "up", "off"):
        thing = value.with_articles if words[0].lower() in _WITH_THINGS else value.named
        return Predicate(words[0], " ".join((*words[1:], thing)))
    border = next((index for index in range(len(words) - 2, 1, -1) if words[index].lower() in PREPOSITIONS), 0)
    if border and value.kind is Kind.TEXT:
        front, back = " ".join(words[1 : border + 1]), " ".join(words[border + 1 :])
        return Predicate(words[0], f"{front} the {back} {value.text}")
    noun = " ".join(words[1:])
    if value.kind is Kind.MEASURE:
        return Predicate(words[0], f"{value.text} of {noun}")
    if value.kind is Kind.TEXT and not is_plural(noun):
        return Predicate(words[0], f"the {noun} {value.text}")
    return Predicate(words[0], f"{value.text} {noun}" if value.kind is Kind.NUMBER else f"{noun} {value.named}")
