"""What says one token after another, and what comes of it; greedy decoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class TokenOutput:
    """An output: tokens without `<s>` and `</s>`, its log-probability, and whether every constraint is in it."""

    tokens: list[int]
    log_probability: float
    satisfied: bool


class Vocabulary(Protocol):
    """How many tokens there are, and which of them are special."""

    @property
    def vocab_size(self) -> int: ...
    @property
    def bos_token_id(self) -> int: ...
    @property
    def eos_token_id(self) -> int: ...
    @property
    def pad_token_id(self) -> int: ...


class Steps(Protocol):
    """A model with a cache of its own kind, which has `reorder(rows)` and `keep(rows)`. R rows, V tokens."""

    @property
    def config(self) -> Vocabulary: ...

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1) -> Any:
        """A cache for decoding `input_ids` [B, N] with `copies` hypotheses each, rows b·copies + k."""

    def step(self, tokens: Tensor, cache: Any) -> Tensor:
        """Log-probabilities [R, V] of the next token after `tokens` [R]; the cache grows by one position."""


@torch.no_grad()
def greedy(
    model: Steps, input_ids: Tensor, max_length: int = 128, *, lengths: Sequence[int] | None = None
) -> list[TokenOutput]:
    """The most likely next token, again and again. Finished rows leave the batch.

    `lengths`: for each source, the number of tokens (`</s>` counted) that its output must have.
    """
    config, count = model.config, len(input_ids)
    cache = model.start(input_ids, max_length)
    rows = torch.arange(count, device=input_ids.device)
    outputs: list[list[int]] = [[] for _ in range(count)]
    totals = [0.0] * count
    tokens = torch.full_like(rows, config.bos_token_id)
    for place in range(1, max_length):
        scores = model.step(tokens, cache)
        if lengths is not None:
            ends = torch.tensor([lengths[row] == place for row in rows.tolist()], device=rows.device)
            scores[:, config.eos_token_id] = torch.where(ends, 0.0, -torch.inf)
        best, tokens = scores.max(-1)
        going = tokens != config.eos_token_id
        for row, token, score, goes in zip(*(each.tolist() for each in (rows, tokens, best, going)), strict=True):
            totals[row] += score
            if goes:
                outputs[row].append(token)
        if not bool(going.all()):
            kept = going.nonzero().squeeze(1)
            if not len(kept):
                break
            rows, tokens = rows[kept], tokens[kept]
            cache.keep(kept)
    return [TokenOutput(output, total, True) for output, total in zip(outputs, totals, strict=True)]
