"""Learning rate, glancing rate and averaging over the course of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor

from controldag.training.options import GlancingOptions, OptimiserOptions

_LONGEST_WARM_UP = 0.2  # of the run
_FINAL_SHARE = 0.02  # of the learning rate, at the end of the cosine


def learning_rate(options: OptimiserOptions, step: int, progress: float) -> float:
    """Rate of step `step` (from 0): linear warm-up, then a cosine down to its final share.

    The warm-up takes a fifth of the run at most: a slow machine's budget may hold fewer steps than it has.
    """
    rate = options.learning_rate
    rate *= _FINAL_SHARE + (1 - _FINAL_SHARE) * 0.5 * (1 + math.cos(math.pi * min(1.0, progress)))
    return rate * min(1.0, max((step + 1) / max(1, options.warmup_steps), progress / _LONGEST_WARM_UP))


def glancing_rate(options: GlancingOptions, progress: float) -> float:
    """Share of the wrong positions to reveal, linear in progress."""
    return options.start + (options.end - options.start) * min(1.0, progress)


class Average:
    """Exponential moving average of the weights, in float32."""

    def __init__(self, parameters: Iterable[Tensor], decay: float) -> None:
        self.decay = decay
        self._parameters = [p.detach() for p in parameters]
        self.values = [p.clone() for p in self._parameters]

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Takes in the weights after step `step` (from 0); early on it forgets faster."""
        decay = min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(self.values, self._parameters, 1.0 - decay)

    @torch.no_grad()
    def swap(self) -> None:
        """Exchanges weights and average: once before a validation or a save, once after."""
        for mine, theirs in zip(self.values, self._parameters, strict=True):
            kept = theirs.clone()
            theirs.copy_(mine)
            mine.copy_(kept)
