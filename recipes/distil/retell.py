"""Sequence-level knowledge distillation: the autoregressive twin's words as targets of the training inputs.

People say the same facts in many ways, some of them with facts that are not in the input; a twin that has read them
all says each input in one way. A graph that chooses its words independently learns that more easily (Kim and Rush 2016;
Gu et al. 2018). Everything still comes from `train`: the twin, and the inputs it tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from controldag.errors import InvalidInput
from controldag.model.twin.predict import Saying, Speaker
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.training.corpus import Corpus, Pairs, Ragged

LONGEST = 128
"""Tokens of a text, at most."""
_ROWS = 256  # sources in a batch

Progress = Callable[[int], None]  # called with how many inputs are told


@dataclass(frozen=True, slots=True)
class Told:
    """What became of the inputs: the twin's words for it, people's words where it left out a value, or neither."""

    corpus: Corpus
    by_twin: int
    by_people: int
    left_out: int


def told(corpus: Corpus, twin: Speaker, name: str, how: Saying, progress: Progress | None = None) -> Told:
    """The corpus with the twin's words for every training input.

    Where its text lacks a value mark of the input, or never ends, the references of the input stay; an input without
    any is left out.
    """
    prepared, train = corpus.prepared, corpus.train
    references: dict[tuple[int, ...], list[list[int]]] = {}
    for index in range(len(train)):
        texts = references.setdefault(tuple(train.sources[index]), [])
        if index < len(train) - prepared.untold:
            texts.append(train.targets[index])
    marks = MarkTokens(Tokenizer(corpus.tokenizer_model))
    pairs: list[tuple[tuple[int, ...], list[int]]] = []
    by_twin = by_people = 0
    for done, (source, tokens) in enumerate(_said(list(references), twin, how), start=1):
        if tokens and len(tokens) < how.max_length - 1 and marks.numbers(source) <= marks.numbers(tokens):
            by_twin += 1
            pairs.append((source, [prepared.bos_id, *tokens, prepared.eos_id]))
        else:
            by_people += bool(references[source])
            pairs += [(source, text) for text in references[source]]
        if progress is not None:
            progress(done)
    if not by_twin:
        remedy = "Train the twin longer; look at what it says with `controldag generate`."
        raise InvalidInput.of("twin", "say every value of at least one input", name, remedy=remedy)
    made = Pairs(Ragged.of([list(source) for source, _ in pairs]), Ragged.of([text for _, text in pairs]))
    changed = replace(corpus, prepared=replace(prepared, variants=1, untold=0, distilled_from=name), train=made)
    return Told(changed, by_twin, by_people, len(references) - by_twin - by_people)


def _said(
    sources: list[tuple[int, ...]], twin: Speaker, how: Saying
) -> Iterator[tuple[tuple[int, ...], Sequence[int]]]:
    """Each source with what the twin says, the shortest first: little is padding."""
    order = sorted(sources, key=len)
    for first in range(0, len(order), _ROWS):
        batch = order[first : first + _ROWS]
        for source, output in zip(batch, twin.say(batch, how), strict=True):
            yield source, output.tokens
