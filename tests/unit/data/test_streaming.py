"""Memory does not grow with the file, whatever its container."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from controldag.data import dart, json_stream
from controldag.data.read import read_examples

ENTRY = {"tripleset": [["a", "b", "c"]], "annotations": [{"source": "s", "text": "Some words. " * 40}]}
XML_ENTRY = f"<entry><mtriple>a | b | c</mtriple><lex comment='s'>{'Some words. ' * 40}</lex></entry>"


def content(container: str, entries: int) -> str:
    if container == "json":
        return json.dumps([ENTRY] * entries)
    if container == "xml":
        return f"<benchmark>{XML_ENTRY * entries}</benchmark>"
    return (json.dumps(ENTRY) + "\n") * entries


def peak(path: Path) -> int:
    tracemalloc.start()
    try:
        for _ in read_examples(path):
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("container", ["json", "jsonl", "xml"])
def test_peak_is_the_same_for_ten_times_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, container: str
) -> None:
    monkeypatch.setattr(json_stream, "_CHUNK_BYTES", 2**13)
    monkeypatch.setattr(dart, "_CHUNK_BYTES", 2**13)
    path = tmp_path / f"x.{container}"
    path.write_text(content(container, 200))
    small = peak(path)
    path.write_text(content(container, 2000))
    assert path.stat().st_size > 900_000
    assert peak(path) < small + 100_000
