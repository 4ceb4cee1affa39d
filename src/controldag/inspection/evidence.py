"""Where a text is from, and what the verifier says of it: parts of the page of an inspection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from controldag.constraints.check import Checked
from controldag.drawing.markup import Markup, element
from controldag.generation.result import Result
from controldag.inspection.rows import table
from controldag.verifier.verdict import Verification

_ORIGINS = {
    "graph": "from the graph",
    "clauses": "from the graph, act by act",
    "templates": "from templates",
    "plain": "said plainly",
}
_VERDICTS = {"said": "said", "wrong": "said wrongly", "missing": "not said"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Of a text: which constraints it satisfies, and what the verifier says; None: it was not asked."""

    verdicts: tuple[Checked, ...] = ()
    verification: Verification | None = None

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the text, in words; none where nothing is known to be."""
        broken = [f"should {each.words}" for each in self.verdicts if not each.satisfied]
        if self.verification is None or self.verification.accepted:
            return tuple(broken)
        wrong = [f"{_VERDICTS[each.verdict]}: {each.claim}" for each in self.verification.refused]
        return (*broken, *(wrong or ["not accepted by the verifier"]))


def origin_line(result: Result) -> Iterator[Markup | str]:
    """Where the text is from, and whether it is verified, where a verifier was asked."""
    yield _ORIGINS.get(result.origin, result.origin)
    if result.verified is not None:
        yield ", "
        yield _coloured("verified" if result.verified else "not verified", good=result.verified)


def evidence(result: Result) -> Iterator[Markup]:
    """A row for each act or triple, and a line about the text as a whole."""
    rows = [
        element(
            "tr",
            element("td", each.claim),
            element("td", _coloured(_VERDICTS[each.verdict], good=each.verdict == "said")),
            element("td", _percent(each.probability), class_="cd-number"),
            element("td", ", ".join(f"“{result.text[b:e]}”" for b, e in each.places)),
        )
        for each in result.acts
    ]
    yield table(("act or triple", "verdict", "said rightly", "where"), rows)
    sure = (("nothing else is said", result.nothing_else), ("whole English", result.whole))
    yield element("p", ", ".join(f"{what}: {_percent(value)}" for what, value in sure if value is not None))


def _coloured(text: str, *, good: bool) -> Markup:
    return element("span", text, class_="cd-good" if good else "cd-broken")


def _percent(probability: float) -> str:
    return f"{100 * probability:.0f} %"
