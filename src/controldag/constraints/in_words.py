"""What a constraint asks for, in words that may follow “should”: `say “San Jose”`, `not say “pm”`."""

from __future__ import annotations

from controldag.constraints.algebra import All, Any_, Constraint, Not, Soft
from controldag.constraints.lexical import Phrase, Stages
from controldag.constraints.pattern import Pattern
from controldag.constraints.vocabulary import Vocabulary

_TIMES = {1: "", 2: " twice"}


def in_words(constraint: Constraint) -> str:
    """The demand for people who do not read code; `label` is its name for those who do."""
    match constraint:
        case Stages():
            return f"say {_stages(constraint)}"
        case Not(member=Stages(stages=stages)) if len(stages) > 1 and len(set(stages)) == 1:
            return f"say {_one_of(stages[0])} at most {'once' if len(stages) == 2 else f'{len(stages) - 1} times'}"
        case Not(member=member):
            return f"not {in_words(member)}"
        case Soft(member=member):
            return f"{in_words(member)}, if it can be"
        case Any_(members=members):
            return " or ".join(map(in_words, members))
        case All(members=members):
            return " and ".join(map(in_words, members))
        case Vocabulary():
            return "use only known words, and names and numbers of the input"
        case Pattern():
            return constraint.words or f"{'be' if constraint.full else 'hold'} a match of {constraint.regex}"
        case _:
            return f"satisfy {constraint.label}"


def _stages(constraint: Stages) -> str:
    stages = constraint.stages
    if len(set(stages)) == 1:
        return _one_of(stages[0]) + _TIMES.get(len(stages), f" {len(stages)} times")
    return ", then ".join(map(_one_of, stages))


def _one_of(stage: tuple[Phrase, ...]) -> str:
    return " or ".join(f"“{phrase.text}”" for phrase in stage)
