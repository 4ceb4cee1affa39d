"""What is kept of a table's rows: texts, times and scores, each with what it depends on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controldag.data.records import Example
from controldag.evaluation.system_outputs import Outputs, read_outputs, write_outputs
from controldag.files import write_json
from controldag.run_record import circumstances

Fingerprint = Mapping[str, Any]
WEIGHTS = ("checkpoint_sha256", "like_sha256")
"""Of a fingerprint, what cannot be told where the weights are not."""


@dataclass(frozen=True, slots=True)
class Store:
    """The folder of one data file's rows: ROW.jsonl.gz, ROW.json, and of each `outputs`, `latency` and `meaning`.

    A row made on another machine or device counts: where it was made is kept beside what it depends on.
    """

    folder: Path
    examples: Sequence[Example]

    def outputs(self, key: str, wanted: Fingerprint) -> tuple[Outputs, dict[str, Any]] | None:
        """The row's outputs and what is known of their making; None where there are none of this fingerprint."""
        about = self._read(key, "outputs", wanted)
        texts = self._texts(key)
        return (read_outputs(texts, self.examples), about) if about is not None and texts.is_file() else None

    def keep_outputs(self, key: str, fingerprint: Fingerprint, outputs: Outputs, about: Mapping[str, Any]) -> None:
        """Writes a row's texts, and then what says that they are whole. `about`: the system, and how it was run."""
        self._file(key, "outputs").unlink(missing_ok=True)
        write_outputs(self._texts(key), self.examples, outputs)
        self.keep(key, "outputs", fingerprint, about)

    def find(self, key: str, kind: str, wanted: Fingerprint) -> dict[str, Any] | None:
        """What `keep` wrote; None where there is nothing of this fingerprint."""
        return self._read(key, kind, wanted)

    def keep(self, key: str, kind: str, fingerprint: Fingerprint, content: Mapping[str, Any]) -> None:
        """Writes a row's `latency`, `meaning` or, as ``, its scores."""
        write_json(self._file(key, kind), {"fingerprint": dict(fingerprint), **content, **circumstances()})

    def _texts(self, key: str) -> Path:
        return self.folder / f"{key}.jsonl.gz"

    def _file(self, key: str, kind: str) -> Path:
        return self.folder / (f"{key}.{kind}.json" if kind else f"{key}.json")

    def _read(self, key: str, kind: str, wanted: Fingerprint) -> dict[str, Any] | None:
        try:
            content = json.loads(self._file(key, kind).read_text("utf-8"))
        except (FileNotFoundError, ValueError):
            return None  # not there, not one of ours, or damaged: it is made again
        found = content.get("fingerprint") if isinstance(content, dict) else None
        if not isinstance(found, dict) or set(found) - {*wanted, *WEIGHTS}:
            return None
        same = all(found.get(name) == value for name, value in wanted.items())
        return content if same else None
