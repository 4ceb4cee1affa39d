"""A whole turn: its acts in the order in which people say such things, joined into sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from controldag.data.phrases import SWITCHES_OF_ACTS
from controldag.data.records import Act
from controldag.data.schema import Service
from controldag.data.templates import Templates
from controldag.plain.bookings import booking, is_venue
from controldag.plain.clauses import both, is_heavy, listed, listed_verbs, shared
from controldag.plain.english import joined, sentence, singular, with_article, words_of
from controldag.plain.intents import OPTION, failure_of, found, found_noun, offer_of, success_of
from controldag.plain.lexicon import acts, is_person
from controldag.plain.slots import holds_names, introduced, names_a_thing, question, slot_of, statement, worded
from controldag.plain.times import when
from controldag.plain.topic import detail, place_of, predicate
from controldag.plain.wording import VAGUE

_ORDER = (
    ("GREETING", "HELLO", "WELCOME", "THANK_YOU", "AFFIRM", "NEGATE", "NOTIFY_SUCCESS", "NOTIFY_FAILURE"),
    ("INFORM_COUNT",),
    ("INFORM", "OFFER", "SELECT"),
    ("CONFIRM",),
    ("REQUEST",),
    ("OFFER_INTENT", "INFORM_INTENT"),
    ("REQ_MORE",),
    ("GOODBYE", "BYE"),
)
_RANK = {act: rank for rank, acts in enumerate(_ORDER) for act in acts}
KNOWN_ACTS = frozenset(_RANK)
"""The acts that have sentences of their own; others are said like INFORM."""
_WITHOUT_SLOT = {
    "REQ_MORE": "Is there anything else I can help you with?",
    "GOODBYE": "Have a great day!",
    "BYE": "Goodbye!",
    "THANK_YOU": "Thank you.",
    "AFFIRM": "Yes.",
    "NEGATE": "No.",
    "GREETING": "Hello!",
    "HELLO": "Hello!",
    "WELCOME": "Welcome!",
}
# The day or the time of what is booked, not of something else that belongs to it.
_TIMES = re.compile(
    r"the (?:(?:appointment|reservation|booking|visit|meeting|lesson|class|session|tour|start|starting) )?"
    r"(?:date|time|day)(?: (?:of|for) the (?:appointment|reservation|booking|visit|meeting|lesson|class|session|tour))?"
)
# Words that say little alone, and enough where one thing is spoken of.
_TOLD = frozenset(("address", "rating", "price", "cost", "phone", "email"))
# Statements up to this length are joined in pairs.
_LONGEST_PAIR = 110


def say_acts(acts: Sequence[Act], service: Service | None, templates: Templates | None = None) -> str:
    """The text of a turn: sentences for all acts; those that a template of the user's fits are said by it."""
    ordered = sorted(map(_without_blanks, acts), key=lambda act: _RANK.get(act.act, 2))
    speaker = _Speaker(service, templates, ordered)
    sentences: list[str] = []
    for kind, group in groupby(ordered, key=lambda act: act.act):
        plain: list[Act] = []
        for act in group:
            own = speaker.by_template(act)
            if own is None:
                plain.append(act)
                continue
            sentences += speaker.all_of(kind, plain)
            plain = []
            sentences.append(own)
        sentences += speaker.all_of(kind, plain)
    return " ".join(sentences)


def _without_blanks(act: Act) -> Act:
    """The act with values stripped, empty ones left out and repeated ones said once."""
    values = dict.fromkeys(value for value in map(str.strip, act.values) if value)
    return replace(act, values=tuple(values))


def _merged(acts: Sequence[Act]) -> list[Act]:
    """Acts of one slot as one act with all values: three titles are three options, not one movie with three names."""
    found: list[Act] = []
    for act in acts:
        same = next((place for place, each in enumerate(found) if _is_list(each, act)), None)
        if same is None:
            found.append(act)
        else:
            found[same] = replace(found[same], values=(*found[same].values, *act.values))
    return found


def _is_list(one: Act, two: Act) -> bool:
    """Whether two acts give different names of one slot; a yes, a count or a value said twice is none."""
    if not two.slot or (one.act, one.slot) != (two.act, two.slot) or one.act == "INFORM_COUNT":
        return False
    values = (*one.values, *two.values)
    return bool(one.values and two.values) and len(set(values)) == len(values) and not set(values) & SWITCHES_OF_ACTS


