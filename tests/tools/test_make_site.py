"""The site: every page is there, links to folders and lists survive, and a dead link ends the build."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import make_site


def test_pages_are_copied_with_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make_site, "SOURCE", tmp_path)
    make_site.stage()
    assert all((tmp_path / page.relative_to(make_site.ROOT)).exists() for page in make_site.pages())
    assert (tmp_path / "docs/images/pipeline.svg").exists() and (tmp_path / "results/package.json").exists()
    assert "](docs/decisions/README.md)" in (tmp_path / "README.md").read_text("utf-8")
    listed = (tmp_path / "docs/decisions/README.md").read_text("utf-8")
    assert "- [0030: what ships and what does not](0030-rooms.md)" in listed
    assert listed.count("\n- ") == len(list((make_site.ROOT / "docs/decisions").glob("0*.md")))


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("Some text:\n- one\n- two\n", "Some text:\n\n- one\n- two\n"),
        ("Steps:\n1. one\n2. two\n", "Steps:\n\n1. one\n2. two\n"),
        ("- one\n  goes on\n- two\n", "- one\n  goes on\n- two\n"),
    ],
)
def test_lists_stand_apart_from_text(written: str, wanted: str) -> None:
    assert make_site.LIST_BELOW_TEXT.sub(r"\1\n\n", written) == wanted


def test_a_dead_link_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = tmp_path / "source"
    pages.mkdir()
    (pages / "README.md").write_text("# A page\n\n[nowhere](missing.md)\n", "utf-8")
    settings = (make_site.ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")
    config = tmp_path / "mkdocs.yml"
    config.write_text(settings[0].replace("build/site-source", "source").replace("build/site", "site"), "utf-8")
    monkeypatch.setattr(make_site, "CONFIG", config)
    assert make_site.build() == 1
    (pages / "README.md").write_text("# A page\n", "utf-8")
    assert make_site.build() == 0
