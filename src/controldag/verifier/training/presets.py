"""The two verifiers: one that generation asks, and one that only measures, taught otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field

from controldag.verifier.training.stream import StreamOptions
from controldag.verifier.training.wording import WordingOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """left_out: which fifth of the records it does not see. vocabulary, buckets: see `Lexicon`."""

    seed: int
    left_out: int
    vocabulary: int = 10_000
    buckets: int = 5_000
    stream: StreamOptions = field(default_factory=StreamOptions)


PRESETS = {
    "verifier": Preset(seed=1, left_out=0),
    "verifier-check": Preset(
        seed=2,
        left_out=1,
        stream=StreamOptions(
            false=0.55, garbled=0.15, own_words=0.15, wording=WordingOptions(exchanged=0.5, hidden=0.4)
        ),
    ),
}
