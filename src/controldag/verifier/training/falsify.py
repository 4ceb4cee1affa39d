"""Ways to make a claim false: each changes a draft, marks the verdicts it knows, and says whether it could."""

from __future__ import annotations

import random
from collections.abc import Callable

from controldag.verifier.claims import FACT
from controldag.verifier.training.draft import (
    MISSING,
    SAID,
    UNKNOWN,
    WRONG,
    Draft,
    World,
    add_value,
    held,
    in_text,
    kind,
)
from controldag.verifier.training.foreign import foreign_text
from controldag.verifier.training.misnamed import another_intent, another_slot
from controldag.verifier.training.records import Record, Said
from controldag.verifier.training.unasked import unasked
from controldag.verifier.words import is_content, stem

Way = Callable[[Draft, World, random.Random], bool]
_OPPOSITE = {"true": "false", "false": "true", "yes": "no", "no": "yes"}
_OTHER_HEADS = {
    "NOTIFY_SUCCESS": ("NOTIFY_FAILURE", "REQ_MORE"), "NOTIFY_FAILURE": ("NOTIFY_SUCCESS",),
    "REQ_MORE": ("GOODBYE", "NOTIFY_SUCCESS", "NOTIFY_FAILURE"), "GOODBYE": ("REQ_MORE", "NOTIFY_SUCCESS"),
    "CONFIRM": ("INFORM", "OFFER"), "INFORM": ("CONFIRM",), "OFFER": ("CONFIRM",),
}  # fmt: skip
_SLOTLESS = ("NOTIFY_SUCCESS", "NOTIFY_FAILURE", "REQ_MORE", "GOODBYE")
_ABOUT_SERVICE = frozenset({"INFORM_COUNT", "OFFER", "CONFIRM", "NOTIFY_SUCCESS"})
_SENTENCE_END = frozenset(".?!")


def exchange_values(draft: Draft, world: World, chance: random.Random) -> bool:
    """Two values of different slots change places in the text."""
    there = in_text(draft)
    owners: dict[int, list[int]] = {}
    for place, claim in enumerate(draft.claims):
        for value in claim.values:
            owners.setdefault(value, []).append(place)
        if claim.subject >= 0:
            owners.setdefault(claim.subject, []).append(place)
    able = [value for value in owners if value in there]
    pairs = [(a, b) for a in able for b in able if a < b and _differ(draft, owners[a], owners[b])]
    if not pairs:
        return False
    one, two = chance.choice(pairs)
    turned = {one: two, two: one}
    draft.text = [turned.get(item, item) if isinstance(item, int) else item for item in draft.text]
    for place in {*owners[one], *owners[two]}:
        draft.verdicts[place] = WRONG
    draft.broken = UNKNOWN
    return True


def _differ(draft: Draft, one: list[int], two: list[int]) -> bool:
    """Whether exchanging the values of these claims changes what is said."""
    if set(one) & set(two):
        return any(draft.claims[p].head == FACT for p in set(one) & set(two))
    keys = [{(draft.claims[p].key, draft.claims[p].subject) for p in side} for side in (one, two)]
    return not keys[0] & keys[1]


def opposite(draft: Draft, world: World, chance: random.Random) -> bool:
    """Yes becomes no."""
    able = [p for p, claim in enumerate(draft.claims) if any(w in _OPPOSITE for w in claim.worded)]
    if not able:
        return False
    place = chance.choice(able)
    claim = draft.claims[place]
    turned = tuple(_OPPOSITE.get(w, w) for w in claim.worded)
    draft.claims[place] = Said(claim.head, claim.key, claim.values, claim.subject, turned)
    draft.verdicts[place] = WRONG
    return True


def another_head(draft: Draft, world: World, chance: random.Random) -> bool:
    """An act becomes another: success a failure, a confirmation a statement (all of them, as they come together)."""
    able = [claim.head for claim in draft.claims if claim.head in _OTHER_HEADS]
    if not able:
        return False
    old = chance.choice(able)
    new = chance.choice(_OTHER_HEADS[old])
    if any(claim.head == new and not claim.key for claim in draft.claims):
        return False
    for place, claim in enumerate(draft.claims):
        if claim.head == old and draft.verdicts[place] == SAID:
            draft.claims[place] = Said(new, claim.key, claim.values, claim.subject, claim.worded)
            draft.verdicts[place] = WRONG
    return True


def more_claims(draft: Draft, world: World, chance: random.Random) -> bool:
    """One more claim, which the text leaves out."""
    if draft.claims[0].head != FACT and chance.random() < 0.35:
        head = chance.choice(_SLOTLESS)
        if any(claim.head in (head, "GOODBYE") for claim in draft.claims):
            return False
        new = Said(head)
    else:
        other = world.another(draft.service, chance)
        able = [c for c in other.claims if c.key and all(c.key != d.key for d in draft.claims)]
        if not able:
            return False
        new = chance.choice(able)
        values = tuple(add_value(draft, other.values[v]) for v in new.values)
        subject = add_value(draft, other.values[new.subject]) if new.subject >= 0 else -1
        if new.head == FACT and chance.random() < 0.7:
            subject = draft.claims[0].subject
        if new.values and (set(values) & in_text(draft)):
            return False
        new = Said(new.head, new.key, values, subject, new.worded)
    place = chance.randrange(len(draft.claims) + 1)
    draft.claims.insert(place, new)
    draft.verdicts.insert(place, MISSING)
    return True


