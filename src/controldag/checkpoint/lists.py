"""What decoders read from a checkpoint's folder, each when it is first asked for, and once."""

from __future__ import annotations

from functools import cached_property

from controldag.checkpoint.folder import Checkpoint
from controldag.checkpoint.language_model import LanguageWeights
from controldag.constraints import TokenDictionary


class Lists:
    """Shared by all models of one checkpoint, whatever their settings."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._ngrams: dict[float, LanguageWeights | None] = {}

    @cached_property
    def paper_dictionary(self) -> TokenDictionary | None:
        """The paper's words and special tokens in the checkpoint's tokens; None where it has no such list."""
        return self._checkpoint.paper_dictionary()

    def ngrams(self, scale: float) -> LanguageWeights | None:
        """The n-gram model times `scale`; None where that is 0."""
        if scale not in self._ngrams:
            self._ngrams[scale] = self._checkpoint.ngram_weights(scale)
        return self._ngrams[scale]
