"""The copying task: values at test are new, held-out pieces never trained on, and said values are counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recipes import copy_task
from recipes.copy_task import CopyTask, copy_data, copy_options, said_values, train_copying

SMALL = CopyTask(pieces=40, held_out=4, train=200, test=30)


def test_values_at_test_are_new_and_held_out_pieces_never_trained_on() -> None:
    data = copy_data(SMALL)
    size = data.corpus.prepared.vocab_size
    pieces = data.counts[size - SMALL.pieces :]
    assert (pieces == 0).sum() >= SMALL.held_out
    in_sources = np.bincount(data.corpus.train.sources.tokens.astype(int), minlength=size)
    assert (in_sources[size - SMALL.pieces :] == pieces).all()
    known = [value for sources in _source_values(data) for value in sources]
    for row, values in enumerate(data.values):
        target = data.corpus.dev.targets[row]
        assert all(_holds(target, value) for value in values)
        assert not any(value in known for value in values)


def test_said_values_counts_what_an_output_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    data = copy_data(SMALL)
    model = train_model()
    perfect = [data.corpus.dev.targets[i] for i in range(SMALL.test)]
    monkeypatch.setattr(copy_task, "decode_graphs", lambda *unused: {"greedy": perfect})
    assert said_values(model, data)["said"] == 100
    monkeypatch.setattr(copy_task, "decode_graphs", lambda *unused: {"greedy": [o[:2] for o in perfect]})
    assert said_values(model, data)["said"] == 0


def test_training_lowers_the_loss() -> None:
    options = copy_options(tied=True, copying=True, learning_rate=3e-3, steps=24, seed=1)
    options = replace(options, optimiser=replace(options.optimiser, warmup_steps=2))
    rows = train_copying(options, copy_data(SMALL), every=12)
    assert [row["step"] for row in rows] == [12, 24] and rows[1]["loss"] < rows[0]["loss"]


def train_model() -> copy_task.DAT5ForGeneration:
    from controldag.training.build import build_model

    options = copy_options(tied=True, copying=True, learning_rate=1e-3, steps=8, seed=1)
    model = build_model(options, copy_data(SMALL).corpus.prepared)
    assert isinstance(model, copy_task.DAT5ForGeneration)
    return model


def _source_values(data: copy_task.CopyData) -> list[list[list[int]]]:
    """The values of each training source: the runs of pieces between slot names."""
    first = data.corpus.prepared.vocab_size - SMALL.pieces
    found = []
    for i in range(len(data.corpus.train)):
        values: list[list[int]] = []
        for token in data.corpus.train.sources[i][:-1]:
            if token < first:
                values.append([])
            else:
                values[-1].append(token)
        found.append(values)
    return found


def _holds(tokens: list[int], part: list[int]) -> bool:
    return any(tokens[i : i + len(part)] == part for i in range(len(tokens)))
