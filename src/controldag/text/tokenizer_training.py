"""Training our own SentencePiece models: they change nothing in a text and spell every string."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import sentencepiece

from controldag.data.value_marks import mark
from controldag.errors import InvalidInput
from controldag.files import atomic_write
from controldag.text.tokenizer import BLANK_MARK, Tokenizer

# DART's marks for subject, relation and object: pieces of their own, spelled as written, with and without a blank.
SYMBOLS = tuple(piece for symbol in ("<h>", "<r>", "<t>") for piece in (BLANK_MARK + symbol, symbol))
# `<pad>`, `</s>`, `<unk>` have T5's ids; `<s>`, which T5 lacks, comes next.
PAD_ID, EOS_ID, UNK_ID, BOS_ID = 0, 1, 2, 3
SMALLEST_SIZE = 4 + len(SYMBOLS) + 256 + 1
# The sums of the EM steps depend on how the sentences are shared out among threads, so that the number of threads
# is fixed, whatever the machine: the same text gives the same model, byte for byte.
_THREADS = 4
_LONG_NUMBER = re.compile(r"(?:\d\D*){5}|^\$\d")
_TOO_LARGE = re.compile(r"Vocabulary size too high.*<= (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizerOptions:
    """`size`: number of pieces. `character_coverage`: share of the text's characters with a piece (others: bytes).

    `marks`: how many value marks get pieces, each with and without a blank in front (data/value_marks.py).
    """

    size: int = 8000
    character_coverage: float = 0.9995
    marks: int = 0

    def __post_init__(self) -> None:
        if self.size < SMALLEST_SIZE:
            raise InvalidInput.of(
                "size", f"be at least {SMALLEST_SIZE} (bytes, symbols and one piece)", self.size, remedy="Try 8000."
            )
        if not 0.9 <= self.character_coverage <= 1.0:
            raise InvalidInput.of("character_coverage", "be from 0.9 to 1", self.character_coverage)


def train_tokenizer(texts: Iterable[str], options: TokenizerOptions) -> bytes:
    """A SentencePiece unigram model for `texts`, ready to be written; the same for the same texts in the same order."""
    sentences = [text.replace(BLANK_MARK, " ") for text in texts if text.strip()]
    if not sentences:
        raise InvalidInput.of("texts", "hold at least one text that is not empty", sentences)
    model = io.BytesIO()
    try:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences),
            model_writer=model,
            model_type="unigram",
            vocab_size=options.size,
            character_coverage=options.character_coverage,
            normalization_rule_name="identity",
            remove_extra_whitespaces=False,
            byte_fallback=True,
            user_defined_symbols=[*SYMBOLS, *_mark_pieces(options.marks)],
            pad_id=PAD_ID,
            eos_id=EOS_ID,
            unk_id=UNK_ID,
            bos_id=BOS_ID,
            num_threads=_THREADS,
            max_sentence_length=1 << 20,
            minloglevel=2,
        )
    except RuntimeError as error:
        raise _explained(error, options) from error
    return model.getvalue()


def without_long_numbers(text: str) -> str:
    """The text without blank-separated chunks that hold five digits or more, or begin with a dollar sign and a digit.

    Telephone numbers and prices of the training data would otherwise become pieces of their own, which those of
    unseen services never are.
    """
    return " ".join(chunk for chunk in text.split(" ") if not _LONG_NUMBER.search(chunk))


def _mark_pieces(count: int) -> list[str]:
    return [piece for index in range(count) for piece in (BLANK_MARK + mark(index), mark(index))]


def write_tokenizer(model: bytes, path: str | Path) -> Tokenizer:
    """The tokenizer of `model`, after writing it to `path` atomically."""
    tokenizer = Tokenizer(model, name=str(path))
    with atomic_write(path) as file:
        file.write(model)
    return tokenizer


def _explained(error: RuntimeError, options: TokenizerOptions) -> InvalidInput:
    message = str(error)
    if match := _TOO_LARGE.search(message):
        rule = f"be at most {match[1]} for this little text"
        return InvalidInput.of("size", rule, options.size, remedy="Ask for fewer pieces or give more text.")
    if "smaller than required_chars" in message:
        rule = "leave room for every character that needs a piece"
        return InvalidInput.of("size", rule, options.size, remedy="Ask for more pieces or lower the coverage.")
    return InvalidInput(f"SentencePiece could not train on this text: {message}")
