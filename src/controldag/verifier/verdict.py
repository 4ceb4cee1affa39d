"""What the verifier says of a text: act by act, and of the text as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Judgement = Literal["said", "wrong", "missing"]
JUDGEMENTS: tuple[Judgement, ...] = ("said", "wrong", "missing")


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """One act or triple: what it is, whether the text says it, how sure that is, and `text[begin:end]` it went by.

    probability: that the text says it rightly.
    """

    claim: str
    verdict: Judgement
    probability: float
    places: tuple[tuple[int, int], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        places = [list(place) for place in self.places]
        return {"act": self.claim, "verdict": self.verdict, "probability": round(self.probability, 4), "places": places}


@dataclass(frozen=True, slots=True)
class Verification:
    """One text.

    accepted: it says every act, nothing else, in whole English, as sure as the verifier asks for.
    score: higher is surer that all is right; what is accepted has at least 0.
    sound: it says nothing else, in whole English, as sure as the verifier asks for of these two alone.
    nothing_else, whole: probabilities that it says nothing that the input does not, and that it is whole English.
    """

    accepted: bool
    score: float
    acts: tuple[ClaimVerdict, ...]
    nothing_else: float
    whole: float
    sound: bool = True

    @property
    def refused(self) -> tuple[ClaimVerdict, ...]:
        """The acts that it does not say."""
        return tuple(each for each in self.acts if each.verdict != "said")

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "accepted": self.accepted,
            "score": round(self.score, 4),
            "acts": [each.as_dict() for each in self.acts],
            "nothing_else": round(self.nothing_else, 4),
            "whole_english": round(self.whole, 4),
        }
