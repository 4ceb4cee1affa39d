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
        self._unknown = prepared.unk_id
        self._chances = torch.full((prepared.vocab_size,), share, device=device)
        self._chances[[prepared.pad_id, prepared.eos_id, prepared.bos_id]] = 0.0
        self._chances[mark_table(corpus, device)] = 0.0

    def __call__(self, sources: Tensor) -> Tensor:
        """The sources [B, N] with other pieces hidden at each call, as torch's seed says."""
        hidden = torch.rand(sources.shape, device=sources.device) < self._chances[sources]
        return sources.masked_fill(hidden, self._unknown)


def mark_table(corpus: Corpus, device: torch.device) -> Tensor:
    """For every token, whether it is a value mark: bool [V]."""
    table = torch.zeros(corpus.prepared.vocab_size, dtype=torch.bool)
    table[sorted(MarkTokens(Tokenizer(corpus.tokenizer_model)).ids)] = True
    return table.to(device)
