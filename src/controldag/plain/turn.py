"""A whole turn: its acts in the order in which people say such things, joined into sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from controldag.data.phrases import SWITCHES_OF_ACTS
from controldag.data.records import Act
from controldag.data.schema import Service
from controldag.data.templates import Templates
from controldag.plain.english import joined, sentence, singular, words_of
from controldag.plain.intents import failure_of, found, offer_of, success_of
from controldag.plain.lexicon import acts
from controldag.plain.slots import holds_names, introduced, names_a_thing, question, slot_of, statement, worded

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
    "GOODBYE": "Thank you, and goodbye!",
    "BYE": "Goodbye!",
    "THANK_YOU": "Thank you.",
    "AFFIRM": "Yes.",
    "NEGATE": "No.",
    "GREETING": "Hello!",
    "HELLO": "Hello!",
    "WELCOME": "Welcome!",
}
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
        # The offer that was named when the number of finds was said.
        self.named: Act | None = None

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
        return [sentence(f"{said[0]}{link} {introduced(slot, main.values, known=noun)}")]

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
        for said in map(self.clause, acts):
            clause = _offered(said) if as_offer else said
            if (
                waiting
                and len(waiting) + len(clause) <= _LONGEST_PAIR
                and not _is_heavy(waiting)
                and not _is_heavy(clause)
            ):
                sentences.append(sentence(f"{waiting}, and {clause}"))
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

    def offers(self, acts: Sequence[Act]) -> list[str]:
        """What is offered: the thing itself first where a value is its name, then what else is known of it."""
        if self.named in acts:
            return self.facts([act for act in acts if act != self.named], as_offer=True)
        first = self._main(acts)
        if first is not None:
            slot = slot_of(self.service, first.slot)
            opening = "options are" if len(first.values) > 1 else "one option is"
            rest = [act for act in acts if act is not first]
            return [sentence(f"{opening} {introduced(slot, first.values)}"), *self.facts(rest, as_offer=True)]
        clauses = [_offered(self.clause(act, "or")) for act in acts]
        return [sentence(f"I can offer the following: {_listed(clauses)}")]

    def _main(self, acts: Sequence[Act]) -> Act | None:
        """The act that names what is offered: one whose slot holds names, else the first one if it can stand so."""
        able = [act for act in acts if act.slot and names_a_thing(slot_of(self.service, act.slot), act.values)]
        named = (act for act in able if holds_names(slot_of(self.service, act.slot)))
        return next(named, acts[0] if acts[0] in able else None)

    def confirmation(self, acts: Sequence[Act]) -> list[str]:
        """One sentence that asks to confirm everything."""
        return [sentence(f"please confirm: {_listed([self.clause(act) for act in acts])}")]

    def requests(self, acts: Sequence[Act]) -> list[str]:
        """The questions; two short ones joined."""
        asked = list(self._questions(acts))
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


def _is_heavy(clause: str) -> bool:
    return ", " in clause or " and " in clause or ";" in clause


def _listed(clauses: Sequence[str]) -> str:
    """Clauses one after another, `and` before the last; semicolons where one of them holds a comma."""
    if len(clauses) < 2:
        return "".join(clauses)
    mark = ";" if any(", " in clause or ";" in clause for clause in clauses) else ","
    return f"{f'{mark} '.join(clauses[:-1])}{mark} and {clauses[-1]}"
