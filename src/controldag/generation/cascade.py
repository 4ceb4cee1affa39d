"""Every text verified, or said plainly: candidates in one order of preference, and the first that is accepted."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

from controldag.checkpoint.knowledge import Knowledge
from controldag.constraints import Length
from controldag.data.records import Act, Example, Triple
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.errors import ControlDagError, Infeasible, LatticeTooLarge, SearchTooLong
from controldag.generation.demands import Demands, verdicts
from controldag.generation.familiar import Familiarity, familiarity
from controldag.generation.result import Result
from controldag.search.exact import Limits
from controldag.search.result import Hypothesis
from controldag.verifier.english import wrong_small_words
from controldag.verifier.words import norms_of

if TYPE_CHECKING:
    from controldag.verifier.verdict import Verification
    from controldag.verifier.verifier import Verifier

CASCADE = "cascade"
Origin = Literal["graph", "clauses", "templates", "plain"]
# How likely a graph's text must be whole English: a plain sentence is at hand.
_WHOLE = 0.378
# How far over its bar the verifier must be of clauses.
_CLAUSES = 0.75
# What searching costs at most while plain sentences are at hand: the first text, further ones, clauses of single acts.
_FIRST_STATES = 300_000
_FIRST_SECONDS = 1.0
_MORE_TEXTS = 6
_MORE_STATES = 60_000
_MORE_SECONDS = 0.12
_CLAUSE_SECONDS = 0.1
_MOST_CLAUSES = 12
# The order in which a person says things; what is not here stands between facts and questions.
_ORDER = (
    "NOTIFY_SUCCESS", "NOTIFY_FAILURE", "INFORM_COUNT", "OFFER", "INFORM", "CONFIRM", "SELECT", "REQUEST",
    "OFFER_INTENT", "REQ_MORE", "GOODBYE",
)  # fmt: skip
_RANK = {act: rank for rank, act in enumerate(_ORDER)}
# What a search may meet where a sentence can still be said without one.
SEARCH_FAILURES = (Infeasible, LatticeTooLarge, SearchTooLong)


def patience(limits: Limits) -> Limits:
    """The limits of a first search: what takes longer is seldom accepted, and can be said without a search."""
    states, until = min(limits.max_states, _FIRST_STATES), min(limits.until, time.monotonic() + _FIRST_SECONDS)
    return replace(limits, max_states=states, until=until)


class Asked(Protocol):
    """A prepared request: what the cascade needs to know of it."""

    @property
    def example(self) -> Example: ...

    @property
    def demands(self) -> Demands: ...

    @property
    def length(self) -> Length | None:
        """The length that the request asks for, not the checkpoint's own."""

    def tokens(self, text: str) -> int:
        """How long a text is, `</s>` counted."""


