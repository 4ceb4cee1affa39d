"""What the package is made of: files, lines, imports between rooms, files that one text visits, options, settings.

    python -m tools.package_figures --out results/package.json --drawing docs/images/rooms.png

`--before TREE CORE` adds the figures of an older source tree with its compiled engine, for comparison; without
it those that the file has already stay.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controldag.errors import MissingDependency
from controldag.files import read_json
from controldag.run_record import write_result

ROOT = Path(__file__).resolve().parents[1]
# Run in a process of its own, so that another tree's package can be asked as well.
ASK = Path(__file__).with_name("ask_package.py")
# What nearly every room imports, and the package itself, are left out of the drawing.
_EVERYWHERE = {"controldag", "_core", "errors", "files", "extras"}


def figures_of(tree: Path, core: Path | None = None) -> dict[str, Any]:
    """The figures of one source tree."""
    package = tree / "src" / "controldag"
    modules = sorted(package.rglob("*.py"))
    asked = subprocess.run(
        [sys.executable, str(ASK), str(tree / "src"), str(core or "")], capture_output=True, text=True, check=True
    )
    told = json.loads(asked.stdout.splitlines()[-1])
    pairs = imports_between_rooms(package)
    return {
        "python_files_shipped": len(modules),
        "python_lines_shipped": sum(_lines(path) for path in modules),
        "python_lines_beside": sum(_lines(path) for path in _beside(tree)),
        "longest_file": max(map(_lines, modules)),
        "package_zipped_bytes": _zipped(package),
        "files_visited_by_one_text": len(told["visited"]),
        "visited": told["visited"],
        "commands": len(told["options"]),
        "options": sum(told["options"].values()),
        "options_by_command": told["options"],
        "settings": told["settings"],
        "imports_between_rooms": sum(pairs.values()),
        "pairs": [{"from": a, "to": b, "imports": n} for (a, b), n in sorted(pairs.items())],
    }


def imports_between_rooms(package: Path) -> Counter[tuple[str, str]]:
    """How often modules of one room import another's, by pair of rooms."""
    pairs: Counter[tuple[str, str]] = Counter()
    for path in package.rglob("*.py"):
        own = _room(path.relative_to(package).with_suffix("").parts)
        for name in _imported(ast.parse(path.read_text("utf-8"))):
            parts = name.split(".")
            if parts[0] == "controldag" and len(parts) > 1 and (other := _room(tuple(parts[1:]))) != own:
                pairs[own, other] += 1
    return pairs


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _room(parts: tuple[str, ...]) -> str:
    return "controldag" if parts[0] == "__init__" else parts[0]


def _beside(tree: Path) -> Iterator[Path]:
    for folder in ("recipes", "benchmarks", "tools"):
        yield from (tree / folder).rglob("*.py")


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def _zipped(package: Path) -> int:
    """Bytes of the package's files in a zip file, as in a wheel; the compiled engine is left out."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(package.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
                archive.write(path, path.relative_to(package))
    return len(made.getvalue())


def draw(pairs: Counter[tuple[str, str]], path: Path) -> None:
    """A picture of who imports whom: a room stands above all that it imports; wider lines are more imports."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency.of("matplotlib", "plot", "The drawing") from error
    pairs = Counter({pair: n for pair, n in pairs.items() if not _EVERYWHERE.intersection(pair)})
    rooms = sorted({room for pair in pairs for room in pair})
    level = dict.fromkeys(rooms, 0)
    for _ in rooms:  # longest way down: as many rounds as rooms suffice where there is no circle
        for a, b in pairs:
            level[a] = max(level[a], min(level[b] + 1, len(rooms)))
    rows: dict[int, list[str]] = {}
    for room in rooms:
        rows.setdefault(level[room], []).append(room)
    place = {
        room: ((number + 0.5) / len(row) + (0.04 if height % 2 else -0.04), float(height))
        for height, row in rows.items()
        for number, room in enumerate(sorted(row))
    }
    figure = Figure(figsize=(9, 0.62 * (max(level.values()) + 2)), dpi=90)
    axes = figure.subplots()
    for (a, b), count in pairs.items():
        width, start, end = 0.3 + 0.12 * min(count, 25), place[a], place[b]
        arrow = {"arrowstyle": "-", "lw": width, "color": "#5577aa", "alpha": 0.45, "connectionstyle": "arc3,rad=0.12"}
        axes.annotate("", end, start, arrowprops=arrow)
    for room, (x, y) in place.items():
        box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#334466"}
        axes.text(x, y, room, ha="center", va="center", fontsize=8, bbox=box)
    axes.set_xlim(-0.1, 1.1)
    axes.set_ylim(-0.7, max(level.values()) + 0.7)
    axes.axis("off")
    figure.savefig(path, bbox_inches="tight")


def main() -> None:
    """Measures, writes and draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="a JSON file")
    parser.add_argument("--drawing", type=Path, help="a picture of the imports between rooms")
    parser.add_argument("--before", nargs=2, metavar=("TREE", "CORE"), help="an older source tree, and its engine")
    parser.add_argument("--before-commit", default="", help="the commit of that tree")
    given = parser.parse_args()
    figures, before = {"now": figures_of(ROOT)}, given.before_commit
    if given.before:
        tree, core = map(Path, given.before)
        figures = {"before": figures_of(tree, core), **figures}
    elif given.out.exists():
        kept = read_json(given.out)
        figures, before = {**kept["figures"], **figures}, kept["settings"]["before"]
    write_result(given.out, figures, {"text": "OFFER(restaurant_name, city), sgd-mini", "before": before})
    if given.drawing is not None:
        draw(imports_between_rooms(ROOT / "src" / "controldag"), given.drawing)


if __name__ == "__main__":
    main()
