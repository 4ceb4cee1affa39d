"""Corpus BLEU by sacreBLEU, against raw references, with the signature that says how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sacrebleu.metrics.bleu import BLEU

from controldag.errors import InvalidInput
from controldag.metrics.pairing import check_one_each


@dataclass(frozen=True, slots=True)
class BleuScore:
    """BLEU in percent with its brevity penalty, lengths in sacreBLEU's tokens, and its signature."""

    score: float
    brevity_penalty: float
    hypothesis_length: int
    reference_length: int
    signature: str


def corpus_bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> BleuScore:
    """BLEU of `hypotheses`, where `references[i]` are all those of `hypotheses[i]`, one or more.

    Examples may differ in how many references they have.
    """
    check_one_each("hypotheses", hypotheses, references)
    without = next((number for number, each in enumerate(references) if not each), None)
    if without is not None:
        raise InvalidInput.of(f"references[{without}]", "hold a reference", [], remedy="Leave the example out.")
    metric = BLEU()
    most = max(map(len, references))
    # sacreBLEU wants one list for each reference's number; None stands for a reference that is not there.
    streams: list[Any] = [
        [each[number] if number < len(each) else None for each in references] for number in range(most)
    ]
    result = metric.corpus_score(list(hypotheses), streams)
    return BleuScore(result.score, result.bp, result.sys_len, result.ref_len, str(metric.get_signature()))
