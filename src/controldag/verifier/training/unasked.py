"""What is to be confirmed, stated instead: `please confirm` and `is that right ?` go."""

from __future__ import annotations

import random

from controldag.verifier.training.draft import MISSING, Draft, World
from controldag.verifier.training.usage import Text

# What is left with one of these may still ask for a confirmation.
_ASKING = frozenset((
    "?", "confirm", "confirming", "confirmed", "confirmation", "correct", "right", "verify", "verifying", "ensure",
    "sure", "proceed", "you", "your",
))  # fmt: skip
_BEGINNING = 10


def unasked(draft: Draft, world: World, chance: random.Random) -> bool:
    """The same without the words that ask; False where what is left still asks, or nothing could go."""
    if any(claim.head != "CONFIRM" for claim in draft.claims):
        return False
    text = _without_question(_without_beginning(draft.text))
    if len(text) < 3 or text == draft.text or any(item in _ASKING for item in text):
        return False
    draft.text = text
    draft.verdicts = [MISSING] * len(draft.claims)
    return True


def _without_beginning(text: Text) -> Text:
    """Without `please confirm the following details :`."""
    begin = text[:_BEGINNING]
    if ":" not in begin or any(isinstance(item, int) for item in begin[: begin.index(":")]):
        return text
    return text[begin.index(":") + 1 :]


def _without_question(text: Text) -> Text:
    """Without a last sentence that asks and holds no value: `is that correct ?`."""
    if text[-1:] != ["?"]:
        return text
    end = max((i for i, item in enumerate(text[:-1]) if item in (".", ",")), default=-1)
    if end < 0 or any(isinstance(item, int) for item in text[end:]):
        return text
    return [*text[:end], "."]
