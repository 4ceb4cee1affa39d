"""Fast batched decoders without constraints, for validation: greedy, lookahead, joint Viterbi.

All take logits [B, L, V] and links [B, L, L] and give token ids without `<s>` and `</s>`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from controldag.model.definition.dag_loss import NEVER


class BestTokens(NamedTuple):
    """The most likely token of each vertex."""

    tokens: Tensor  # [B, L] int64
    scores: Tensor  # [B, L] float32 log-probability


def best_tokens(logits: Tensor) -> BestTokens:
    """The most likely token of each vertex and its log-probability."""
    top, tokens = logits.max(-1)
    total = torch.logsumexp(logits.float(), -1)
    return BestTokens(tokens, top.float() - total)


def greedy(best: BestTokens, links: Tensor, graph_sizes: Tensor) -> list[list[int]]:
    """From each vertex to its most likely successor, saying each vertex's most likely token."""
    return _walk(best.tokens, links.argmax(-1), graph_sizes)


def lookahead(best: BestTokens, links: Tensor, graph_sizes: Tensor) -> list[list[int]]:
    """From each vertex to the successor with the best product of transition and its best token (DA-Transformer)."""
    return _walk(best.tokens, (links + best.scores[:, None, :]).argmax(-1), graph_sizes)


def _walk(tokens: Tensor, successors: Tensor, graph_sizes: Tensor) -> list[list[int]]:
    token_rows, next_rows = tokens.cpu().numpy(), successors.cpu().numpy()
    outputs = []
    for row, size in enumerate(graph_sizes.tolist()):
        vertex, output = int(next_rows[row, 0]), []
        while vertex < size - 1:
            output.append(int(token_rows[row, vertex]))
            # A broken model's links (NaN) may lead back: every walk ends.
            vertex = max(vertex + 1, int(next_rows[row, vertex]))
        outputs.append(output)
    return outputs


@dataclass(frozen=True, slots=True)
class BestPaths:
    """The best path of every length (joint Viterbi; Shao et al., 2022): choose among them with `choose`."""

    tokens: NDArray[np.int64]  # [B, L] most likely token of each vertex
    scores: NDArray[
        np.float32
    ]  # [B, T] log-probability of the best path with i + 1 positions, −inf where there is none
    came_from: NDArray[np.int16]  # [B, T, L]
    graph_sizes: NDArray[np.int64]  # [B]

    def choose(self, beta: float) -> list[list[int]]:
        """Of the best paths of each length, the one with the highest log-probability / length^β."""
        lengths = np.arange(1, self.scores.shape[1] + 1, dtype=np.float32)
        chosen = (self.scores / lengths**beta).argmax(1)
        return [self._tokens_of(row, int(i)) for row, i in enumerate(chosen)]

    def _tokens_of(self, row: int, last: int) -> list[int]:
        vertex, output = int(self.graph_sizes[row]) - 1, []
        for i in range(last, 0, -1):
            vertex = int(self.came_from[row, i, vertex])
            output.append(int(self.tokens[row, vertex]))
        return output[-2::-1] if output else []  # the first position is `<s>`


@torch.no_grad()
def joint_viterbi(best: BestTokens, links: Tensor, graph_sizes: Tensor, max_length: int) -> BestPaths:
    """The best path of each length up to `max_length` positions, tokens and transitions taken together."""
    batch, width = best.tokens.shape
    steps = min(max_length, width)
    moves = links + best.scores[:, None, :]
    scores = torch.full((batch, width), NEVER, device=links.device)
    scores[:, 0] = best.scores[:, 0]
    came_from = torch.zeros((batch, steps, width), dtype=torch.int16, device=links.device)
    last = (graph_sizes - 1)[:, None]
    finals = [scores.gather(1, last)]
    for i in range(1, steps):
        scores, source = (scores[:, :, None] + moves).max(1)
        came_from[:, i] = source.to(torch.int16)
        finals.append(scores.gather(1, last))
    return BestPaths(
        best.tokens.cpu().numpy(),
        torch.cat(finals, 1).cpu().numpy(),
        came_from.cpu().numpy(),
        graph_sizes.cpu().numpy(),
    )


def without_repeats(tokens: list[int]) -> list[int]:
    """The same tokens without a token that equals the one before it."""
    return [token for i, token in enumerate(tokens) if i == 0 or token != tokens[i - 1]]
