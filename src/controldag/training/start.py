"""A checkpoint to start a training run from: what it decides, so that no option can contradict it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from controldag.checkpoint.folder import folder_of
from controldag.data.own_data import OwnData, holds_triples
from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config, DAT5Config
from controldag.model.definition.saving import load_config
from controldag.runtime.folder import TOKENIZER, check_tokenizer
from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.training.options import DataOptions, TrainingOptions


@dataclass(frozen=True, slots=True)
class Start:
    """A checkpoint's config and tokenizer, which fit each other."""

    name: str
    config: DAT5Config | ART5Config
    tokenizer: Tokenizer
    tokenizer_model: bytes

    @classmethod
    def open(cls, name: str) -> Start:
        """The bundled checkpoint of that name, or the one in that folder or of that Hub id."""
        folder = folder_of(name)
        config = load_config(folder)
        tokenizer = Tokenizer.load(folder / TOKENIZER)
        model = (folder / TOKENIZER).read_bytes()
        check_tokenizer(config, model)
        return cls(name, config, tokenizer, model)

    def applied(self, options: TrainingOptions, data: Path | None) -> TrainingOptions:
        """The options with what the checkpoint has already: kind, linearisation, vocabulary and value marks.

        `data` is the folder of own data, whose checksum joins them.
        """
        config = self.config
        marks = len(MarkTokens(self.tokenizer))
        own = options.data.dataset == "own"
        kind = "da" if isinstance(config, DAT5Config) else "ar"
        if options.data.dataset == "mixture":
            self._check_mixture(options.data, marks)
            return replace(options, kind=kind, init=self.name)
        files = OwnData.read(data, triples=holds_triples(config.lineariser, data)).checksum if own else ""
        return replace(
            options,
            kind=kind,
            init=self.name,
            data=replace(
                options.data,
                lineariser=config.lineariser,
                value_separator=config.value_separator,
                tokenizer="own",
                vocabulary=self.tokenizer.size,
                value_marks=marks - config.word_marks,
                word_marks=config.word_marks,
                marked=config.marked,
                files=files + config.tokenizer_sha256,
            ),
        )

    def _check_mixture(self, data: DataOptions, marks: int) -> None:
        """A mixture is prepared without a look at the checkpoint, maybe before it is there: both have to fit."""
        own = (self.config.lineariser, self.tokenizer.size, marks - self.config.word_marks, self.config.word_marks)
        asked = (data.lineariser, data.vocabulary, data.value_marks, data.word_marks)
        if own != asked:
            rule = f"have what {self.name} has in lineariser, vocabulary, value_marks and word_marks ({own})"
            raise InvalidInput.of("data", rule, asked, remedy="Start from a run with the same data options.")
