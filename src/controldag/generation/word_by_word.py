"""Autoregressive decoders: which tokens a text must hold, and its tokens as a hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from controldag.constraints import conjuncts
from controldag.constraints.lexical import Phrase, Stages
from controldag.generation.demands import Demands
from controldag.generation.result import NothingFound
from controldag.search.result import Hypothesis
from controldag.surfaces import Surfaces
from controldag.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from controldag.model.twin.steps import TokenOutput

# Tokens of an output, at most, beside those of its required phrases.
LONGEST = 128


@dataclass(frozen=True, slots=True)
class WordByWord:
    """Whether there are several hypotheses (as many as the settings say), and the required phrases are forced."""

    several: bool = False
    forced: bool = False


def forced_tokens(demands: Demands, tokenizer: Tokenizer) -> list[list[list[int]]]:
    """For each phrase that must be said, its spellings in tokens: any of them will do.

    The input's phrases, and those of the user's constraint that stand in its conjunction; case is as given, and one
    occurrence may serve two phrases. What else is demanded is left to chance, and the check of the text tells.
    """
    wanted = [[phrase] for phrase in dict.fromkeys(demands.phrases)]
    wanted += ([value, value.lower()] for value in demands.categories)
    wanted += ([phrase.text for phrase in stage] for stage in _stages(demands))
    return [[tokens for phrase in group for tokens in _spellings(phrase, demands, tokenizer)] for group in wanted]


def said(name: str, tokens: TokenOutput, surfaces: Surfaces) -> Hypothesis:
    """The text of an output; NothingFound where it is empty. The objective is the cost of a token."""
    text = b"".join(surfaces.pieces[token] or b"" for token in tokens.tokens).removeprefix(b" ")
    if not text.strip():
        raise NothingFound(f"{name} found no text.", remedy="Use control-dag, which finds one if there is one.")
    cost = -tokens.log_probability
    length = len(tokens.tokens) + 1
    return Hypothesis(text.decode(errors="replace"), tuple(tokens.tokens), (), cost, cost / length)


def _stages(demands: Demands) -> Iterator[Sequence[Phrase]]:
    for member in conjuncts(demands.extra):
        if isinstance(member, Stages):
            yield from member.stages


def _spellings(phrase: str, demands: Demands, tokenizer: Tokenizer) -> list[list[int]]:
    """As the tokenizer cuts it, which is how the model learnt it, and with the fewest tokens (a value's own mark)."""
    own = tokenizer.encode(phrase)
    fewest = list(demands.tokens_of(phrase))
    return [fewest] if own == fewest or tokenizer.has_unknown(own) else [fewest, own]
