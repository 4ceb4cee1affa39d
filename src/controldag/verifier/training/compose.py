"""Texts put together from texts of single acts: what each part says is known, so a part can be forgotten or wrong.

A model that knows two ways to ask one question asks both and forgets the other; turns of people never do.
"""

from __future__ import annotations

import random
from dataclasses import replace

from controldag.verifier.claims import FACT
from controldag.verifier.training.draft import MISSING, SAID, UNKNOWN, WRONG, Draft, World, add_value, draft_of, kind
from controldag.verifier.training.records import Record, Said
from controldag.verifier.training.usage import Text

_MOST_PARTS = 4


def compose(draft: Draft, world: World, chance: random.Random) -> bool:
    """A draft of one claim and up to three more of its service, all said or one not.

    False where it has more than one.
    """
    singles = world.singles.get(draft.service, ())
    if len(draft.claims) != 1 or len(singles) < 2:
        return False
    parts = [Record(draft.source, draft.service, draft.claims, draft.values, draft.text)]
    for _ in range(chance.choice((1, 1, 2, _MOST_PARTS - 1))):
        other = world.records[chance.choice(singles)]
        if all(_apart(other.claims[0], part.claims[0]) for part in parts):
            parts.append(other)
    if len(parts) < 2:
        return False
    chance.shuffle(parts)
    texts = list(parts)
    verdicts = [SAID] * len(parts)
    fate = chance.random()
    if fate < 0.3:
        verdicts[-1] = MISSING
        texts.pop()
    elif fate < 0.6 and (again := world.same_said(draft_of(parts[0]), chance)) is not None:
        verdicts[-1] = MISSING
        texts[-1] = replace(parts[0], text=again)
    elif fate < 0.8 and (other_text := _of_another(parts, world.records[chance.choice(singles)])) is not None:
        verdicts[-1] = WRONG if parts[-1].values else MISSING
        texts[-1] = replace(parts[-1], text=other_text)
    _write(draft, parts, texts, chance)
    draft.verdicts = verdicts
    return True


def _apart(one: Said, two: Said) -> bool:
    """Whether two claims of one speaker are about different things: saying one does not say the other."""
    if one.head.startswith("USER_") != two.head.startswith("USER_") or "GOODBYE" in (one.head, two.head):
        return False
    return (kind(one.head), one.key) != (kind(two.head), two.key)


def _of_another(parts: list[Record], other: Record) -> Text | None:
    """A text for the last part that says something else of its values; None where it would say the same."""
    mine, theirs = parts[-1].claims[0], other.claims[0]
    like = kind(theirs.head) == kind(mine.head) and theirs.worded == mine.worded and theirs.key != mine.key
    if not like or len(other.values) != len(parts[-1].values) or (theirs.subject < 0) != (mine.subject < 0):
        return None
    if not all(_apart(theirs, part.claims[0]) for part in parts):
        return None
    turned = dict(zip((theirs.subject, *theirs.values), (mine.subject, *mine.values), strict=False))
    text = [turned.get(item, -1) if isinstance(item, int) else item for item in other.text]
    return None if -1 in text else text


def _write(draft: Draft, parts: list[Record], texts: list[Record], chance: random.Random) -> None:
    """The parts' claims and the texts, one after another, with the values of all."""
    draft.values, draft.claims, draft.text = [], [], []
    for part in parts:
        claim = part.claims[0]
        values = tuple(add_value(draft, part.values[v]) for v in claim.values)
        subject = add_value(draft, part.values[claim.subject]) if claim.subject >= 0 else -1
        draft.claims.append(Said(claim.head, claim.key, values, subject, claim.worded))
    for text in texts:
        numbers = [add_value(draft, value) for value in text.values]
        if draft.text and draft.text[-1] in ("?", ".") and chance.random() < 0.4:
            draft.text = [*draft.text[:-1], chance.choice(("and", "and", ",", ", and"))]
            draft.text = [w for item in draft.text for w in (item.split(" ") if isinstance(item, str) else (item,))]
        draft.text += [item if isinstance(item, str) else numbers[item] for item in text.text]
    if draft.claims[0].head == FACT or any(text.source != "sgd" for text in texts):
        draft.extra = UNKNOWN
    draft.broken = UNKNOWN
