"""What an input demands of its text, by a checkpoint's settings: required phrases, allowed words, a good length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controldag.checkpoint.knowledge import Knowledge
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import Constraint, Length, all_of, conjuncts, contains, vocabulary
from controldag.constraints.algebra import All, Any_, Soft
from controldag.constraints.check import Checked, checked
from controldag.constraints.lexical import Stages
from controldag.data.full_input import words_of_name
from controldag.data.phrases import category_phrases, entities, hard_phrases, licensed_numbers, number_phrases
from controldag.data.records import Example
from controldag.data.schema_words import forms_of
from controldag.errors import InvalidInput
from controldag.generation.repetition import said_once
from controldag.generation.request import refuse_unspeakable
from controldag.surfaces import Surfaces, unspelled
from controldag.text.length import LengthModel

# Tokens that the words between required phrases take at least, in round numbers.
_WORDS_BETWEEN = 6


@dataclass(frozen=True, slots=True)
class Demands:
    """What one text must satisfy.

    phrases: those the input itself requires. categories: values that it requires in upper or lower case.
    lexical, allowed, extra: constraints on both, on words, and the user's.
    room_for: the phrases that the graph must have room for. keep: texts whose tokens every vertex must offer.
    spelling: once the tokenizer is known, the tokens of all of these that can be spelled.
    once: no phrase too often. bound_is_ours: the length's bound is the checkpoint's own. Both are its habits, not the
        user's wishes: they are given up where nothing else can be said.
    """

    phrases: tuple[str, ...]
    lexical: Constraint | None
    allowed: Constraint | None
    extra: Constraint | None
    room_for: tuple[str, ...]
    keep: tuple[str, ...]
    length: Length | None = None
    bound_is_ours: bool = False
    once: Constraint | None = None
    categories: tuple[str, ...] = ()
    spelling: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def constraint(self) -> Constraint | None:
        """All of them."""
        members = [member for each in (self.lexical, self.extra, self.allowed) for member in conjuncts(each)]
        return all_of(*members) if members else None

    def spelled_by(self, surfaces: Surfaces) -> Demands:
        """The same, with the tokens of its phrases."""
        texts = dict.fromkeys((*self.room_for, *self.keep))
        return replace(self, spelling={text: tuple(surfaces.spell(text)) for text in texts if surfaces.can_spell(text)})

    def tokens_of(self, phrase: str) -> tuple[int, ...]:
        """How the phrase is spelled; InvalidInput where it cannot be."""
        if phrase not in self.spelling:
            raise unspelled(phrase)
        return self.spelling[phrase]

    @property
    def needed(self) -> int:
        """How many tokens there must be room for."""
        return sum(len(self.spelling.get(phrase, ())) for phrase in self.room_for)

    @property
    def kept_tokens(self) -> tuple[tuple[int, ...], ...]:
        """The tokens that every vertex must offer, text by text."""
        return tuple(self.spelling[text] for text in self.keep if text in self.spelling)

    def refuse_unspelled(self) -> None:
        """InvalidInput where a phrase cannot be spelled: for decoders that promise to say it."""
        for phrase in self.room_for:
            self.tokens_of(phrase)


def verdicts(
    demands: Demands,
    asked: Length | None,
    text: str,
    length: int,
    *,
    tokens: tuple[int, ...] = (),
    known_words: bool = True,
) -> tuple[Checked, ...]:
    """What a finished text satisfies of all that was demanded, the length that a request asks for included.

    Required phrases and the user's constraints first, then that length, then the list of words.

    `known_words`: whether that list binds the text; it does not where words come from the schema.
    """
    wanted = [*conjuncts(demands.lexical), *conjuncts(demands.extra)]
    members = [*wanted, *(conjuncts(demands.allowed) if known_words else ())]
    found = checked(all_of(*members) if members else None, text, tokens)
    bounds: tuple[Checked, ...] = ()
    if asked is not None and asked.label:
        bounds = (Checked(asked.label, asked.allows(length), words=asked.in_words),)
    return (*found[: len(wanted)], *bounds, *found[len(wanted) :])


def demands_of(
    example: Example,
    extra: Constraint | None,
    settings: GenerationSettings,
    knowledge: Knowledge,
    pointed: Sequence[str] = (),
) -> Demands:
    """What the input, the user's `extra` constraint and the checkpoint's settings demand together.

    `pointed`: words of the schema that the model can point at, which are words of the input like its names.
    """
    phrases = required_phrases(example, settings, knowledge)
    options = {"ignore_case": settings.ignore_case, "whole_word": settings.whole_word, "own": settings.own_occurrence}
    categories = required_categories(example, settings, knowledge)
    members = [contains(phrase, **options) for phrase in phrases]
    members += (contains(value, **{**options, "ignore_case": True}) for value in categories)
    lexical = all_of(*members) if members else None
    wanted = tuple(phrases_of(extra))
    for phrase in wanted:
        refuse_unspeakable("phrase", phrase)
    names = entities(example)
    either_case = tuple(form for value in categories for form in (value, value.lower()))
    allowed = None
    if settings.vocabulary and knowledge.words is not None:
        sayable = dict.fromkeys((*names, *phrases, *map(str.strip, wanted), *_words_of_schema(example, pointed)))
        numbers = licensed_numbers(example) if settings.input_numbers else "any"
        whole = [name for name in sayable if name]
        allowed = vocabulary(knowledge.words, entities=whole, numbers=numbers, genitives=settings.genitives)
    offered = names if settings.offer_names else ()
    room_for = (*phrases, *categories, *wanted)
    keep = tuple(dict.fromkeys((*phrases, *either_case, *wanted, *offered)))
    often = phrases if settings.task == "acts" else names
    once = said_once(often, names, extra) if settings.say_once else None
    return Demands(phrases, lexical, allowed, extra, room_for, keep, once=once, categories=categories)


def _words_of_schema(example: Example, pointed: Sequence[str]) -> tuple[str, ...]:
    """The words that are pointed at, as texts may say them.

    Slots are nouns that a text may say in the plural; words of relations are said as they stand there.
    """
    if not example.triples:
        return tuple(forms_of(pointed))
    return tuple(word for triple in example.triples for word in words_of_name(triple.relation).split() if pointed)


def required_phrases(example: Example, settings: GenerationSettings, knowledge: Knowledge) -> tuple[str, ...]:
    """The phrases that the text must hold, without blanks at their ends: each as often as it must be said."""
    if settings.task == "acts":
        if knowledge.schema is None:
            raise InvalidInput.of("schema", "be given for acts", None, remedy="Name one with `schema`.")
        found: tuple[str, ...] = hard_phrases(example, knowledge.schema)
        if settings.say_numbers:
            found += number_phrases(example, knowledge.schema)
    elif settings.say_ends:
        found = entities(example)
    else:
        found = knowledge.rules.required(example) if knowledge.rules is not None else ()
    return tuple(phrase for phrase in map(str.strip, found) if phrase)


def required_categories(example: Example, settings: GenerationSettings, knowledge: Knowledge) -> tuple[str, ...]:
    """The values of categorical slots that the text must hold in upper or lower case, each once."""
    if settings.task != "acts" or not settings.say_categories or knowledge.schema is None:
        return ()
    return category_phrases(example, knowledge.schema)


def phrases_of(constraint: Constraint | None) -> Iterator[str]:
    """The phrases that a text may have to hold for this constraint; not those under a negation."""
    match constraint:
        case Stages():
            yield from (phrase.text for stage in constraint.stages for phrase in stage)
        case Soft():
            yield from phrases_of(constraint.member)
        case All() | Any_():
            for member in constraint.members:
                yield from phrases_of(member)
        case _:
            return


def good_length(
    settings: GenerationSettings, model: LengthModel | None, input_length: int, needed: int = 0
) -> Length | None:
    """The checkpoint's length for an input of so many tokens (`</s>` counted); None: any is as good.

    `needed`: the tokens of the required phrases. A length norm alone lets a costly phrase be paid for with filling: the
    cap bounds that, and leaves the phrases room.
    """
    target = None if model is None else model.predict(input_length)
    cap = settings.length_cap
    most = math.ceil(cap * max(target, needed + _WORDS_BETWEEN)) if cap and target is not None else None
    wanted = target if settings.length_strictness else None
    if wanted is None and most is None and not settings.normalisation:
        return None
    strictness = settings.length_strictness or 1.0
    return Length(target=wanted, strictness=strictness, maximum=most, normalisation=settings.normalisation)
