"""The names of acts that the verifier knows, by number; any other act is read as `OTHER`."""

from __future__ import annotations

from controldag.verifier.claims import FACT

_SYSTEM = (
    FACT, "INFORM", "OFFER", "CONFIRM", "REQUEST", "INFORM_COUNT", "OFFER_INTENT", "NOTIFY_SUCCESS", "NOTIFY_FAILURE",
    "REQ_MORE", "GOODBYE", "SELECT", "GREET", "WELCOME", "THANK_YOU", "AFFIRM", "NEGATE", "CANT_UNDERSTAND",
    "GIVE_OPINION", "VERIFY_ATTRIBUTE", "SUGGEST", "REQUEST_EXPLANATION", "RECOMMEND", "REQUEST_ATTRIBUTE",
)  # fmt: skip
_USER = ("USER_INFORM", "USER_REQUEST", "USER_INFORM_INTENT", "USER_SELECT", "USER_AFFIRM", "USER_NEGATE")
OTHER = "OTHER"
HEADS = {name: number for number, name in enumerate((OTHER, *_SYSTEM, *_USER), start=1)}


def head_number(act: str) -> int:
    """The number of an act's name."""
    return HEADS.get(act, HEADS[OTHER])
