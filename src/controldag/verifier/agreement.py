"""Where words of a text agree with words of claims, and what they then have to do with each claim.

Written once for numpy, which runs the verifier, and torch, which trains it: `xp` is one of the two modules.
"""

from __future__ import annotations

from typing import Any

from controldag.verifier.claims import DESCRIPTION, NAME, SUBJECT, VALUE
from controldag.verifier.sides import ClaimSide, TextSide

# What a word of the text has to do with a claim.
RELATIONS = 8
NOTHING, OWN_VALUE, OWN_NAME, OWN_DESCRIPTION, OTHER_VALUE, OTHER_NAME, OF_SERVICE, OWN_SUBJECT = range(RELATIONS)
# How a word of the text and a word of a claim agree.
MATCHES = 4


def matches(claims: ClaimSide, texts: TextSide, xp: Any) -> Any:
    """By word of the text and word of the claims, [B, T, S]: 0 nothing, 1 stem, 2 form, 3 both in one value."""
    stem = _same(texts.words.stem, claims.words.stem)
    form = _same(texts.words.form, claims.words.form)
    value = _same(texts.value, claims.value)
    return xp.where(value, 3, xp.where(form, 2, xp.asarray(stem, dtype=xp.int64)))


def relations(claims: ClaimSide, texts: TextSide, places: Any, xp: Any) -> Any:
    """By claim (and last, for the text as a whole) and word of the text: what they have to do, [B, A + 1, T].

    `places`: the numbers of the claims, from 0.
    """
    mine = xp.asarray(claims.claim[:, :, None] == places, dtype=xp.float32)
    stem = _same(texts.words.stem, claims.words.stem) & (texts.value == 0)[:, :, None]
    value = _same(texts.value, claims.value)
    field = claims.field[:, None, :]

    def by_claim(which: Any) -> tuple[Any, Any]:
        own = (xp.asarray(which, dtype=xp.float32) @ mine > 0).swapaxes(1, 2)
        anywhere = which.any(-1)[:, None, :]
        return xp.concatenate([own, xp.zeros_like(anywhere)], 1), anywhere

    own_value, any_value = by_claim(value & (field == VALUE))
    own_subject, any_subject = by_claim(value & (field == SUBJECT))
    own_name, any_name = by_claim(stem & (field == NAME))
    own_description, any_description = by_claim(stem & (field == DESCRIPTION))
    service = (stem & (claims.claim[:, None, :] < 0)).any(-1)[:, None, :]
    found = xp.zeros_like(own_value, dtype=xp.int64)
    for relation, where in (
        (OF_SERVICE, service),
        (OTHER_NAME, any_name | any_description),
        (OWN_DESCRIPTION, own_description),
        (OWN_NAME, own_name),
        (OTHER_VALUE, any_value | any_subject),
        (OWN_SUBJECT, own_subject),
        (OWN_VALUE, own_value),
    ):
        found = xp.where(where, relation, found)
    return found


def _same(texts: Any, claims: Any) -> Any:
    return (texts[:, :, None] == claims[:, None, :]) & (texts > 0)[:, :, None]
