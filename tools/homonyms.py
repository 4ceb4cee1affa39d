"""Names of classes that are defined in more than one file: candidates for a better name.

python -m tools.homonyms
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("src/controldag", "recipes", "benchmarks", "tools")


def classes() -> dict[str, list[str]]:
    """By name of a class (or of a type given a name): the files that define it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def main() -> int:
    """Prints them."""
    for name, files in sorted(classes().items()):
        if len(files) > 1:
            print(f"{name}: {', '.join(files)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