def fewer_claims(draft: Draft, world: World, chance: random.Random) -> bool:
    """One claim less: the text says something that the input does not."""
    if len(draft.claims) < 2:
        return False
    place = chance.randrange(len(draft.claims))
    gone = draft.claims[place]
    rest = [claim for p, claim in enumerate(draft.claims) if p != place]
    if any(claim.key == gone.key and claim.head == gone.head for claim in rest):
        return False
    del draft.claims[place], draft.verdicts[place]
    if not gone.values or set(gone.values) & held(draft):
        draft.extra = 1 if not gone.values else UNKNOWN
        return True
    draft.extra = 1
    return True


def another_value(draft: Draft, world: World, chance: random.Random) -> bool:
    """A value is another one in the text than in the claims."""
    there = in_text(draft)
    able = [(p, v) for p, c in enumerate(draft.claims) for v in c.values if v in there and draft.verdicts[p] == SAID]
    if not able:
        return False
    place, value = chance.choice(able)
    other = world.another(draft.service, chance)
    key = draft.claims[place].key
    found = [other.values[v] for claim in other.claims if claim.key == key for v in claim.values]
    words = found[0] if found else tuple(chance.choice(world.names).split())
    if words == draft.values[value] or words in draft.values:
        return False
    draft.text = [w for item in draft.text for w in (words if item == value else (item,))]
    for p, claim in enumerate(draft.claims):
        if value in claim.values or claim.subject == value:
            draft.verdicts[p] = WRONG
    draft.extra = UNKNOWN if draft.extra == UNKNOWN else 1
    return True


def value_for_value(draft: Draft, world: World, chance: random.Random) -> bool:
    """One value stands where another should, and its own place too: `A, B or B`."""
    owners = {v: p for p, claim in enumerate(draft.claims) for v in claim.values if draft.verdicts[p] == SAID}
    able = sorted(set(owners) & in_text(draft))
    if len(able) < 2:
        return False
    gone, instead = chance.sample(able, 2)
    draft.text = [instead if item == gone else item for item in draft.text]
    for place, claim in enumerate(draft.claims):
        if gone in claim.values:
            draft.verdicts[place] = MISSING
        elif claim.subject == gone or (instead in claim.values and place != owners[gone]):
            draft.verdicts[place] = UNKNOWN
    draft.extra = draft.broken = UNKNOWN
    return True


def another_text(draft: Draft, world: World, chance: random.Random) -> bool:
    """The text of another turn of the service, with these values planted in it."""
    for _ in range(6):
        other = world.another(draft.service, chance)
        if len(other.claims) == len(draft.claims) and len(other.values) == len(draft.values) and other.text:
            break
    else:
        return False
    if other.claims and other.claims[0].head == FACT:
        return _another_fact_text(draft, other)
    planted: dict[int, int] = {}
    left = list(range(len(draft.claims)))
    verdicts = [MISSING] * len(draft.claims)
    unmatched = []
    for theirs in other.claims:
        mine = next((p for p in left if _same_claim(draft.claims[p], theirs)), None)
        if mine is None:
            unmatched.append(theirs)
            continue
        left.remove(mine)
        verdicts[mine] = SAID if draft.claims[mine].worded == theirs.worded else WRONG
        planted.update(zip(theirs.values, draft.claims[mine].values, strict=True))
    for theirs in unmatched:
        mine = next((p for p in left if len(draft.claims[p].values) == len(theirs.values)), None)
        if mine is not None:
            left.remove(mine)
            if theirs.values:
                verdicts[mine] = WRONG
                draft.broken = UNKNOWN  # a number where a name should stand may make a reader stumble
            planted.update(zip(theirs.values, draft.claims[mine].values, strict=True))
    draft.text = [w for item in other.text for w in _planted(item, planted, other.values)]
    draft.verdicts = verdicts
    if unmatched:
        draft.extra = 1
    return True


def _planted(item: str | int, planted: dict[int, int], values: list[tuple[str, ...]]) -> tuple[str | int, ...]:
    if isinstance(item, str):
        return (item,)
    return (planted[item],) if item in planted else values[item]


def _same_claim(mine: Said, theirs: Said) -> bool:
    return mine.key == theirs.key and kind(mine.head) == kind(theirs.head) and len(mine.values) == len(theirs.values)


def _another_fact_text(draft: Draft, other: Record) -> bool:
    if len(draft.claims) != 1 or len(draft.values) != 2 or other.claims[0].key == draft.claims[0].key:
        return False
    theirs, mine = other.claims[0], draft.claims[0]
    turned = dict(zip((theirs.subject, *theirs.values), (mine.subject, *mine.values), strict=False))
    if len(turned) != 2 or -1 in turned:
        return False
    draft.text = [w for item in other.text for w in _planted(item, turned, other.values)]
    draft.verdicts = [WRONG]
    draft.extra = draft.broken = UNKNOWN
    return True


