"""A made-up copying task, and how well a model trained on it says values it has never seen.

A source names one or two slots, each with a value of one or two pieces; the target says each value inside its slot's
phrase. Pieces follow a Zipf law, so that some are seen hundreds of times in training, some a few times, and a few
(held out) never. Values at test are new, their pieces drawn evenly. Copying by identity can say them all; a head that
has to learn each piece by itself can say those of frequent pieces only.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.training.corpus import Corpus, Pairs, PreparedFolder, Ragged
from controldag.training.loop import Trainer
from controldag.training.options import TrainingOptions, options_from
from controldag.training.run_options import RunOptions
from controldag.training.validate import decode_graphs

_PAD, _EOS, _UNK, _BOS = 0, 1, 2, 3
_SLOTS, _PHRASE = 8, 4  # slots, and words of a slot's phrase (its last one stands behind the value)
_FIRST_WORD = 4 + _SLOTS
_FIRST_PIECE = _FIRST_WORD + _SLOTS * _PHRASE
# Values are told apart by how often their rarest piece stands in a training target.
_BANDS = (("never", 0, 0), ("1 to 9", 1, 9), ("10 to 99", 10, 99), ("100 and more", 100, 1 << 60))


@dataclass(frozen=True, slots=True)
class CopyTask:
    """Sizes of the task."""

    pieces: int = 400
    held_out: int = 20  # pieces that never occur in training
    train: int = 6000
    test: int = 400
    seed: int = 1


@dataclass(frozen=True, slots=True)
class CopyData:
    """The task's examples, and what is needed to judge outputs."""

    corpus: Corpus
    counts: NDArray[np.int64]  # of each token in the training targets
    values: list[list[list[int]]]  # of each test example


def copy_data(task: CopyTask) -> CopyData:
    """Training and test examples of `task`; the same for the same seed."""
    chance = np.random.default_rng(task.seed)
    weights = 1.0 / np.arange(5.0, task.pieces + 5.0)
    shares = weights.copy()
    held = chance.choice(task.pieces, task.held_out, replace=False)
    shares[held] = 0.0
    train = [_example(chance, shares / shares.sum()) for _ in range(task.train)]
    seen = {tuple(value) for _, _, values in train for value in values}
    even = np.full(task.pieces, 1.0 / task.pieces)
    test: list[tuple[list[int], list[int], list[list[int]]]] = []
    while len(test) < task.test:
        made = _example(chance, even)
        if not any(tuple(value) in seen for value in made[2]):
            test.append(made)
    size = _FIRST_PIECE + task.pieces
    counts = np.bincount(np.concatenate([np.array(target) for _, target, _ in train]), minlength=size)
    prepared = PreparedFolder("copy", size, _PAD, _EOS, _UNK, _BOS, "", "copy", " ", 1)
    corpus = Corpus(prepared, _pairs(train), _pairs(test), [], b"")
    return CopyData(corpus, counts.astype(np.int64), [values for _, _, values in test])


def _example(chance: np.random.Generator, shares: NDArray[np.float64]) -> tuple[list[int], list[int], list[list[int]]]:
    source, target, values = list[int](), [_BOS], list[list[int]]()
    for slot in chance.choice(_SLOTS, chance.integers(1, 3), replace=False).tolist():
        drawn = chance.choice(len(shares), chance.integers(1, 3), p=shares)
        value = [_FIRST_PIECE + int(piece) for piece in drawn]
        words = [_FIRST_WORD + _PHRASE * slot + i for i in range(_PHRASE)]
        source += [4 + slot, *value]
        target += [*words[:-1], *value, words[-1]]
        values.append(value)
    return [*source, _EOS], [*target, _EOS], values


def _pairs(examples: list[tuple[list[int], list[int], list[list[int]]]]) -> Pairs:
    return Pairs(Ragged.of([source for source, _, _ in examples]), Ragged.of([target for _, target, _ in examples]))


def copy_options(*, tied: bool, copying: bool, learning_rate: float, steps: int, seed: int) -> TrainingOptions:
    """A small DA-T5 for the task."""
    return options_from(
        {
            "name": "copy",
            "model": {
                "d_model": 96,
                "d_kv": 24,
                "d_ff": 192,
                "num_layers": 2,
                "num_decoder_layers": 2,
                "num_heads": 4,
                "link_heads": 4,
                "decoder_vocab_size": 0,
                "tied_head": tied,
                "copy_source": copying,
                "vertices_per_token": 3.0,
                "min_vertices": 12,
                "max_vertices": 32,
                "max_positions": 32,
                "dropout_rate": 0.0,
            },
            "batch": {"tokens": 1600, "step": 8, "least_share": 0.1},
            "optimiser": {"learning_rate": learning_rate, "warmup_steps": 50, "ema": 0.98},
            "steps": steps,
            "seed": seed,
            "precision": "float32",
            "compile": False,
            "fused": False,
        }
    )


def said_values(model: DAT5ForGeneration, data: CopyData) -> dict[str, Any]:
    """% of the test values that greedy decoding says, overall and by how often their rarest piece was seen."""
    model.eval()
    with torch.no_grad():
        outputs = decode_graphs(model, data.corpus.dev, len(data.corpus.dev), ())["greedy"]
    model.train()
    said: dict[str, list[bool]] = {name: [] for name, _, _ in _BANDS}
    for output, values in zip(outputs, data.values, strict=True):
        for value in values:
            rarest = int(min(data.counts[piece] for piece in value))
            band = next(name for name, least, most in _BANDS if least <= rarest <= most)
            said[band].append(any(output[i : i + len(value)] == value for i in range(len(output))))
    everything = [one for band in said.values() for one in band]
    return {
        "values": len(everything),
        "said": 100 * float(np.mean(everything)),
        "by_training_count": {n: {"values": len(b), "said": 100 * float(np.mean(b))} for n, b in said.items() if b},
    }


def train_copying(options: TrainingOptions, data: CopyData, *, every: int) -> list[dict[str, Any]]:
    """Figures of `said_values` (averaged weights), loss and share of wrong positions, each `every` steps, on a CPU."""
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(options, data.corpus, RunOptions(Path(folder), device="cpu", quiet=True))
        assert isinstance(trainer.model, DAT5ForGeneration)
        trainer.wrapped.train()
        sums = torch.zeros(4)
        for step in range(options.steps):
            sums += trainer.step(step / options.steps)
            if (step + 1) % every == 0:
                cost, positions, wrong, _ = sums.tolist()
                with trainer.averaged():
                    found = said_values(trainer.model, data)
                figures.append({"step": step + 1, "loss": cost / positions, "wrong": wrong / positions, **found})
                sums.zero_()
        trainer.accelerator.free_memory()
    return figures