class Searched(Asked, Protocol):
    """One whose graph is there: what the cascade may still ask of it."""

    def more(self, count: int, limits: Limits) -> list[str]:
        """The best texts of its graph."""

    def clauses(self, examples: Sequence[Example], limits: Limits) -> list[str | None]:
        """A text for each of these smaller inputs, all in one forward pass; None where none was found."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that keeps all constraints, and where it is from."""

    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Cascade:
    """The order of preference: the graph, the user's templates, plain sentences; then clauses act by act.

    Clauses come last since they read worse than plain sentences and are wrong more often (docs/decisions/0022): they
    serve where the user's constraints leave no plain sentence.
    """

    verifier: Verifier
    knowledge: Knowledge
    templates: Templates | None = None

    @property
    def schema(self) -> Schema | None:
        """Of the services that can be talked about."""
        return self.knowledge.schema

    def surer(self, example: Example) -> float:
        """By how much a graph's text must pass the verifier's bar, by whether the model learnt from such inputs."""
        return self._familiarity(example).bar

    def _familiarity(self, example: Example) -> Familiarity:
        return familiarity(example, self.knowledge, self.templates)

    def at_once(self, item: Asked, found: Result | None = None) -> Result | None:
        """What is said plainly, or by the user's templates, before any search: inputs of no kind that the model knows.

        None for all others, and where the user's constraints leave no plain sentence. `found`: a list of the graph's
        texts, which then stand behind.
        """
        if self._familiarity(item.example).searched:
            return None
        return self._first(item, found, self._written(item.example))

    def answer(self, item: Searched, found: Result | ControlDagError) -> Result | ControlDagError:
        """What was found if the verifier accepts it; else the first candidate that it accepts; else a plain sentence.

        Where the user's own constraints leave no plain sentence, what was found comes back with `verified` false.
        """
        if isinstance(found, Result):
            texts = list(dict.fromkeys([found.text, *(each.text for each in found.n_best)]))
            judged = self._verify(item.example, texts)
            surer = self.surer(item.example)
            pairs = zip(texts, judged, strict=True)
            accepted = {text: each for text, each in pairs if _passes(text, each, surer)}
            refused = self._told(item, found, Candidate(texts[0], "graph"), judged[0])
            # A list holds what is accepted, too.
            found = replace(found, n_best=tuple(each for each in found.n_best if each.text in accepted))
            at_once = self.at_once(item, found)
            if at_once is not None:
                return at_once
            for text, verification in accepted.items():
                return self._told(item, found, Candidate(text, "graph"), verification)
        elif isinstance(found, SEARCH_FAILURES):
            refused = None
        else:
            return found
        said = self._another(item, found)
        return said or refused or found

    def _another(self, item: Searched, found: Result | ControlDagError) -> Result | None:
        """The first of the other candidates that is sure enough; None where the constraints leave none."""
        base = found if isinstance(found, Result) else None
        at_hand = [*self._more(item, base), *self._written(item.example)]
        return self._first(item, base, at_hand) or self._first(item, base, self._clauses(item))

    def _first(self, item: Asked, base: Result | None, candidates: Sequence[Candidate]) -> Result | None:
        allowed = [each for each in candidates if self._allowed(item, each.text)]
        judged = self._verify(item.example, [each.text for each in allowed])
        for candidate, verification in zip(allowed, judged, strict=True):
            if _passes(candidate.text, verification, self._least(item.example, candidate.origin)):
                return self._told(item, base, candidate, verification)
        return None

    def _least(self, example: Example, origin: Origin) -> float:
        """How far over its bar the verifier must be; what is written is right by construction, whatever it says."""
        return self.surer(example) if origin == "graph" else _CLAUSES if origin == "clauses" else -math.inf

    def _more(self, item: Searched, base: Result | None) -> list[Candidate]:
        """Further texts of the graph."""
        if base is None:
            return []
        limits = Limits(max_states=_MORE_STATES, until=time.monotonic() + _MORE_SECONDS)
        return [Candidate(text, "graph") for text in item.more(_MORE_TEXTS, limits) if text != base.text]

    def _written(self, example: Example) -> list[Candidate]:
        """What the user's templates say, where they fit every act, and what is said plainly."""
        fits = self.templates is not None and example.acts
        if fits and all(self.templates.fitting(example.service, act) for act in example.acts):  # type: ignore[union-attr]
            return [Candidate(_plainly(example, self.schema, self.templates), "templates")]
        try:
            return [Candidate(_plainly(example, self.schema, self.templates), "plain")]
        except ControlDagError:
            return []  # nothing can be said of such an input; what was found stands

    def _clauses(self, item: Searched) -> list[Candidate]:
        """Each act or triple said alone, where that is accepted, else plainly."""
        singles = _singles(item.example)
        if not 2 <= len(singles) <= _MOST_CLAUSES:
            return []
        limits = Limits(max_states=_MORE_STATES, until=time.monotonic() + _CLAUSE_SECONDS)
        texts: list[str] = []
        for single, text in zip(singles, item.clauses(singles, limits), strict=True):
            if text is not None and self._verify(single, [text])[0].accepted:
                texts.append(_ended(text))
            else:
                texts.append(_plainly(single, self.schema, self.templates))
        return [Candidate(" ".join(texts), "clauses")]

    def _allowed(self, item: Asked, text: str) -> bool:
        """Whether the text holds what it must and what the user asks for.

        Its words are the graph's, which the search has seen to, or those of the input, its schema and our templates.
        """
        found = verdicts(item.demands, item.length, text, item.tokens(text), known_words=False)
        return all(each.satisfied for each in found)

    def _verify(self, example: Example, texts: Sequence[str]) -> list[Verification]:
        return self.verifier.verify(example, texts, self.schema)

    def _told(self, item: Asked, base: Result | None, candidate: Candidate, verification: Verification) -> Result:
        """The candidate as a result, with the verifier's evidence."""
        if base is not None and candidate.text == base.text:
            found = base
        else:
            ranked = base.n_best if base is not None else ()
            own = next((each for each in ranked if each.text == candidate.text), None)
            if own is None:
                ranked = (Hypothesis(candidate.text, (), (), 0.0, 0.0), *ranked)
            length = own.length if own is not None else item.tokens(candidate.text)
            found = Result(
                text=candidate.text,
                decoder=CASCADE,
                cost=own.cost if own is not None else 0.0,
                objective=own.objective if own is not None else 0.0,
                length=length,
                constraints=verdicts(item.demands, item.length, candidate.text, length, known_words=False),
                ms=base.ms if base is not None else {},
                n_best=ranked,
                id=base.id if base is not None else item.example.id,
            )
        return replace(
            found,
            decoder=CASCADE,
            origin=candidate.origin,
            verified=verification.accepted,
            acts=verification.acts,
            nothing_else=verification.nothing_else,
            whole=verification.whole,
        )


def _plainly(example: Example, schema: Schema | None, templates: Templates | None) -> str:
    """The input in plain sentences."""
    from controldag.plain import plain_text  # many tables, which most requests do without

    return plain_text(example, schema, templates)


def _singles(example: Example) -> list[Example]:
    """The input act by act or triple by triple, in the order in which a person says them."""
    acts: list[Act] = sorted(example.acts, key=lambda act: _RANK.get(act.act, _RANK["SELECT"]))
    triples: Sequence[Triple] = example.triples
    return [
        *(replace(example, acts=(act,), triples=()) for act in acts),
        *(replace(example, triples=(triple,), acts=()) for triple in triples),
    ]


def _passes(text: str, found: Verification, least: float) -> bool:
    """Whether the verifier is sure enough of a text; what is right by construction (-inf) needs no verdict."""
    if least == -math.inf:
        return True
    sure = found.score >= least and found.sound and found.whole >= _WHOLE
    return sure and _is_ended(text) and not wrong_small_words(norms_of(text))


def _is_ended(text: str) -> bool:
    """Whether the last sentence comes to its end: `Is there` does not."""
    return text.rstrip("\"')”’").endswith((".", "!", "?", "…"))


def _ended(text: str) -> str:
    """The text with a full stop where it has no sign at its end."""
    return text if _is_ended(text) else f"{text}."
