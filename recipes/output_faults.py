"""`python -m recipes.output_faults RUN PREPARED`: what is wrong with a run's outputs, counted.

Values that are not said (by how often their rarest piece stands in the training targets), words that are neither in the
training targets nor in the input, outputs that say three words in a row twice, and those that say a value more often
than any reference does.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from controldag.errors import ControlDagError, InvalidInput
from controldag.run_record import write_result
from controldag.text.tokenizer import Tokenizer
from controldag.training.corpus import Corpus, load_corpus
from controldag.training.run import read_outputs

_WORD = re.compile(r"[^\W_]+")
_BANDS = (30, 100, 300, 1000, 3000, 10_000)  # upper ends; the last band is open


def words_of(text: str) -> list[str]:
    """The words of `text`, in lower case, without punctuation."""
    return _WORD.findall(text.lower())


def repeats(words: list[str]) -> bool:
    """Whether any three words in a row occur twice."""
    triples = list(zip(words, words[1:], words[2:], strict=False))
    return len(set(triples)) < len(triples)


def times_said(phrase: str, text: str) -> int:
    """How often `text` says `phrase`, case ignored, not as a part of a longer word."""
    return len(re.findall(rf"(?<!\w){re.escape(phrase.lower())}(?!\w)", text.lower()))


def says_twice(output: str, phrases: Sequence[str], references: Sequence[str]) -> bool:
    """Whether a phrase is said more than once, and more often than in every reference."""
    return any(times_said(each, output) > max(1, *(times_said(each, text) for text in references)) for each in phrases)


def band_of(count: int) -> str:
    """The name of the band that a training count falls into."""
    low = 0
    for high in _BANDS:
        if count <= high:
            return f"{low} to {high}"
        low = high + 1
    return f"{low} and more"


def faults(outputs: list[str], corpus: Corpus) -> dict[str, Any]:
    """Faults of `outputs` for the development data of `corpus`, seen and unseen services apart."""
    if len(outputs) > len(corpus.references):
        raise InvalidInput.of("outputs", f"be at most {len(corpus.references)}, as the dev data", len(outputs))
    tokenizer = Tokenizer(corpus.tokenizer_model)
    counts = np.bincount(corpus.train.targets.tokens.astype(np.int64), minlength=corpus.prepared.vocab_size)
    original = len(corpus.train) // corpus.prepared.variants
    known = {
        word for i in range(original) for word in words_of(tokenizer.surface(corpus.train.targets[i][1:-1]))
    }  # variants exchange values for others of the same data: they bring no words
    found: dict[str, Any] = {}
    for row, output in enumerate(outputs):
        reference = corpus.references[row]
        part = found.setdefault("seen" if reference.seen else "unseen", _Part())
        words = words_of(output)
        # Of a long value the model reads the beginning only; it is part of the input all the same.
        source = set(words_of(" ".join([tokenizer.surface(corpus.dev.sources[row][:-1]), *reference.values])))
        part.outputs += 1
        part.unknown_words += any(word not in known and word not in source for word in words)
        part.repeats += repeats(words)
        part.reference_repeats += repeats(words_of(reference.references[0]))
        part.values_twice += says_twice(output, reference.phrases, reference.references)
        for phrase in reference.phrases:
            band = band_of(int(min(counts[piece] for piece in tokenizer.encode(phrase))))
            part.values.setdefault(band, []).append(phrase.lower() in output.lower())
    return {name: part.figures() for name, part in found.items()}


class _Part:
    """Counts over the outputs of seen or of unseen services."""

    def __init__(self) -> None:
        self.outputs = self.unknown_words = self.repeats = self.reference_repeats = self.values_twice = 0
        self.values: dict[str, list[bool]] = {}

    def figures(self) -> dict[str, Any]:
        """Percentages, and the values said by band."""
        bands = sorted(self.values, key=lambda band: int(band.split()[0]))
        return {
            "outputs": self.outputs,
            "unknown_words": 100 * self.unknown_words / self.outputs,
            "repeats": 100 * self.repeats / self.outputs,
            "reference_repeats": 100 * self.reference_repeats / self.outputs,
            "values_twice": 100 * self.values_twice / self.outputs,
            "values_said": {
                band: {"values": len(self.values[band]), "said": 100 * float(np.mean(self.values[band]))}
                for band in bands
            },
        }


def main() -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="folder of a finished run")
    parser.add_argument("prepared", type=Path, help="folder of its prepared data")
    parser.add_argument("--out", type=Path, required=True, help="result file")
    wanted = parser.parse_args()
    try:
        corpus = load_corpus(wanted.prepared)
        by_decoder = read_outputs(wanted.run / "outputs.json.gz")
        figures = {decoder: faults(outputs, corpus) for decoder, outputs in by_decoder.items()}
        write_result(wanted.out, figures, {"prepared": corpus.prepared.name})
    except (ControlDagError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
