"""Training of the verifier: `python -m controldag.verifier.training.train --help`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from controldag.runtime.tensors import Floats
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
# The mean of the weights moves by so much at each step: it remembers the last thousand.
_MOVE = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """preset: see `presets`. minutes: of training. unit: see `batches`. rate: the highest learning rate.

    init: a folder with a verifier to go on from, with its vocabulary. dropout: while learning. save_every: seconds.
    """

    preset: str
    minutes: float
    workers: int
    init: Path | None = None
    unit: int = 32
    rate: float = 1e-3
    device: str = "cuda"
    dropout: float = 0.1
    report_every: float = 20.0
    save_every: float = 120.0


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
        sizes = NetworkOptions(vocabulary=preset.vocabulary + 1, buckets=preset.buckets, dropout=options.dropout)
        network = VerifierNetwork(sizes)
    else:
        known = load_network(options.init)
        known = replace(known, options=replace(known.options, dropout=options.dropout))
        lexicon, sizes, network = known.lexicon, known.options, network_of(known)

    def save(curve: list[dict[str, float]]) -> None:
        about = {"preset": options.preset, "minutes": options.minutes, "curve": curve}
        save_network(Stored(replace(sizes, dropout=0.0), mean.tensors(), lexicon), out, about=about)

    workers = Workers(
        world,
        lexicon,
        preset.stream,
        seed=preset.seed,
        count=options.workers,
        unit=options.unit,
        again=options.device == "cuda",
    )
    with workers as stream:  # processes are forked before the device is touched
        network = network.to(options.device)
        mean = Mean(network)
        save(_learn(network, mean, stream, options, save))


class Mean:
    """The mean of a network's weights over its last steps: better than any of them while the rate is high."""

    def __init__(self, network: VerifierNetwork) -> None:
        self._network, self._steps = network, 0
        self._learnt = [each.detach() for each in network.parameters()]
        self._mean = [each.clone() for each in self._learnt]

    def move(self) -> None:
        """Towards the weights as they are."""
        self._steps += 1
        torch._foreach_lerp_(self._mean, self._learnt, max(_MOVE, 1 / self._steps))

    def tensors(self) -> dict[str, Floats]:
        """By name: means of what is learnt, and what is not."""
        found = {name: each.detach() for name, each in self._network.state_dict().items()}
        names = [name for name, _ in self._network.named_parameters()]
        found |= dict(zip(names, self._mean, strict=True))
        return {name: each.float().cpu().numpy() for name, each in found.items()}


def _learn(
    network: VerifierNetwork,
    mean: Mean,
    stream: Iterator[Batch],
    options: TrainingOptions,
    save: Callable[[list[dict[str, float]]], None],
) -> list[dict[str, float]]:
    decay = [p for p in network.parameters() if p.dim() >= 2]
    rest = [p for p in network.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=options.device == "cuda")
    step = Step(network, optimiser, options.device)
    curve: list[dict[str, float]] = []
    begun = reported = saved = time.monotonic()
    steps, seen, since, total = 0, 0, 0, torch.zeros(len(LOSSES), device=options.device)
    network.train()
    for batch in stream:
        share = (time.monotonic() - begun) / (60 * options.minutes)
        if share >= 1:
            break
        _set_rate(optimiser, options.rate, share)
        total += step(batch)
        mean.move()
        steps, since, seen = steps + 1, since + 1, seen + len(batch.extra)
        if time.monotonic() - reported > options.report_every:
            losses = dict(zip(LOSSES, (round(each / since, 4) for each in total.tolist()), strict=True))
            row = {"seconds": round(time.monotonic() - begun), "steps": steps, "examples": seen, **losses}
            curve.append(row)
            print(json.dumps(row), flush=True)
            total, since, reported = torch.zeros_like(total), 0, time.monotonic()
        if time.monotonic() - saved > options.save_every:
            save(curve)
            saved = time.monotonic()
    return curve


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
    parser.add_argument("--dropout", type=float, default=0.1)
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
        dropout=given.dropout,
        report_every=given.report,
    )
    train(given.prepared, given.out, options)


if __name__ == "__main__":
    main()
