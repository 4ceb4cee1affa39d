"""Made-up DAGs that look like a trained model's: monotone, peaked, with phrases that may start in many places."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from controldag.constraints.token_level import TokenDictionary
from controldag.constraints.vocabulary import PUNCTUATION, WordList
from controldag.dag import Dag, Floats, Ids
from controldag.errors import InvalidInput
from controldag.surfaces import Surfaces

Tokens = tuple[int, ...]

BOS, EOS = 1, 2  # stand at the first and the last vertex only: no generated vertex emits them
SPECIAL = range(10, 10 + len(PUNCTUATION))
WORD_START = range(100, 1_000)
WORD_REST = range(1_000, 1_400)
PHRASE_TOKENS = range(1_500, 3_001)
SPREAD_LOG_PROBABILITY = -6.0  # of a phrase's first token where `spread` puts it
FORCED_LOG_PROBABILITY = -8.0  # of a phrase's other tokens where Algorithm 2 forces them

_LETTERS = str.maketrans("0123456789", "abcdefghij")


class SyntheticVocabulary:
    """Words of one to three tokens, as texts too: ids in letters after ` w` (a first token), `x` (the others) and
    ` p` (a phrase's), so that words are blank-separated chunks without digits."""

    def __init__(self, size: int, seed: int = 7) -> None:
        possible = len(WORD_START) * len(WORD_REST)  # well below what words of up to three tokens offer
        if not 1 <= size <= possible:
            raise InvalidInput.of("size", f"be between 1 and {possible}", size)
        rng = np.random.default_rng(seed)
        words: dict[Tokens, None] = {}
        while len(words) < size:
            rest = rng.choice(3, p=(0.6, 0.3, 0.1)) if len(words) < 1_000 else rng.choice(3, p=(0.0, 0.5, 0.5))
            start = int(rng.integers(WORD_START.start, WORD_START.stop))
            words[(start, *rng.integers(WORD_REST.start, WORD_REST.stop, rest).tolist())] = None
        self.words: tuple[Tokens, ...] = tuple(words)
        self.special: tuple[int, ...] = tuple(SPECIAL)
        # Texts are made of so few words that a larger dictionary does not change the DAGs.
        self.spoken = self.words[:1_000]
        self.spoken_tokens = sorted({token for word in self.spoken for token in word})

    @cached_property
    def surfaces(self) -> Surfaces:
        """The bytes of every token id, with none for control tokens and gaps."""
        pieces: list[bytes | None] = [None] * PHRASE_TOKENS.stop
        for token, mark in zip(SPECIAL, PUNCTUATION, strict=True):
            pieces[token] = mark.encode()
        for ids, form in ((WORD_START, " w"), (WORD_REST, "x"), (PHRASE_TOKENS, " p")):
            for token in ids:
                pieces[token] = (form + str(token).translate(_LETTERS)).encode()
        return Surfaces(pieces)

    def text(self, tokens: Sequence[int]) -> str:
        """What the tokens spell, without the leading blank."""
        return b"".join(self.surfaces.pieces[token] or b"" for token in tokens).decode().removeprefix(" ")

    @cached_property
    def dictionary(self) -> TokenDictionary:
        """The words and single special tokens, for token-level constraints: built once."""
        return TokenDictionary([*self.words, *((token,) for token in self.special)])

    @cached_property
    def word_list(self) -> WordList:
        """The words for byte-level constraints: built once."""
        return WordList(self.text(word) for word in self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class DagShape:
    """What a made-up DAG is like.

    candidates: tokens and successors per vertex (Ke = Kt). phrases: how many are required, of `phrase_tokens` each.
    length: of the text the DAG stands for, in tokens. spread: the share of vertices at which each phrase may start
    besides its place; `everywhere` offers every phrase token at every vertex instead.
    """

    vertices: int = 200
    candidates: int = 3
    phrases: int = 3
    phrase_tokens: int = 3
    length: int = 52
    spread: float = 0.0
    everywhere: bool = False

    def __post_init__(self) -> None:
        if self.length > self.vertices - 2:
            raise InvalidInput.of("length", f"fit into the vertices ({self.vertices} - 2)", self.length)
        if self.phrases * self.phrase_tokens > self.length:
            raise InvalidInput.of("phrases", f"fit into the length ({self.length})", self.phrases)


@dataclass(frozen=True, eq=False, slots=True)
class SyntheticDag:
    """The arrays every system starts from: the best tokens per vertex, what phrase tokens score, and transitions.

    `kept` are the phrases' token ids, `kept_scores` [vertices, len(kept)] their log-probabilities, -inf where the
    token is not to be added (Control-DAG Algorithm 2 decided).
    """

    shape: DagShape
    token_ids: Ids  # [vertices, candidates]
    emissions: Floats  # [vertices, candidates]
    transitions: Floats  # [vertices, vertices]
    phrases: tuple[Tokens, ...]
    kept: tuple[int, ...]
    kept_scores: Floats
    reference: Tokens

    @property
    def target_length(self) -> int:
        """The reference's length, `</s>` counted."""
        return len(self.reference) + 1

    def texts(self, surfaces: Surfaces) -> list[str]:
        """What the phrases spell."""
        pieces = surfaces.pieces
        return [b"".join(pieces[t] or b"" for t in phrase).decode().removeprefix(" ") for phrase in self.phrases]

    def dag(self, surfaces: Surfaces) -> Dag:
        """The same arrays as the library's Dag."""
        columns = {token: column for column, token in enumerate(self.kept)}

        def score(ids: Sequence[int]) -> Floats:
            if tuple(ids) == self.kept:
                return self.kept_scores
            return self.kept_scores[:, [columns[token] for token in ids]]

        return Dag(self.emissions, self.transitions, surfaces, token_ids=self.token_ids, score=score)


def make_dags(vocabulary: SyntheticVocabulary, shape: DagShape, seed: int = 0) -> Iterator[SyntheticDag]:
    """DAGs of one shape without end, the same for the same seed."""
    index = 0
    while True:
        yield make_dag(vocabulary, shape, np.random.default_rng((seed, index)))
        index += 1


def make_dag(vocabulary: SyntheticVocabulary, shape: DagShape, rng: np.random.Generator) -> SyntheticDag:
    """A DAG whose vertices mostly emit the reference token at their place, with neighbours and noise beside it."""
    drawn = rng.choice(len(PHRASE_TOKENS), shape.phrases * shape.phrase_tokens, replace=False) + PHRASE_TOKENS.start
    phrases = tuple(tuple(map(int, row)) for row in drawn.reshape(shape.phrases, shape.phrase_tokens))
    reference = _reference(vocabulary, shape, phrases, rng)
    token_ids = np.zeros((shape.vertices, shape.candidates), np.int64)
    for vertex in range(1, shape.vertices - 1):
        place = (vertex - 1) * len(reference) // (shape.vertices - 2)
        token_ids[vertex] = _candidates(vocabulary, reference, place, shape.candidates, rng)
    token_ids[[0, -1]] = token_ids[1]  # what the first and the last vertex emit does not matter
    emissions = -np.sort(-_log_softmax(3 * rng.standard_normal(token_ids.shape)), axis=1)
    transitions = _transitions(shape, shape.vertices / (len(reference) + 2), rng)
    kept = tuple(sorted(token for phrase in phrases for token in phrase))
    scores = _phrase_scores(shape, phrases, kept, token_ids, transitions, rng)
    return SyntheticDag(shape, token_ids, emissions.astype(np.float32), transitions, phrases, kept, scores, reference)


def _reference(
    vocabulary: SyntheticVocabulary, shape: DagShape, phrases: tuple[Tokens, ...], rng: np.random.Generator
) -> Tokens:
    """A text of the wanted length: words and some special tokens, the phrases somewhere between them."""
    room = shape.length - shape.phrases * shape.phrase_tokens
    short = [word for word in vocabulary.spoken if len(word) == 1]
    parts: list[Tokens] = []
    while room > 0:
        if parts and rng.random() < 0.08:
            part: Tokens = (int(rng.integers(SPECIAL.start, SPECIAL.stop)),)
        else:
            part = vocabulary.spoken[rng.integers(len(vocabulary.spoken))]
        if len(part) > room:
            part = short[rng.integers(len(short))]
        parts.append(part)
        room -= len(part)
    for phrase in phrases:
        parts.insert(int(rng.integers(len(parts) + 1)), phrase)
    # An insertion may have put a phrase between a word and its punctuation: any order of parts is a valid text.
    return tuple(token for part in parts for token in part)


def _candidates(
    vocabulary: SyntheticVocabulary, reference: Tokens, place: int, count: int, rng: np.random.Generator
) -> list[int]:
    """The tokens of one vertex, likeliest first: its own, some neighbours', then noise."""
    chosen = [reference[place]]
    for step in (1, -1, 2, -2):
        near = place + step
        if len(chosen) < max(2, count - 1) and 0 <= near < len(reference) and rng.random() < 0.7:
            chosen.append(reference[near])
    chosen = list(dict.fromkeys(chosen))[:count]
    while len(chosen) < count:
        token = vocabulary.spoken_tokens[rng.integers(len(vocabulary.spoken_tokens))]
        if token not in chosen:
            chosen.append(token)
    if rng.random() < 0.12:  # the model is wrong here
        chosen[0], chosen[-1] = chosen[-1], chosen[0]
    return chosen


def _transitions(shape: DagShape, step: float, rng: np.random.Generator) -> Floats:
    """Log-probabilities of each vertex's few successors, mostly one reference token further; -inf elsewhere."""
    last = shape.vertices - 1
    matrix = np.full((shape.vertices, shape.vertices), -np.inf, np.float32)
    for vertex in range(last):
        likely = vertex + max(1, round(step + rng.standard_normal()))
        first = dict.fromkeys((min(last, likely), vertex + 1))
        others = rng.permutation(np.arange(vertex + 1, min(last, vertex + max(10, 2 * shape.candidates)) + 1))
        chosen = list(dict.fromkeys([*first, *others.tolist()]))[: shape.candidates]
        matrix[vertex, chosen] = _log_softmax(3 * rng.standard_normal(len(chosen)))
    return matrix


def _phrase_scores(
    shape: DagShape,
    phrases: tuple[Tokens, ...],
    kept: tuple[int, ...],
    token_ids: Ids,
    transitions: Floats,
    rng: np.random.Generator,
) -> Floats:
    """Where phrase tokens are added and with which log-probability: first tokens by `spread`, the others wherever
    a predecessor offers the token before (Control-DAG Algorithm 2)."""
    if shape.everywhere:
        return np.full((shape.vertices, len(kept)), FORCED_LOG_PROBABILITY, np.float32)
    column = {token: index for index, token in enumerate(kept)}
    scores = np.full((shape.vertices, len(kept)), -np.inf, np.float32)
    offered: list[set[int]] = [set() for _ in range(shape.vertices)]
    for vertex in range(1, shape.vertices - 1):
        own = set(token_ids[vertex].tolist())
        offered[vertex] |= own
        before = [offered[u] for u in np.flatnonzero(np.isfinite(transitions[:, vertex]))]
        for phrase in phrases:
            if rng.random() < shape.spread and phrase[0] not in own:
                scores[vertex, column[phrase[0]]] = SPREAD_LOG_PROBABILITY
                offered[vertex].add(phrase[0])
            for earlier, token in itertools.pairwise(phrase):
                if token not in own and any(earlier in tokens for tokens in before):
                    scores[vertex, column[token]] = FORCED_LOG_PROBABILITY
                    offered[vertex].add(token)
    return scores


def _log_softmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    shifted: NDArray[np.float64] = values - values.max(axis=-1, keepdims=True)
    normaliser: NDArray[np.float64] = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return shifted - normaliser
