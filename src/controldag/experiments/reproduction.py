"""The tables run row by row; a row that is there already, of the same checkpoint and data, is not run again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from controldag.data.records import Example
from controldag.data.templates import Templates
from controldag.experiments.decode_run import run_system
from controldag.experiments.evaluation import Evaluation, EvaluationOptions, latency
from controldag.experiments.record import circumstances
from controldag.experiments.reproduction_rows import Row, TaskTables
from controldag.experiments.scoring_log import DEFAULT, is_test, log_scoring
from controldag.experiments.system_outputs import Outputs, read_outputs, write_outputs
from controldag.experiments.systems import System, SystemOptions, checkpoint_digest, load_system
from controldag.files import write_json
from controldag.generation.checkpoint import BUNDLED, folder_of, has_weights
from controldag.generation.settings import FILE as SETTINGS
from controldag.metrics.background import Background

RUNS = Path("runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionOptions:
    """data: the file that is scored. folder: where rows are kept. models: checkpoints other than the tables' own.

    batch: requests at a time for quality. timed: how many first records are said one by one for latency; 0: none.
    like: whose settings and lists folders fresh from training take; empty: the tables'. again: run rows that are there.
    log: where scoring test data is written down.
    """

    data: Path
    folder: Path
    models: Mapping[str, str] = field(default_factory=dict)
    train: Path | None = None
    templates: Path | None = None
    batch: int = 64
    timed: int = 500
    device: str = "cpu"
    precision: str = ""
    like: str = ""
    again: bool = False
    log: Path = DEFAULT
    evaluation: EvaluationOptions = field(default_factory=EvaluationOptions)


@dataclass(frozen=True, slots=True)
class RowResult:
    """What is known of a row's system: its report and outputs, or why there are none."""

    row: Row
    report: dict[str, Any] | None = None
    outputs: Outputs | None = None
    missing: str = ""


Progress = Callable[[Row, int], None]


class Reproduction:
    """All systems of a task's tables on one data file."""

    def __init__(
        self, tables: TaskTables, examples: Sequence[Example], background: Background, options: ReproductionOptions
    ) -> None:
        self.tables = tables
        self.examples = examples
        self.background = background
        self.options = options
        self._data_digest = _digest(options.data)

    def run(self, progress: Progress = lambda row, done: None) -> list[RowResult]:
        """A result for each system, in the order of the tables; a finished row is on disk before the next begins."""
        return [self._row(row, progress) for row in self.tables.systems]

    def _row(self, row: Row, progress: Progress) -> RowResult:
        wanted = self._system(row)
        if isinstance(wanted, str):
            return RowResult(row, missing=wanted)
        load = lru_cache(maxsize=1)(lambda: load_system(wanted))  # not for a row that is there already
        fingerprint = self._fingerprint(row, wanted)
        report, outputs = self._quality(row, load, fingerprint, progress)
        times = self._latency(row, load, fingerprint)
        signatures = {**report["signatures"], "latency": times["signature"]}
        return RowResult(row, {**report, **times["figures"], "signatures": signatures}, outputs)

    def _quality(
        self, row: Row, load: Callable[[], System], fingerprint: dict[str, Any], progress: Progress
    ) -> tuple[dict[str, Any], Outputs]:
        """The report, with times of batches, and the outputs: those that are kept, or else made now."""
        kept, texts = self.options.folder / f"{row.key}.json", self.options.folder / f"{row.key}.jsonl.gz"
        content = None if self.options.again or not texts.is_file() else _kept(kept, fingerprint)
        if content is not None:
            return content["report"], read_outputs(texts, self.examples)
        system, options = load(), self.options

        def tell(done: int) -> None:
            progress(row, done)

        outputs = run_system(system.generator, self.examples, system.decoder, batch=options.batch, progress=tell)
        report = Evaluation(self.examples, outputs, self.background, options.evaluation).report()
        report = {"system": system.description, **report}
        write_outputs(texts, self.examples, outputs)
        write_json(kept, {"fingerprint": fingerprint, "report": report, **circumstances()})
        if is_test(options.data):
            log_scoring(options.log, options.data, system.description, report)
        return report, outputs

    def _latency(self, row: Row, load: Callable[[], System], fingerprint: dict[str, Any]) -> dict[str, Any]:
        """Times of the first records said one by one, kept in a file of their own."""
        timed = self.examples[: self.options.timed]
        if not timed:
            return {"figures": {**latency(Outputs(())), "timed": 0}, "signature": "not measured"}
        kept = self.options.folder / f"{row.key}.latency.json"
        fingerprint = {**fingerprint, "timed": len(timed)}
        content = None if self.options.again else _kept(kept, fingerprint)
        if content is None:
            system = load()
            alone = run_system(system.generator, timed, system.decoder, batch=1)
            figures = {**latency(alone), "timed": len(timed)}
            content = {"fingerprint": fingerprint, "figures": figures, "signature": alone.timing, **circumstances()}
            write_json(kept, content)
        return content

    def _system(self, row: Row) -> SystemOptions | str:
        """How to load the row's system, or what is missing for it."""
        options = self.options
        model = ""
        if row.model:
            name = options.models.get(row.model, self.tables.models[row.model])
            place = find_checkpoint(name)
            if place is None:
                return f"the weights of {name} are not here"
            model = str(place)
        if row.decoder == "templates" and options.templates is None:
            return "no templates given"
        if row.decoder == "nearest-template" and options.train is None:
            return "no training data given"
        templates = Templates.load(options.templates) if options.templates is not None else None
        return SystemOptions(
            model=model,
            decoder=row.decoder,
            device=options.device,
            precision=options.precision,
            # A folder fresh from training has no settings of its own.
            like="" if not model or (Path(model) / SETTINGS).is_file() else options.like or self.tables.like,
            templates=templates,
            train=options.train,
        )

    def _fingerprint(self, row: Row, system: SystemOptions) -> dict[str, Any]:
        """What a row's figures depend on, but for the code: `again` is for that."""
        options = self.options
        return {
            "decoder": row.decoder,
            "checkpoint_sha256": checkpoint_digest(Path(system.model)) if system.model else "",
            "like_sha256": checkpoint_digest(folder_of(system.like, weights=False)) if system.like else "",
            "data_sha256": self._data_digest,
            "n": len(self.examples),
            "batch": options.batch,
            "device": options.device,
            "precision": options.precision,
            "draws": options.evaluation.bootstrap.draws,
            "bleurt": options.evaluation.bleurt.name if options.evaluation.bleurt is not None else "",
        }


def find_checkpoint(name: str) -> Path | None:
    """The folder of a bundled checkpoint with weights, of `name` as a folder, or of a finished run; None: nowhere."""
    places = [BUNDLED / name] if has_weights(name) else []
    places += [Path(name), RUNS / name / "final"]
    return next((place for place in places if any(place.glob("*.safetensors"))), None)


def _kept(path: Path, fingerprint: dict[str, Any]) -> dict[str, Any] | None:
    """What is kept of a row that was run before with the same fingerprint."""
    if not path.is_file():
        return None
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError:
        return None  # not one of ours, or damaged: it is made again
    if not isinstance(content, dict) or content.get("fingerprint") != fingerprint:
        return None
    return content


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
