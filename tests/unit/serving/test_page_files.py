"""The page's files: all there, under a strict policy, and nothing else from the disk."""

from __future__ import annotations

import re

import pytest

from tests.unit.serving.conftest import Served


def test_the_page_and_all_it_names_are_served_under_a_strict_policy(served: Served) -> None:
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = served.client.get(path)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        waiting += re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text)
        waiting += [f"/static/{name}" for name in re.findall(r"from '\./([^']+)'", answer.text)]
    assert {"/static/page.js", "/static/graph.js", "/static/rows.js", "/static/picture.css"} <= seen


def test_the_page_holds_no_script_or_style_of_its_own(served: Served) -> None:
    page = served.client.get("/").text
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page) == []
    assert re.findall(r"https?://", page) == []


@pytest.mark.parametrize("name", ["app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "nothing.js"])
def test_nothing_else_is_served(served: Served, name: str) -> None:
    assert served.client.get(f"/static/{name}").status_code == 404
