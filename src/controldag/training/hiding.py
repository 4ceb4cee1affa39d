"""Pieces of the source that training hides, so that a model does not know a service by one word of it."""

from __future__ import annotations

import torch
from torch import Tensor

from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.training.corpus import Corpus


class SourceHiding:
    """Puts `<unk>`, which byte fallback leaves without a use, in the place of pieces drawn with the given share.

    Value marks stay, since a target may point at each of them, and so do padding and the end.
    """

    def __init__(self, share: float, corpus: Corpus, device: torch.device) -> None:
        prepared = corpus.prepared
        marks = MarkTokens(Tokenizer(corpus.tokenizer_model)).ids
        self._unknown = prepared.unk_id
        self._chances = torch.full((prepared.vocab_size,), share, device=device)
        self._chances[[prepared.pad_id, prepared.eos_id, prepared.bos_id, *sorted(marks)]] = 0.0

    def __call__(self, sources: Tensor) -> Tensor:
        """The sources [B, N] with other pieces hidden at each call, as torch's seed says."""
        hidden = torch.rand(sources.shape, device=sources.device) < self._chances[sources]
        return sources.masked_fill(hidden, self._unknown)
