"""The tables' systems decoded, one forward pass for all rows of a model; what is there already is not run again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controldag.checkpoint.choice import ModelChoice
from controldag.checkpoint.folder import BUNDLED, folder_of, has_weights, name_of
from controldag.checkpoint.settings import FILE as SETTINGS
from controldag.data.records import Example
from controldag.evaluation.decode_run import run_system
from controldag.evaluation.system_outputs import latency
from controldag.evaluation.systems import System, SystemOptions, checkpoint_digest, load_system, variants
from controldag.files import sha256_of
from recipes.reproduce.rows import Row, TaskTables
from recipes.reproduce.store import Store
from recipes.shared_pass import Way, run_ways

RUNS = Path("runs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionOptions:
    """data: the file that is decoded. folder: where rows are kept. models: checkpoints other than the tables' own.

    batch: requests at a time for quality. timed: how many first records are said one by one for latency; 0: none.
    likes: by role, whose settings and lists a folder fresh from training takes; of the role ``, of all others.
    settings: by role, or by role and decoder (`twin/ar-beam`), those that differ from the checkpoint's.
    only, decoders: roles and decoders to run; empty: all. again: run rows that are there.
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
    likes: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    only: Collection[str] = ()
    decoders: Collection[str] = ()
    again: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """A row, how to load its system (None where that cannot be, and why), and what its outputs depend on."""

    row: Row
    system: SystemOptions | None
    changes: Mapping[str, Any]
    fingerprint: dict[str, Any]
    missing: str = ""


Progress = Callable[[Row, int], None]


class Reproduction:
    """All systems of a task's tables on one data file."""

    def __init__(self, tables: TaskTables, examples: Sequence[Example], options: ReproductionOptions) -> None:
        self.tables = tables
        self.examples = examples
        self.options = options
        self.store = Store(options.folder, examples)
        self._digests: dict[Path, str] = {}
        self._data = {"data_sha256": sha256_of(options.data), "n": len(examples)}
        self.plans = [self._plan(row) for row in tables.systems]

    def decode(self, progress: Progress = lambda row, done: None) -> None:
        """Makes the outputs and times that are not there; those of a model are on disk before the next begins."""
        for role in dict.fromkeys(plan.row.role for plan in self.plans):
            if not self.options.only or role in self.options.only:
                self._decode_model([plan for plan in self.plans if self._is_asked(plan, role)], progress)

    def _is_asked(self, plan: Plan, role: str) -> bool:
        decoders = self.options.decoders
        return plan.row.role == role and plan.system is not None and (not decoders or plan.row.decoder in decoders)

    def _decode_model(self, plans: Sequence[Plan], progress: Progress) -> None:
        """The rows of one model, or of one baseline."""
        store, options = self.store, self.options
        fresh = [p for p in plans if options.again or store.outputs(p.row.key, p.fingerprint) is None]
        untimed = [p for p in plans if options.timed and (options.again or self.latency(p) is None)]
        if not fresh and not untimed:
            return
        systems = self._systems(plans)
        for plan, outputs in zip(fresh, self._outputs(fresh, systems, progress), strict=True):
            about = {"system": systems[plan.row.key].description, "batch": options.batch}
            store.keep_outputs(plan.row.key, plan.fingerprint, outputs, about)
        for plan in untimed:
            system, timed = systems[plan.row.key], self.examples[: options.timed]
            alone = run_system(system.generator, timed, system.decoder, batch=1)
            figures = {**latency(alone), "timed": len(timed), "timed_on": options.device}
            content = {"figures": figures, "signature": f"{alone.timing}|device:{options.device}"}
            store.keep(plan.row.key, "latency", {**plan.fingerprint, "timed": len(timed)}, content)

    def latency(self, plan: Plan) -> dict[str, Any] | None:
        """What is kept of the row's times."""
        timed = len(self.examples[: self.options.timed])
        return self.store.find(plan.row.key, "latency", {**plan.fingerprint, "timed": timed}) if timed else None

    def _systems(self, plans: Sequence[Plan]) -> dict[str, System]:
        """By row its system; the rows of a model share what is loaded."""
        assert plans[0].system is not None
        first = load_system(plans[0].system)
        if not plans[0].row.model:
            return {plan.row.key: first for plan in plans}
        made = variants(first, [(plan.row.decoder, plan.changes) for plan in plans])
        return {plan.row.key: system for plan, system in zip(plans, made, strict=True)}

    def _outputs(self, plans: Sequence[Plan], systems: Mapping[str, System], progress: Progress) -> list[Any]:
        batch = self.options.batch

        def tell(done: int) -> None:
            progress(plans[-1].row, done)

        if not plans:
            return []
        if not plans[0].row.model:
            chosen = (systems[plan.row.key] for plan in plans)
            return [run_system(s.generator, self.examples, s.decoder, batch=batch, progress=tell) for s in chosen]
        ways = [Way(systems[plan.row.key].model, plan.row.decoder) for plan in plans]
        return list(run_ways(ways, self.examples, batch=batch, progress=tell))

    def _plan(self, row: Row) -> Plan:
        options = self.options
        changes = {**options.settings.get(row.role, {}), **options.settings.get(f"{row.role}/{row.decoder}", {})}
        name = options.models.get(row.model, self.tables.models[row.model]) if row.model else ""
        fingerprint = {"model": name_of(Path(name)), "decoder": row.decoder, "settings": changes, **self._data}
        place = find_checkpoint(name) if name else None
        missing = ""
        if name and place is None:
            missing = f"the weights of {name} are not here"
        elif row.decoder == "templates" and options.templates is None:
            missing = "no templates given"
        elif row.decoder == "nearest-template" and options.train is None:
            missing = "no training data given"
        if missing:
            return Plan(row, None, changes, fingerprint, missing)
        system = self._system(row, place)
        return Plan(row, system, changes, fingerprint | self._weights(system))

    def _system(self, row: Row, place: Path | None) -> SystemOptions:
        options = self.options
        likes = {"": self.tables.like, **options.likes}
        fresh = place is not None and not (place / SETTINGS).is_file()
        chosen = ModelChoice(
            name="" if place is None else str(place),
            device=options.device,
            precision=options.precision,
            # A folder fresh from training has no settings of its own.
            like=likes.get(row.model, likes[""]) if fresh else "",
            templates=options.templates,
        )
        return SystemOptions(chosen, row.decoder, options.train)

    def _weights(self, system: SystemOptions) -> dict[str, str]:
        return {
            "checkpoint_sha256": self._of_files(Path(system.model.name)) if system.model.name else "",
            "like_sha256": self._of_files(folder_of(system.model.like, weights=False)) if system.model.like else "",
        }

    def _of_files(self, folder: Path) -> str:
        if folder not in self._digests:
            self._digests[folder] = checkpoint_digest(folder)
        return self._digests[folder]


def find_checkpoint(name: str) -> Path | None:
    """The folder of a bundled checkpoint with weights, of `name` as a folder, or of a finished run; None: nowhere."""
    places = [BUNDLED / name] if has_weights(name) else []
    places += [Path(name), RUNS / name / "final"]
    return next((place for place in places if any(place.glob("*.safetensors"))), None)
