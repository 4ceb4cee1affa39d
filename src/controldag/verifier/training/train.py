"""Training of the verifier: `python -m controldag.verifier.training.train --help`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from controldag.verifier.by_torch import network_of
from controldag.verifier.lexicon import Lexicon
from controldag.verifier.network import VerifierNetwork
from controldag.verifier.options import NetworkOptions
from controldag.verifier.training.batches import Batch, Workers
from controldag.verifier.training.draft import World
from controldag.verifier.training.prepared import load
from controldag.verifier.training.presets import PRESETS
from controldag.verifier.training.step import LOSSES, Step
from controldag.verifier.weights import Stored, load_network, save_network
from controldag.verifier.words import shape

_SHARE_OF_WARM_UP = 0.05
_DELAY = 96  # batches between the two uses of one


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """preset: see `presets`. minutes: of training. unit: see `batches`. rate: the highest learning rate.

    init: a folder with a verifier to go on from, with its vocabulary.
    """

    preset: str
    minutes: float
    workers: int
    init: Path | None = None
    unit: int = 32
    rate: float = 1e-3
    device: str = "cuda"
    report_every: float = 20.0


def vocabulary_of(world: World, size: int) -> list[str]:
    """The most frequent words of texts, values and wordings, names last of all."""
    counts: Counter[str] = Counter()
    for record in world.records:
        counts.update(shape(word) for word in record.text if isinstance(word, str))
    for ways in world.wordings.ways.values():
        for name, description in ways:
            counts.update({shape(word): 20 for word in (*name, *description)})
    counts.update(dict.fromkeys(("true", "false", "dontcare", "yes", "no"), 10**6))
    return [word for word, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:size]]


def train(prepared: Path, out: Path, options: TrainingOptions) -> None:
    """Trains for the minutes given and writes weights, vocabulary and curve to `out`."""
    preset = PRESETS[options.preset]
    torch.manual_seed(preset.seed)
    records, wordings = load(prepared, left_out=preset.left_out)
    world = World.of(records, wordings)
    if options.init is None:
        lexicon = Lexicon(vocabulary_of(world, preset.vocabulary), preset.buckets)
        network_options = NetworkOptions(vocabulary=preset.vocabulary + 1, buckets=preset.buckets)
        network = VerifierNetwork(network_options)
    else:
        known = load_network(options.init)
        # Examples are new without end and the weights good already: noise would only slow it down.
        known = replace(known, options=replace(known.options, dropout=0.0))
        lexicon, network_options, network = known.lexicon, known.options, network_of(known)
    workers = Workers(world, lexicon, preset.stream, seed=preset.seed, count=options.workers, unit=options.unit)
    with workers as stream:
        curve = _learn(network.to(options.device), stream, options)
    tensors = {name: each.detach().float().cpu().numpy() for name, each in network.state_dict().items()}
    stored = Stored(network_options, tensors, lexicon)
    save_network(stored, out, about={"preset": options.preset, "minutes": options.minutes, "curve": curve})


def _learn(network: VerifierNetwork, stream: Iterator[Batch], options: TrainingOptions) -> list[dict[str, float]]:
    decay = [p for p in network.parameters() if p.dim() >= 2]
    rest = [p for p in network.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=options.device == "cuda")
    step = Step(network, optimiser, options.device)
    curve: list[dict[str, float]] = []
    begun = reported = time.monotonic()
    steps, seen, since, total = 0, 0, 0, torch.zeros(len(LOSSES), device=options.device)
    network.train()
    for batch in _twice(stream) if options.device == "cuda" else stream:
        share = (time.monotonic() - begun) / (60 * options.minutes)
        if share >= 1:
            break
        _set_rate(optimiser, options.rate, share)
        total += step(batch)
        steps, since, seen = steps + 1, since + 1, seen + len(batch.extra)
        if time.monotonic() - reported > options.report_every:
            losses = dict(zip(LOSSES, (round(each / since, 4) for each in total.tolist()), strict=True))
            row = {"seconds": round(time.monotonic() - begun), "steps": steps, "examples": seen, **losses}
            curve.append(row)
            print(json.dumps(row), flush=True)
            total, since, reported = torch.zeros_like(total), 0, time.monotonic()
    return curve


def _twice(stream: Iterator[Batch]) -> Iterator[Batch]:
    """Each batch again after a while: on a GPU, making examples takes longer than learning from them."""
    waiting: deque[Batch] = deque()
    for batch in stream:
        yield batch
        waiting.append(batch)
        if len(waiting) > _DELAY:
            yield waiting.popleft()


def _set_rate(optimiser: torch.optim.Optimizer, highest: float, share: float) -> None:
    """Up in a straight line, then down along half a cosine to 2 %."""
    if share < _SHARE_OF_WARM_UP:
        rate = highest * (0.02 + share / _SHARE_OF_WARM_UP)
    else:
        down = (share - _SHARE_OF_WARM_UP) / (1 - _SHARE_OF_WARM_UP)
        rate = highest * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, down))))
    for group in optimiser.param_groups:
        group["lr"] = rate


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prepared", type=Path, help="the file that `prepare` wrote")
    parser.add_argument("out", type=Path, help="folder for the weights")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="verifier")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--init", type=Path, help="a folder with a verifier to go on from")
    parser.add_argument("--rate", type=float, default=1e-3, help="the highest learning rate")
    parser.add_argument("--workers", type=int, default=8, help="processes that make examples")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--unit", type=int, default=32, help="examples of a batch of long ones; of short ones 8 times")
    parser.add_argument("--report", type=float, default=20.0, help="seconds between two lines of the curve")
    given = parser.parse_args()
    options = TrainingOptions(
        preset=given.preset,
        minutes=given.minutes,
        workers=given.workers,
        device=given.device,
        unit=given.unit,
        init=given.init,
        rate=given.rate,
        report_every=given.report,
    )
    train(given.prepared, given.out, options)


if __name__ == "__main__":
    main()
