"""Log-probabilities of the target tokens at every vertex, from features and head: plain PyTorch, and fused.

The fused path keeps one array of logits in the features' type (bf16 in training), never a float32 one: a row kernel
takes log-sum-exp and maximum from it, the backward turns it in place into the logits' gradient.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional


class TokenScores(NamedTuple):
    """What the loss and glancing need of the head."""

    chosen: Tensor  # [B, M, L] float32: log P(target token i | vertex v)
    best: Tensor  # [B, L] float32: log-probability of each vertex's most likely token (no gradient)


def token_scores(features: Tensor, weight: Tensor, targets: Tensor) -> TokenScores:
    """Log-probabilities of `targets` [B, M] at the vertices `features` [B, L, C], head `weight` [V, C].

    Plain: float32 log-probabilities over the whole vocabulary for every vertex, [B, L, V] in memory.
    """
    scores = torch.log_softmax((features @ weight.to(features.dtype).T).float(), -1)
    index = targets.long()[:, None, :].expand(-1, features.shape[1], -1)
    return TokenScores(scores.gather(2, index).transpose(1, 2), scores.detach().amax(-1))


def fused_token_scores(features: Tensor, weight: Tensor, targets: Tensor) -> TokenScores:
    """The same as `token_scores`, without a float32 array over the vocabulary. Needs Triton."""
    chosen, best = _FusedTokenScores.apply(features, weight, targets)
    return TokenScores(chosen, best)


def merge_repeats(targets: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Weights of equal tokens summed onto their first occurrence: ([B, M, L], first occurrence [B, M] bool).

    `weights` [B, M, L] belongs to `targets` [B, M]; the sums at later occurrences mean nothing.
    """
    same = targets[:, :, None] == targets[:, None, :]  # [B, M, M]
    first = ~same.tril(-1).any(-1)
    return torch.bmm(same.to(weights.dtype), weights), first


class _FusedTokenScores(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        from controldag.model.kernels.emission_triton import row_statistics

        narrow = torch.bfloat16 if torch.is_autocast_enabled(features.device.type) else features.dtype
        with torch.autocast(features.device.type, enabled=False):
            rows = features.to(narrow).flatten(0, 1)  # [B·L, C]
            head = weight.to(narrow)
            logits = rows @ head.T  # [B·L, V]
            total, top = row_statistics(logits)
            batch, size = features.shape[:2]
            index = targets.long()[:, None, :].expand(-1, size, -1)
            chosen = logits.view(batch, size, -1).gather(2, index).float() - total.view(batch, size, 1)
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(rows, head, logits, total, targets)
            ctx.dtypes = features.dtype, weight.dtype
        best = (top - total).view(batch, size)
        ctx.mark_non_differentiable(best)
        return chosen.transpose(1, 2).contiguous(), best

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor, None]:
        from controldag.model.kernels.emission_triton import logits_to_gradient

        rows, head, logits, total, targets = ctx.saved_tensors
        weights = upstream[0].float()
        summed, first = merge_repeats(targets, weights)
        gradient = logits_to_gradient(logits, total, weights.sum(1), targets, summed, first)
        to_features = (gradient @ head).view(*upstream[0].shape[::2], -1)
        to_weight = gradient.T @ rows
        return to_features.to(ctx.dtypes[0]), to_weight.to(ctx.dtypes[1]), None


class TokenCosts(NamedTuple):
    """Costs of one wanted token per place, [B, T] each."""

    training: Tensor  # with label smoothing; carries the gradient
    plain: Tensor  # −log P, no gradient
    right: Tensor  # whether the wanted token is the most likely one


def smoothed_cross_entropy(features: Tensor, weight: Tensor, targets: Tensor, smoothing: float) -> TokenCosts:
    """Cost of `targets` [B, T] at `features` [B, T, C]: (1 − s)·(−log P) + s·mean over the vocabulary."""
    scores = torch.log_softmax((features @ weight.to(features.dtype).T).float(), -1)
    plain = -scores.gather(2, targets.long()[..., None]).squeeze(2)
    training = plain if not smoothing else (1 - smoothing) * plain - smoothing * scores.mean(-1)
    return TokenCosts(training, plain.detach(), scores.argmax(-1) == targets)


def fused_cross_entropy(features: Tensor, weight: Tensor, targets: Tensor, smoothing: float) -> TokenCosts:
    """The same as `smoothed_cross_entropy`, by PyTorch's own fused cross-entropy over bf16 logits."""
    logits = functional.linear(features, weight)
    flat, wanted = logits.flatten(0, 1), targets.long().flatten()
    training = functional.cross_entropy(flat, wanted, reduction="none", label_smoothing=smoothing).view(targets.shape)
    with torch.no_grad():
        right = flat.argmax(-1) == wanted
        plain = training.detach() if not smoothing else functional.cross_entropy(flat, wanted, reduction="none")
    return TokenCosts(training, plain.view(targets.shape), right.view(targets.shape))