def turned_round(draft: Draft, world: World, chance: random.Random) -> bool:
    """Subject and object of a triple are exchanged."""
    able = [p for p, c in enumerate(draft.claims) if c.head == FACT and c.subject >= 0 and len(c.values) == 1]
    if not able:
        return False
    place = chance.choice(able)
    claim = draft.claims[place]
    draft.claims[place] = Said(claim.head, claim.key, (claim.subject,), claim.values[0])
    draft.verdicts[place] = WRONG
    return True


def another_thing(draft: Draft, world: World, chance: random.Random) -> bool:
    """A word by which the text names a slot or the service becomes another: a salon for a therapist."""
    stems: dict[str, set[int]] = {}
    for place, claim in enumerate(draft.claims):
        for name, description in world.wordings.ways.get(claim.key, ()):
            for word in (*name, *description):
                if is_content(word):
                    stems.setdefault(stem(word), set()).add(place)
    for way in world.wordings.services.get(draft.service, ()):
        for word in way:
            if is_content(word):
                stems.setdefault(stem(word), {-1})
    able = [i for i, w in enumerate(draft.text) if isinstance(w, str) and stem(w) in stems]
    if not able:
        return False
    spot = chance.choice(able)
    old = draft.text[spot]
    assert isinstance(old, str)
    word = _word_of_another_slot(world, chance) if chance.random() < 0.8 else chance.choice(world.content)
    if stem(word) in stems or not is_content(word):
        return False
    draft.text = [word if w == old else w for w in draft.text]
    places = stems[stem(old)]
    if places == {-1}:
        places = {p for p, c in enumerate(draft.claims) if c.head in _ABOUT_SERVICE}
        if len(places) != 1:
            draft.verdicts = [UNKNOWN] * len(draft.claims)
            draft.extra = 1
            return True
    for place in places:
        draft.verdicts[place] = WRONG if len(places) == 1 else UNKNOWN
    draft.extra = UNKNOWN if len(places) == 1 else 1
    draft.broken = UNKNOWN
    return True


def _word_of_another_slot(world: World, chance: random.Random) -> str:
    key = chance.choice(world.keys)
    name, description = chance.choice(world.wordings.ways[key])
    return chance.choice((*name, *description) or ("thing",))


def one_sentence_less(draft: Draft, world: World, chance: random.Random) -> bool:
    """A sentence goes, and with it the values that stand in it alone."""
    ends = [i for i, w in enumerate(draft.text) if w in _SENTENCE_END]
    if len(ends) < 2 or any(not c.values for c in draft.claims):
        return False
    borders = [-1, *ends]
    which = chance.randrange(len(ends))
    begin, end = borders[which] + 1, borders[which + 1] + 1
    gone = {w for w in draft.text[begin:end] if isinstance(w, int)}
    draft.text = draft.text[:begin] + draft.text[end:]
    gone -= in_text(draft)
    if not gone or not draft.text:
        return False
    for place, claim in enumerate(draft.claims):
        if gone & set(claim.values):
            draft.verdicts[place] = MISSING
        elif claim.subject in gone:
            draft.verdicts[place] = UNKNOWN
    return True


def one_sentence_more(draft: Draft, world: World, chance: random.Random) -> bool:
    """A sentence of another turn joins the text."""
    other = world.another(draft.service, chance)
    known = {(kind(c.head), c.key) for c in draft.claims}
    if not 1 <= len(other.claims) <= 2 or any((kind(c.head), c.key) in known for c in other.claims):
        return False
    about = {other.claims[0].subject: draft.claims[0].subject} if draft.claims[0].subject >= 0 else {}
    more = [w for item in other.text for w in _planted(item, about, other.values)]
    draft.text = [*draft.text, *more] if chance.random() < 0.7 else [*more, *draft.text]
    draft.extra = 1
    return True


ACT_WAYS: tuple[tuple[Way, float], ...] = (
    (exchange_values, 3.0), (another_slot, 4.0), (another_intent, 1.5), (opposite, 2.0), (another_head, 2.5),
    (more_claims, 1.2), (fewer_claims, 1.2), (another_value, 0.8), (another_text, 4.0), (another_thing, 2.0),
    (one_sentence_less, 0.8), (one_sentence_more, 0.8), (foreign_text, 3.0), (value_for_value, 0.8),
    (unasked, 2.0),
)  # fmt: skip
FACT_WAYS: tuple[tuple[Way, float], ...] = (
    (exchange_values, 4.0), (another_slot, 3.5), (opposite, 1.0), (more_claims, 1.2), (fewer_claims, 1.2),
    (another_value, 0.8), (another_text, 1.5), (turned_round, 2.0), (another_thing, 1.5), (one_sentence_less, 1.0),
    (value_for_value, 0.8), (one_sentence_more, 1.2),
)  # fmt: skip
