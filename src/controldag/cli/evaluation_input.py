"""What the commands that score share: the records of a data file, and the training data beside it."""

from __future__ import annotations

from pathlib import Path

from controldag.cli.console import remark
from controldag.cli.data_input import DataSource, found, names_of
from controldag.data.read import SkipLog
from controldag.data.records import Example
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.metrics.background import TrainingData

_TRAIN_NAMES = ("train.jsonl.gz", "train.jsonl")


def read_records(file: Path, schema: Schema | None, *, skip_bad: bool = False, quiet: bool) -> list[Example]:
    """All records of a data file; there has to be one."""
    source = DataSource(schema, SkipLog() if skip_bad else None, quiet)
    records = list(source.examples([file]))
    source.say_what_was_skipped()
    if not records:
        raise InvalidInput.of("data", "hold a record", str(file))
    return records


def train_file(given: Path | None, file: Path) -> Path | None:
    """The training data that was named, or that stands with a data file, as its schemas do."""
    if given is not None:
        return found(given)
    return next((path for name in _TRAIN_NAMES if (path := file.parent / name).is_file()), None)


def training_data(path: Path | None, schema: Schema | None, *, quiet: bool) -> TrainingData | None:
    """What figures need to know of the training data; None, and a remark, where there is none."""
    if path is None:
        remark("no --train: no figures by seen and unseen, verbatim or novel; no strict neologisms", quiet=quiet)
        return None
    source = DataSource(None, None, quiet)
    return TrainingData.of(source.examples([path]), schema, source=names_of([path]))
