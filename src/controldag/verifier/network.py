"""The verifier's network: reads the claims of an input once, each text beside them, and judges claim by claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from controldag.verifier.agreement import (
    MATCHES,
    OWN_DESCRIPTION,
    OWN_NAME,
    OWN_SUBJECT,
    OWN_VALUE,
    RELATIONS,
    matches,
    relations,
)
from controldag.verifier.claims import FIELDS
from controldag.verifier.lexicon import Ints
from controldag.verifier.options import FARTHEST, NetworkOptions
from controldag.verifier.sides import ClaimSide, TextSide, Words

SAID, WRONG, MISSING = range(3)


@dataclass(slots=True)
class Judged:
    """claims: [B, A, 3] logits. extra, broken: [B] logits. places: [B, A, T] where each claim was looked for.

    words: [B, T, 3] logits by word of the text: of the claim whose value it belongs to.
    odd: [B, T] logits by word of the text: that a reader stumbles there.
    """

    claims: Tensor
    extra: Tensor
    broken: Tensor
    places: Tensor
    words: Tensor
    odd: Tensor


def _leaning(kinds: int, heads: int, which: Mapping[int, Iterable[int]], strength: float) -> Tensor:
    """A table [kinds, heads] where some heads prefer some kinds from the start: what they are for is known."""
    table = torch.zeros(kinds, heads)
    for kind, chosen in which.items():
        for head in chosen:
            table[kind, head % heads] = strength
    return table


def _near_first(heads: int) -> Tensor:
    """Every second head looks at near words first, each less far than the one before."""
    apart = (torch.arange(2 * FARTHEST + 1) - FARTHEST).abs().float()
    slopes = torch.tensor([0.0 if head % 2 else -1.0 / (1 + head / 2) for head in range(heads)])
    return apart[:, None] * slopes


class _Attention(nn.Module):
    """Attention with several heads and an additive bias."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)

    def weights(self, x: Tensor, context: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """Attention weights [B, H, Q, K] and the values [B, H, K, D]; a context of batch 1 serves all."""
        query = self._split(self.query(x))
        key, value = self._split(self.key_value(context)).chunk(2, dim=-1)
        scores = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5 + bias
        return scores.softmax(dim=-1), value

    def forward(self, x: Tensor, context: Tensor, bias: Tensor) -> Tensor:
        weights, value = self.weights(x, context, bias)
        return self.merged(weights @ value)

    def merged(self, heads: Tensor) -> Tensor:
        return self.out(heads.transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class _Feed(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.gelu(self.up(x)))


class _Block(nn.Module):
    """One layer for claims and texts alike; texts look at the claims in between."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        width, heads = options.width, options.heads
        self.attend, self.look = _Attention(width, heads), _Attention(width, heads)
        self.feed = _Feed(width, options.inner)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.distances = nn.Parameter(_near_first(heads))
        self.same_claim = nn.Parameter(_leaning(2, heads, {1: range(heads // 2)}, 2.0))
        some, others = range(3), range(3, 5)
        self.matches = nn.Parameter(_leaning(MATCHES, heads, {3: some, 1: others, 2: others}, 4.0))
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, x: Tensor, bias: Tensor, context: Tensor | None = None, seen: Tensor | None = None) -> Tensor:
        normed = self.norms[0](x)
        x = x + self.dropout(self.attend(normed, normed, bias))
        if context is not None and seen is not None:
            x = x + self.dropout(self.look(self.norms[1](x), context, seen))
        return x + self.dropout(self.feed(self.norms[2](x)))


class _Judge(nn.Module):
    """One layer of the claims' questions: to each other, then to the text, by what its words have to do with them."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        width, heads = options.width, options.heads
        self.attend, self.look = _Attention(width, heads), _Attention(width, heads)
        self.feed = _Feed(width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        leaning = {OWN_VALUE: range(3), OWN_SUBJECT: range(2, 3), OWN_NAME: range(3, 4), OWN_DESCRIPTION: range(4, 5)}
        self.relations = nn.Parameter(_leaning(RELATIONS, heads, leaning, 4.0))
        self.mass = nn.Linear(heads * RELATIONS, width)
        self.dropout = nn.Dropout(options.dropout)

    def forward(self, x: Tensor, among: Tensor, text: Tensor, relation: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        normed = self.norms[0](x)
        x = x + self.dropout(self.attend(normed, normed, among))
        bias = _looked_up(self.relations, relation) + there
        weights, value = self.look.weights(self.norms[1](x), text, bias)
        mass = (weights.transpose(1, 2) @ relation.to(weights.dtype)).flatten(2)
        x = x + self.dropout(self.look.merged(weights @ value) + self.mass(mass))
        return x + self.dropout(self.feed(self.norms[2](x))), weights.mean(1)


class VerifierNetwork(nn.Module):
    """See the module; `forward` judges a batch in which every text has claims of its own."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        self.options = options
        width = options.width
        self.word = nn.Embedding(options.vocabulary, options.embedding, padding_idx=0)
        self.piece = nn.Embedding(options.buckets + 1, options.embedding, padding_idx=0)
        self.widen = nn.Linear(options.embedding, width)
        self.field = nn.Embedding(FIELDS, width)
        self.head = nn.Embedding(options.act_names, width, padding_idx=0)
        self.in_value = nn.Embedding(2, width)
        self.place = nn.Embedding(options.longest, width)
        self.nothing = nn.Parameter(torch.zeros(2, width))
        self.whole = nn.Parameter(torch.zeros(1, 1, width))
        self.blocks = nn.ModuleList(_Block(options) for _ in range(options.layers))
        self.judges = nn.ModuleList(_Judge(options) for _ in range(options.judges))
        self.claims_norm, self.text_norm, self.last_norm = (nn.LayerNorm(width) for _ in range(3))
        self.verdict = nn.Linear(width, 3)
        self.by_word = nn.Linear(width, 3)
        self.overall = nn.Linear(width, 2)
        self.odd = nn.Linear(width, 2)
        self.dropout = nn.Dropout(options.dropout)
        for embedding in (self.word, self.piece, self.field, self.head, self.in_value, self.place):
            nn.init.normal_(embedding.weight, std=0.05)

    def forward(self, claims: ClaimSide, texts: TextSide) -> Judged:
        return self.judge(claims, self.read_claims(claims), texts)

    def read_claims(self, claims: ClaimSide) -> Tensor:
        """The states of the claims' words, [B, S, width], and one for *nothing* before them: [B, 1 + S, width]."""
        states = self._embedded(claims.words) + self.field(claims.field) + self.head(claims.head)
        length = states.shape[1]
        states = self.dropout(states)
        same = _kinds((claims.claim[:, :, None] == claims.claim[:, None, :]).long(), 2)
        away = _masked(claims.there)
        for block in self.blocks:
            bias = self._distance_bias(block, length) + _looked_up(block.same_claim, same) + away
            states = block(states, bias)
        states = self.claims_norm(states)
        return torch.cat([self.nothing[:1].expand(states.shape[0], 1, -1).to(states.dtype), states], 1)

    def judge(self, claims: ClaimSide, states: Tensor, texts: TextSide) -> Judged:
        """Verdicts of texts; claims of batch 1 serve all texts."""
        text = self._embedded(texts.words) + self.in_value((texts.value > 0).long())
        length = text.shape[1]
        text = self.dropout(text + self.place(torch.arange(length, device=text.device).clamp(max=self._last_place)))
        match = _kinds(matches(claims, texts, torch), MATCHES)
        seen_there = F.pad(_masked(claims.there), (1, 0))
        there = _masked(texts.there)
        for block in self.blocks:
            seen = F.pad(_looked_up(block.matches, match), (1, 0)) + seen_there
            text = block(text, self._distance_bias(block, length) + there, states, seen)
        text = self.text_norm(text)
        return self._verdicts(claims, states, texts, text)

    def _verdicts(self, claims: ClaimSide, states: Tensor, texts: TextSide, text: Tensor) -> Judged:
        batch = text.shape[0]
        starts = claims.starts.expand(batch, -1)
        index = (starts.clamp(min=0) + 1)[:, :, None].expand(-1, -1, text.shape[-1])
        asked = states.expand(batch, -1, -1).gather(1, index)
        x = torch.cat([asked, self.whole.expand(batch, 1, -1).to(asked.dtype)], 1)
        among = _masked(F.pad(starts >= 0, (0, 1), value=True))
        places = torch.arange(claims.starts.shape[1], device=text.device)
        relation = _kinds(F.pad(relations(claims, texts, places, torch), (1, 0)), RELATIONS)  # *nothing* first
        text = torch.cat([self.nothing[1:].expand(batch, 1, -1).to(text.dtype), text], 1)
        there = F.pad(_masked(texts.there), (1, 0))
        weights = torch.zeros(0)
        for judge in self.judges:
            x, weights = judge(x, among, text, relation, there)
        x = self.last_norm(x)
        overall = self.overall(x[:, -1])
        odd = self.odd(text[:, 1:]).masked_fill(~texts.there[:, :, None], -30.0)
        extra, broken = (overall + odd.amax(1)).unbind(-1)
        words = self.by_word(text[:, 1:])
        return Judged(self.verdict(x[:, :-1]), extra, broken, weights[:, :-1, 1:], words, odd[:, :, 1])

    def _embedded(self, words: Words) -> Tensor:
        """Each different word is spelled once, then put where it stands."""
        word, pieces = words.table[:, 0], words.table[:, 3:]
        spelled = self.piece(pieces).sum(-2) / (pieces > 0).sum(-1, keepdim=True).clamp(min=1)
        return F.embedding(words.numbers, self.widen(self.word(word) + spelled))

    def _distance_bias(self, block: Any, length: int) -> Tensor:
        places = torch.arange(length, device=block.distances.device)
        apart = (places[None, :] - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST
        return _looked_up(block.distances, _kinds(apart[None], 2 * FARTHEST + 1))

    @property
    def _last_place(self) -> int:
        return self.options.longest - 1


def tensor(array: Ints, device: str = "cpu") -> Tensor:
    """The array on a device."""
    return torch.from_numpy(array).to(device, non_blocking=True).long()


def _kinds(numbers: Tensor, count: int) -> Tensor:
    """[..., count]: one where the number says so. Tables are looked up by a product with this: the gradient of an
    index with a handful of rows would add up millions of numbers one after another.
    """
    return F.one_hot(numbers, count).to(
        torch.get_autocast_dtype(numbers.device.type)
        if torch.is_autocast_enabled(numbers.device.type)
        else torch.float32
    )


def _looked_up(table: Any, kinds: Tensor) -> Tensor:
    """A table [count, heads] by kind: [B, heads, N, M]."""
    return (kinds @ table.to(kinds.dtype)).permute(0, 3, 1, 2)


def _masked(there: Tensor) -> Tensor:
    """0 where there is something, a very low score elsewhere: [B, 1, 1, N]."""
    return torch.where(there, 0.0, -30000.0)[:, None, None, :]
