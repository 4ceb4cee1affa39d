"""The reproduction as a page: our figures with the paper's beside them, what differs and why, and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from controldag.metrics.bleurt import NO_CHECKPOINT
from recipes.reproduce.rows import Row, TaskTables
from recipes.reproduce.scores import RowResult

_TITLES = {1: "Table 1", 2: "Table 2", 3: "Table 3", 0: "Rows the paper lacks"}
_NAMES = {
    "bleu": "BLEU", "bleu_single": "BLEU", "bp": "BP", "bp_single": "BP", "bleurt": "BLEURT",
    "neo": "NEO", "ser": "SER", "eor": "EOR",
}  # fmt: skip
# In percent of texts, by `verifier-check`.
_MEANING = {"meaning_text": "wrong meaning", "broken_text": "broken"}
_CONSTRAINED_BEAM = "ar-constrained-beam"
MISSING = "–"

Shown = Callable[[Row, Mapping[str, Any]], str]


def page(
    tables: TaskTables,
    results: Sequence[RowResult],
    compared: Sequence[Mapping[str, Any]],
    *,
    heading: str,
    is_test: bool,
) -> str:
    """Markdown. The paper's figures stand beside ours only where the data is test data, as theirs was."""
    by_key = {result.row.key: result for result in results}
    lines = [f"# {tables.title}", "", heading, "", *_models(results)]
    if is_test:
        lines += ["Where the paper has a figure, it stands in brackets behind ours.", ""]
    else:
        lines += ["This is no test data: the paper's figures, which are, do not stand beside these.", ""]
    if all(result.report is None or result.report["bleurt"] is None for result in results):
        lines += [f"BLEURT: {NO_CHECKPOINT}.", ""]
    for table in sorted({row.table for row in tables.rows}, key=lambda number: number or 99):
        rows = [row for row in tables.rows if row.table == table]
        lines += [f"## {_TITLES[table]}", "", *_table(tables, rows, by_key, beside=is_test), ""]
    lines += _comparison_lines(tables, compared)
    lines += ["## Where we differ", "", *(f"- {note}" for note in _used_notes(tables)), ""]
    return "\n".join(lines)


def _models(results: Sequence[RowResult]) -> list[str]:
    """Which model each role of the tables stands for."""
    found = ((r.row.role, (r.report or {}).get("system", {}).get("model")) for r in results if r.row.model)
    known = {role: name for role, name in found if name}
    return [f"Models: {'; '.join(f'*{role}* is `{name}`' for role, name in known.items())}.", ""] if known else []


def _table(tables: TaskTables, rows: Sequence[Row], by_key: Mapping[str, RowResult], *, beside: bool) -> Iterator[str]:
    columns = list(_columns(tables, by_key, beside=beside))
    yield f"| # | decoding | {' | '.join(heading for heading, _ in columns)} |"
    yield f"|{'---|' * (len(columns) + 2)}"
    for row in rows:
        result = by_key[row.key]
        if result.report is None:
            cells = [f"*{result.missing}*", *[""] * (len(columns) - 1)]
        else:
            cells = [cell(row, result.report) for _, cell in columns]
        yield f"| {row.number or ''} | {row.label} | {' | '.join(cells)} |"


def _columns(tables: TaskTables, by_key: Mapping[str, RowResult], *, beside: bool) -> Iterator[tuple[str, Shown]]:
    """Headings, and what stands below them for a row with a report."""

    def figure(name: str) -> Shown:
        return lambda row, report: _beside(report[name], row.paper.get(name) if beside else None)

    def part(name: str) -> Shown:
        return lambda row, report: shown(report["splits"].get(name, {}).get(tables.bleu))

    def unseen(name: str) -> Shown:
        return lambda row, report: shown(report["splits"].get("unseen", {}).get(name))

    for name in (tables.bleu, tables.bleu.replace("bleu", "bp"), "bleurt", *tables.errors):
        yield _NAMES[name], figure(name)
    if tables.bleu != "bleu":
        yield "BLEU, 3 references", figure("bleu")
    yield "BLEU seen", part("seen")
    yield "BLEU unseen", part("unseen")
    if "ser" in tables.errors:
        yield "strict SER", figure("ser_strict")
    yield "strict NEO", figure("neo_strict")
    yield "independent NEO", figure("neo_independent")
    yield "unsupported", figure("unsupported")
    yield "no text", lambda row, report: f"{report['fallbacks']:,}"
    yield "errors in 10,000", lambda row, report: f"{errors_per_10_000(report):,}"
    for name, heading in _MEANING.items():
        yield heading, figure(name)
        yield f"{heading}, unseen", unseen(name)
    yield "p50 ms", figure("p50_ms")
    yield "p99 ms", figure("p99_ms")
    yield "speed-up", lambda row, report: _speed_up(tables, row, by_key, beside=beside)


def errors_per_10_000(report: Mapping[str, Any]) -> int:
    """How many of 10,000 texts have an error of any kind; at least 1 where any text has one."""
    share = report["any_error"]
    return 0 if not share else max(1, round(100 * share))


def _speed_up(tables: TaskTables, row: Row, by_key: Mapping[str, RowResult], *, beside: bool) -> str:
    """Against constrained beam search of the autoregressive twin, median latencies; the paper's from its times."""
    base_row = next((each for each in tables.rows if each.decoder == _CONSTRAINED_BEAM and each.table), None)
    if base_row is None:
        return MISSING
    base, own = by_key[base_row.key].report, by_key[row.key].report
    ours = None
    if base and own and base["p50_ms"] and own["p50_ms"] and base["timed_on"] == own["timed_on"]:
        ours = base["p50_ms"] / own["p50_ms"]
    theirs = base_row.paper["seconds"] / row.paper["seconds"] if beside and "seconds" in row.paper else None
    return _beside(ours, theirs)


def _comparison_lines(tables: TaskTables, compared: Sequence[Mapping[str, Any]]) -> list[str]:
    if not compared:
        return []
    lines = [
        f"## {tables.main.label} against the others",
        "",
        "BLEU on the same lines, paired bootstrap; p is one-sided.",
        "",
        "| other | part | ours | other's | difference | 95 % | p |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in compared:
        low, high = each["interval"]
        lines.append(
            f"| {each['label']} ({each['other']}) | {each['part']} | {each['main']:.2f} | {each['figure']:.2f} "
            f"| {each['difference']:+.2f} | {low:+.2f} to {high:+.2f} | {each['p']:.3f} |"
        )
    return [*lines, ""]


def _used_notes(tables: TaskTables) -> Iterator[str]:
    for name, text in tables.notes.items():
        labels = dict.fromkeys(row.label for row in tables.rows if row.note == name)
        if labels:
            yield f"**{', '.join(labels)}**: {text}"


def _beside(ours: float | None, paper: float | None) -> str:
    return shown(ours) if paper is None else f"{shown(ours)} ({paper:.2f})"


def shown(value: float | None) -> str:
    """The value with two decimals; a dash where there is none."""
    return MISSING if value is None else f"{value:.2f}"