class _Speaker:
    """Says the acts of one turn."""

    def __init__(self, service: Service | None, templates: Templates | None, turn: Sequence[Act]) -> None:
        self.service = service
        self.templates = templates
        self.turn = turn
        # Behind a failure an offer is another way, not a fact.
        self.failed = any(act.act == "NOTIFY_FAILURE" for act in turn)
        # The offer that was named when the number of finds was said.
        self.named: Act | None = None
        # Offers that stand beside that name: where the thing is.
        self.placed: list[Act] = []

    def by_template(self, act: Act) -> str | None:
        """What a template of the user's says; None where none fits, or where it would say `True` for a yes."""
        if self.templates is None or self.service is None:
            return None
        said = self.templates.fitting(self.service.name, act)
        raw = said is not None and any(value in SWITCHES_OF_ACTS and value in said for value in act.values)
        return None if raw else said

    def all_of(self, kind: str, acts: Sequence[Act]) -> list[str]:
        """The sentences for neighbouring acts of one kind."""
        acts = _merged(acts)
        if not acts:
            return []
        if kind in _WITHOUT_SLOT:
            return [_WITHOUT_SLOT[kind], *self.facts([act for act in acts if act.slot and act.values])]
        rules: dict[str, Callable[[Sequence[Act]], list[str]]] = {
            "NOTIFY_SUCCESS": self.success,
            "NOTIFY_FAILURE": self.failure,
            "INFORM_COUNT": self.counts,
            "OFFER": self.offers,
            "CONFIRM": self.confirmation,
            "REQUEST": self.requests,
            "OFFER_INTENT": self.intents,
        }
        return rules.get(kind, self.facts)(acts)

    def counts(self, acts: Sequence[Act]) -> list[str]:
        """How many things were found; what is offered of them is named in the same sentence."""
        offers = _merged([act for act in self.turn if act.act == "OFFER" and self.by_template(act) is None])
        slots = tuple(act.slot for act in self.turn if act.act in ("OFFER", "INFORM"))
        said = [found(self.service, act.values[0], slots) for act in acts if act.values]
        main = self._main(offers) if offers and len(said) == 1 else None
        if main is None:
            return [sentence(each) for each in said]
        slot = slot_of(self.service, main.slot)
        noun = singular(said[0].split(" ")[-1])
        if noun not in ("option", worded(slot).thing.split()[-1]):
            # Courses were found and teachers are offered: two sentences.
            return [sentence(said[0])]
        self.named = main
        link = ":" if acts[0].values[0] == str(len(main.values)) else ", for example"
        topic = worded(slot).thing if len(main.values) == 1 else ""
        return [sentence(f"{said[0]}{link} {introduced(slot, main.values, known=noun)}{self._placed(topic, offers)}")]

    def success(self, acts: Sequence[Act]) -> list[str]:
        """That the request was carried out, and what the acts say beside it."""
        return [sentence(success_of(self.service)), *self.facts([act for act in acts if act.slot and act.values])]

    def failure(self, acts: Sequence[Act]) -> list[str]:
        """That the request failed, and what the acts say beside it."""
        return [sentence(failure_of(self.service)), *self.facts([act for act in acts if act.slot and act.values])]

    def facts(self, acts: Sequence[Act], *, as_offer: bool = False) -> list[str]:
        """Statements, short ones joined in pairs."""
        sentences: list[str] = []
        waiting = ""
        for said in (self._in_context(self.clause(act)) for act in acts):
            clause = _offered(said) if as_offer else said
            if (
                waiting
                and len(waiting) + len(clause) <= _LONGEST_PAIR
                and not is_heavy(waiting)
                and not is_heavy(clause)
            ):
                sentences.append(sentence(both(waiting, clause)))
                waiting = ""
                continue
            if waiting:
                sentences.append(sentence(waiting))
            waiting = clause
        return [*sentences, sentence(waiting)] if waiting else sentences

    def clause(self, act: Act, conjunction: str = "and") -> str:
        """What one act states."""
        if not act.slot:
            said = " ".join(words_of(act.act)) or "note"
            return f"{said}: {joined(act.values)}" if act.values else said
        if act.slot == "intent":
            return f"you would like to {joined([offer_of(self.service, value) for value in act.values], 'or')}"
        if act.slot == "count" and act.values:
            return found(self.service, act.values[0], ())
        return statement(slot_of(self.service, act.slot), act.values, conjunction)

    def _in_context(self, clause: str) -> str:
        """The clause without the thing that the turn is about: `the address of the workshop is` as `the address is`."""
        owned = re.match(r"the ([\w-]+ )*([\w-]+)( (?:of|for) the ([\w -]+?)) (?:is|are) ", clause)
        topic = found_noun(self.service, ())
        if owned is None or owned[4] != topic or not (owned[1] or owned[2] in _TOLD or owned[2] not in VAGUE):
            return clause
        named = (slot_of(self.service, act.slot) for act in self.turn if act.slot and act.values)
        other = any(holds_names(slot) and worded(slot).thing != topic for slot in named)
        return clause if other else clause.replace(owned[3], "", 1)

    def offers(self, acts: Sequence[Act]) -> list[str]:
        """What is offered: the thing itself first where a value is its name, then what else is known of it."""
        first = self.named if self.named in acts else self._main(acts)
        if first is None:
            return self._nameless(acts)
        offered, rest = self._booking(acts, offered=True) if self.named not in acts else ("", acts)
        if offered:
            return self._offered_booking(offered, rest)
        slot = slot_of(self.service, first.slot)
        rest = [act for act in acts if act != first and act not in self.placed]
        topic = worded(slot).thing if len(first.values) == 1 else ""
        opening: list[str] = []
        if self.named not in acts:
            one = "another option is" if self.failed else "one option is"
            several = ("other options are" if self.failed else "options are") if len(first.values) > 1 else one
            known = found_noun(self.service, ())
            opening = [sentence(f"{several} {introduced(slot, first.values, known=known)}{self._placed(topic, rest)}")]
            rest = [act for act in rest if act not in self.placed]
        return [*opening, *self._told_of(topic, "it", rest)]

    def _placed(self, topic: str, acts: Sequence[Act]) -> str:
        """Where the topic is, as it follows its name: ` in San Jose`; these acts are then said."""
        places = {}
        for act in acts:
            said = place_of(slot_of(self.service, act.slot), act.values, topic) if topic and act.slot else None
            if said is not None and said[:2] not in places:
                places[said[:2]] = said
                self.placed.append(act)
        return "".join(f" {places[each]}" for each in ("at", "on", "in") if each in places)

    def _told_of(self, topic: str, subject: str, acts: Sequence[Act]) -> list[str]:
        """What is said of the topic in one sentence, and the rest."""
        able = [(act, self._predicate(act, topic)) for act in acts]
        said = [predicate for _, predicate in able if predicate]
        rest = self.facts([act for act, predicate in able if not predicate], as_offer=True)
        alone = said or subject.startswith("there ")
        return [sentence(f"{subject} {listed_verbs(said)}"), *rest] if alone else rest

    def _predicate(self, act: Act, topic: str) -> str | None:
        if not topic or not act.slot or act.slot == "count" or is_person(topic.split()[-1]):
            return None
        return predicate(slot_of(self.service, act.slot), act.values, topic)

    def _nameless(self, acts: Sequence[Act]) -> list[str]:
        """Offers of something without a name: `there is a bus that leaves at 9 am and costs $34`."""
        topic = found_noun(self.service, ())
        counts = [act.values[0] for act in self.turn if act.act == "INFORM_COUNT" and act.values]
        if topic != OPTION and any(self._predicate(act, topic) for act in acts):
            if not counts:
                opening = f"there is {with_article(topic)}{self._placed(topic, acts)}"
                acts = [act for act in acts if act not in self.placed]
                more = any(self._predicate(act, topic) for act in acts)
                return self._told_of(topic, f"{opening} that" if more else opening, acts)
            return self._told_of(topic, "it" if counts == ["1"] else "one of them", acts)
        offered, rest = self._booking(acts, offered=True)
        if offered.startswith(("a ", "an ")) or offered[:1].isdigit():
            return self._offered_booking(offered, rest)
        other = self._other_time(acts) if self.failed else ""
        if other:
            return [sentence(f"how about {other} instead", "?")]
        if topic == OPTION and not self.failed:
            return self.facts(acts, as_offer=True)
        clauses = [_offered(self.clause(act, "or")) for act in acts]
        if self.failed:
            # No facts: another way.
            return [sentence(f"another option is {listed([f'that {clause}' for clause in clauses])}")]
        return [sentence(f"I can offer the following: {listed(clauses)}")]

    def _offered_booking(self, offered: str, rest: Sequence[Act]) -> list[str]:
        """A booking that is offered, and what is no part of it; behind a failure it is no fact, but a way out."""
        facts = self.facts(rest, as_offer=True)
        if self.failed and facts:
            clauses = listed([_offered(self.clause(act, "or")) for act in rest])
            facts = [sentence(f"in that case, {clauses}")]
        return [sentence(f"I can offer {offered}{' instead' if self.failed else ''}"), *facts]

    def _other_time(self, acts: Sequence[Act]) -> str:
        """The one day, the one time, or both, that are offered in place of what failed: `Saturday at 10 am`."""
        able = all(_TIMES.fullmatch(worded(slot_of(self.service, act.slot)).subject) for act in acts if act.slot)
        points = [when(act.values[0]) if able and act.slot and len(act.values) == 1 else None for act in acts]
        if not points or len(points) > 2 or None in points:
            return ""
        said = sorted((point or "" for point in points), key=lambda point: point.startswith("at "))
        if len(said) == 2 and (said[0].startswith("at ") or not said[1].startswith("at ")):
            return ""
        return " ".join([said[0].removeprefix("on ").removeprefix("at "), *said[1:]])

    def _main(self, acts: Sequence[Act]) -> Act | None:
        """The act that names what is offered: one whose slot holds names, else the first one if it can stand so."""
        able = [act for act in acts if act.slot and names_a_thing(slot_of(self.service, act.slot), act.values)]
        named = [act for act in able if holds_names(slot_of(self.service, act.slot))]
        topic = found_noun(self.service, ())
        named.sort(key=lambda act: worded(slot_of(self.service, act.slot)).thing != topic)
        return next(iter(named), acts[0] if acts and acts[0] in able else None)

    def confirmation(self, acts: Sequence[Act]) -> list[str]:
        """One sentence that asks to confirm everything; a second one for what is no part of the booking itself."""
        booking, rest = self._booking(acts)
        if not booking:
            return [sentence(f"please confirm: {listed([self.clause(act) for act in acts])}")]
        clauses = [f"that {self.clause(act)}" for act in rest]
        also = [sentence(f"please also confirm {listed(clauses)}")] if rest else []
        return [sentence(f"please confirm: {booking}"), *also]

    def _booking(self, acts: Sequence[Act], *, offered: bool = False) -> tuple[str, Sequence[Act]]:
        """What is booked with place, day, time and number, as one phrase, and the acts that are no part of it.

        offered: "" unless there is a day or a time among them, which may then stand alone.
        """
        main = self._main([act for act in acts if len(act.values) == 1])
        slot = slot_of(self.service, main.slot) if main is not None else None
        topic = worded(slot).thing if slot is not None else ""
        details = {
            act: detail(slot_of(self.service, act.slot), act.values, topic)
            for act in acts
            if act is not main and act.slot
        }
        if offered and not any(each and each.kind in ("day", "clock") for each in details.values()):
            return "", acts
        name = introduced(slot, main.values, known=topic if is_venue(topic) else "") if slot and main else ""
        return booking(name, topic or found_noun(self.service, ()), main, acts, details, least=1 if offered else 2)

    def requests(self, acts: Sequence[Act]) -> list[str]:
        """The questions; two short ones joined."""
        asked = shared(list(self._questions(acts)))
        if len(asked) == 2 and sum(map(len, asked)) <= _LONGEST_PAIR and not any(", " in each for each in asked):
            return [sentence(f"{asked[0]}, and {asked[1]}", "?")]
        return [sentence(each, "?") for each in asked]

    def _questions(self, acts: Sequence[Act]) -> Iterator[str]:
        for act in acts:
            if act.slot == "intent" or not act.slot:
                yield "what would you like to do" if not act.values else self.clause(act)
            else:
                yield question(slot_of(self.service, act.slot), act.values)

    def intents(self, acts: Sequence[Act]) -> list[str]:
        """Offers to do something."""
        actions = [offer_of(self.service, value) for act in acts for value in act.values if act.slot in ("intent", "")]
        facts = [act for act in acts if act.slot not in ("intent", "")]
        asked = [sentence(f"would you like to {joined(actions, 'or')}", "?")] if actions else []
        return [*self.facts(facts), *asked]


def _offered(clause: str) -> str:
    """What the reader would do as something the reader can do: `you can bring the car in`."""
    words = clause.split(" ", 2)
    return f"you can {clause[4:]}" if words[0] == "you" and len(words) > 2 and acts(words[1]) else clause
