"""A page of records where systems differ: chosen by rule, also where the first system does worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controldag.data.act_syntax import written
from controldag.data.records import Example
from controldag.metrics.background import Background
from controldag.metrics.measure import Measure
from controldag.metrics.suite import ERRORS, measures

_CLOSENESS = "chrf"


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is known of a system's texts, line by line: which errors they have, how close to a reference they are."""

    texts: Sequence[str]
    errors: Mapping[str, NDArray[np.bool_]]
    closeness: NDArray[np.float64]

    @classmethod
    def of(cls, found: Mapping[str, Measure], texts: Sequence[str]) -> _Judged:
        close = found[_CLOSENESS]
        errors = {name: found[name].statistics[:, 0] > 0 for name in ERRORS if name in found}
        return cls(texts, errors, np.nan_to_num(np.asarray(close.figure(close.statistics), np.float64)))

    @property
    def wrong(self) -> NDArray[np.bool_]:
        return np.asarray(np.any(list(self.errors.values()), axis=0))

    def names(self, line: int) -> str:
        return ", ".join(name for name, flags in self.errors.items() if flags[line])


def differences_page(
    examples: Sequence[Example],
    texts: Mapping[str, Sequence[str]],
    background: Background,
    *,
    show: int = 5,
    made: str = "",
) -> str:
    """Markdown: the first system against each other one, `show` records of a kind; `made`: by what, from what, when."""
    judged = {name: _Judged.of(measures(examples, said, background), said) for name, said in texts.items()}
    first = next(iter(texts))
    lines = [
        f"# Where systems differ: {first} against others",
        "",
        f"{len(examples):,} records. Of each kind {show}, no service twice before all have had a turn. Closeness is "
        "chrF of a text with its reference; errors are those of `controldag evaluate`, by their names there: none of "
        "them says which value is said of what.",
        "",
        *([made, ""] if made else []),
    ]
    for name in list(texts)[1:]:
        lines += _against(examples, (first, name), judged, show)
    return "\n".join(lines)


def _against(
    examples: Sequence[Example], names: tuple[str, str], judged: Mapping[str, _Judged], show: int
) -> Iterator[str]:
    one, other = judged[names[0]], judged[names[1]]
    same = np.asarray([a == b for a, b in zip(one.texts, other.texts, strict=True)])
    both_right = ~same & ~one.wrong & ~other.wrong
    closer = one.closeness - other.closeness
    yield f"## {names[0]} against {names[1]}"
    yield ""
    yield _sum_up(names, same, (one.wrong, other.wrong), closer)
    yield ""
    kinds = (
        (f"Only {names[1]} has an error", np.flatnonzero(~one.wrong & other.wrong)),
        (f"Only {names[0]} has an error", np.flatnonzero(one.wrong & ~other.wrong)),
        (f"No error, {names[0]} much closer", _largest(closer, both_right)),
        (f"No error, {names[1]} much closer", _largest(-closer, both_right)),
    )
    for title, lines in kinds:
        if len(lines):
            yield f"### {title}"
            yield ""
            for line in _spread(examples, lines.tolist(), show):
                yield from _record(examples[line], line, names, judged)


def _sum_up(
    names: tuple[str, str],
    same: NDArray[np.bool_],
    wrong: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    closer: NDArray[np.float64],
) -> str:
    """How often the two differ, and how."""
    right = ~same & ~wrong[0] & ~wrong[1]
    only = [int((wrong[each] & ~wrong[1 - each]).sum()) for each in (0, 1)]
    nearer = [int((right & (closer > 0)).sum()), int((right & (closer < 0)).sum())]
    return (
        f"{int(same.sum()):,} texts are the same. An error has only {names[1]} {only[1]:,} times, only {names[0]} "
        f"{only[0]:,} times. Of different texts without one, {nearer[0]:,} of {names[0]} and {nearer[1]:,} of "
        f"{names[1]} are closer to the reference."
    )


def _largest(values: NDArray[np.float64], among: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The lines with a value above 0, the largest first."""
    lines = np.flatnonzero(among & (values > 0))
    return lines[np.argsort(-values[lines], kind="stable")]


def _spread(examples: Sequence[Example], lines: Sequence[int], show: int) -> list[int]:
    """The first lines of every service, then the second ones, and so on."""
    turns: dict[str, int] = {}
    ranked = []
    for place, line in enumerate(lines):
        service = examples[line].service
        turns[service] = turns.get(service, 0) + 1
        ranked.append((turns[service], place, line))
    return [line for _, _, line in sorted(ranked)[:show]]


def _record(example: Example, line: int, names: tuple[str, str], judged: Mapping[str, _Judged]) -> Iterator[str]:
    about = f" ({example.service})" if example.service else ""
    yield f"**{example.id or line + 1}**{about}: {_code('; '.join(written(example)))}"
    yield ""
    yield f"- *reference*: {_plain(example.target)}"
    for name in names:
        errors = judged[name].names(line)
        said = judged[name].texts[line]
        yield f"- *{name}*{f' [{errors}]' if errors else ''}: {_plain(said) if said else '(no text)'}"
    yield ""


def _plain(text: str) -> str:
    """The text so that Markdown shows it as it is."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>|#" else each for each in " ".join(text.split()))


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"
