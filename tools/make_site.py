"""`make docs`: the documents as a site in build/site; a link that leads nowhere is an error.

    python -m tools.make_site             # build it
    python -m tools.make_site --serve     # and look at it: http://127.0.0.1:8000

The pages are those of the repository, copied with what they link to so that links hold in both places. `mkdocs.yml` has
their order; the page of decisions is made here, from their first lines.
"""

from __future__ import annotations

import argparse
import http.server
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "build" / "site-source"
SITE = ROOT / "build" / "site"
CONFIG = ROOT / "mkdocs.yml"
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")
LIST_BELOW_TEXT = re.compile(r"^(?![-|>#]|\d+\. | {2})(.+)\n(?=- |1\. )", flags=re.MULTILINE)


def pages() -> list[Path]:
    """The documents of the repository."""
    below = (page for folder in ("docs", "results", "examples") for page in ROOT.glob(f"{folder}/**/*.md"))
    return sorted([*ROOT.glob("*.md"), *below])


def linked_files(page: Path) -> Iterator[Path]:
    """Files that are no pages and that a page links to or shows."""
    for _, target, _, _ in LINK.findall(page.read_text("utf-8")):
        if "://" not in target and (path := (page.parent / target).resolve()).is_file() and path.suffix != ".md":
            yield path


def decisions() -> str:
    """A page that lists the decisions."""
    rows = []
    for page in sorted((ROOT / "docs/decisions").glob("0*.md")):
        number, _, title = page.read_text("utf-8").partition("\n")[0].removeprefix("# ").partition(": ")
        rows.append(f"- [{number}: {title}]({page.name})")
    return "# Decisions\n\nWhat was decided, why, and what was rejected: a page each.\n\n" + "\n".join(rows) + "\n"


def stage() -> None:
    """Copies pages and what they link to into SOURCE, laid out as in the repository."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for page in pages():
        copy = SOURCE / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        linked = LINK.sub(partial(_page_of_folder, page), page.read_text("utf-8"))
        copy.write_text(LIST_BELOW_TEXT.sub(r"\1\n\n", linked), "utf-8")  # its Markdown wants a blank line there
        for file in linked_files(page):
            beside = SOURCE / file.relative_to(ROOT)
            beside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, beside)
    (SOURCE / "docs/decisions/README.md").write_text(decisions(), "utf-8")


def _page_of_folder(page: Path, link: re.Match[str]) -> str:
    """The link, to the page of the folder where it leads to a folder."""
    before, target, place, after = link.groups(default="")
    folder = "://" not in target and (page.parent / target).is_dir()
    return f"{before}{target}{'/README.md' if folder else ''}{place}{after}"


def build() -> int:
    """Makes the site of what is in SOURCE: not 0 where a link leads nowhere or a page is not in its contents."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(CONFIG)]
    return subprocess.run(command, check=False).returncode


def main() -> int:
    """Builds the site, and shows it where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", action="store_true", help="show it at http://127.0.0.1:8000")
    serve = parser.parse_args().serve
    stage()
    code = build()
    if code == 0 and serve:
        handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
        http.server.ThreadingHTTPServer(("127.0.0.1", 8000), handler).serve_forever()
    return code


if __name__ == "__main__":
    sys.exit(main())
