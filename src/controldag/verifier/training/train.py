"""Training of the verifier: `python -m controldag.verifier.training.train --help`."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from controldag.verifier.arrays import claim_side, text_side
from controldag.verifier.lexicon import Ints, Lexicon
from controldag.verifier.network import Judged, VerifierNetwork, tensor
from controldag.verifier.options import NetworkOptions
from controldag.verifier.training.batches import Batch, Workers
from controldag.verifier.training.draft import UNKNOWN, World
from controldag.verifier.training.prepared import load
from controldag.verifier.training.presets import PRESETS
from controldag.verifier.weights import Stored, save_network
from controldag.verifier.words import shape

_SMOOTHING = 0.03
_SHARE_OF_WARM_UP = 0.05
_LOSSES = ("claims", "words", "extra", "broken")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """preset: see `presets`. minutes: of training. unit: see `batches`. rate: the highest learning rate."""

    preset: str
    minutes: float
    workers: int
    unit: int = 128
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


def loss_of(judged: Judged, batch: Batch, device: str) -> Tensor:
    """Cross entropy of verdicts (by claim, by word of a value), and of whether a text says more and is broken: [4]."""
    parts = (
        _verdicts(judged.claims, batch.verdicts, device),
        0.5 * _verdicts(judged.words, batch.by_word, device),
        0.5 * _binary(judged.extra, batch.extra, device),
        0.5 * _binary(judged.broken, batch.broken, device),
    )
    return torch.stack(parts)


def _verdicts(logits: Tensor, labels: Ints, device: str) -> Tensor:
    known = tensor(labels, device).flatten()
    each = F.cross_entropy(
        logits.float().flatten(0, 1), known, ignore_index=UNKNOWN, label_smoothing=_SMOOTHING, reduction="sum"
    )
    return each / (known != UNKNOWN).sum().clamp(min=1)


def _binary(logits: Tensor, labels: Ints, device: str) -> Tensor:
    known = torch.as_tensor(labels, device=device)
    target = known.clamp(min=0).float() * (1 - 2 * _SMOOTHING) + _SMOOTHING
    each = F.binary_cross_entropy_with_logits(logits.float(), target, reduction="none")
    mask = (known != UNKNOWN).float()
    return (each * mask).sum() / mask.sum().clamp(min=1)


def train(prepared: Path, out: Path, options: TrainingOptions) -> None:
    """Trains for the minutes given and writes weights, vocabulary and curve to `out`."""
    preset = PRESETS[options.preset]
    torch.manual_seed(preset.seed)
    records, wordings = load(prepared, left_out=preset.left_out)
    world = World.of(records, wordings)
    lexicon = Lexicon(vocabulary_of(world, preset.vocabulary), preset.buckets)
    network_options = NetworkOptions(vocabulary=preset.vocabulary + 1, buckets=preset.buckets)
    workers = Workers(world, lexicon, preset.stream, seed=preset.seed, count=options.workers, unit=options.unit)
    with workers as stream:
        network = VerifierNetwork(network_options).to(options.device)
        curve = _learn(network, stream, options)
    tensors = {name: each.detach().float().cpu().numpy() for name, each in network.state_dict().items()}
    stored = Stored(network_options, tensors, lexicon)
    save_network(stored, out, about={"preset": options.preset, "minutes": options.minutes, "curve": curve})


def _learn(network: VerifierNetwork, stream: object, options: TrainingOptions) -> list[dict[str, float]]:
    decay = [p for p in network.parameters() if p.dim() >= 2]
    rest = [p for p in network.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), fused=options.device == "cuda")
    curve: list[dict[str, float]] = []
    begun = reported = time.monotonic()
    steps = 0
    seen, since, total = 0, 0, torch.zeros(4, device=options.device)
    network.train()
    for batch in stream:  # type: ignore[attr-defined]
        share = (time.monotonic() - begun) / (60 * options.minutes)
        if share >= 1:
            break
        _set_rate(optimiser, options.rate, share)
        parts = _loss_on(network, batch, options.device)
        optimiser.zero_grad(set_to_none=True)
        parts.sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        total += parts.detach()
        steps, since, seen = steps + 1, since + 1, seen + len(batch.extra)
        if time.monotonic() - reported > options.report_every:
            losses = dict(zip(_LOSSES, (round(each / since, 4) for each in total.tolist()), strict=True))
            row = {"seconds": round(time.monotonic() - begun), "steps": steps, "examples": seen, **losses}
            curve.append(row)
            print(json.dumps(row), flush=True)
            total, since, reported = torch.zeros(4, device=options.device), 0, time.monotonic()
    return curve


def _loss_on(network: VerifierNetwork, batch: Batch, device: str) -> Tensor:
    table = tensor(batch.table, device)
    claims = claim_side(tensor(batch.claims, device), tensor(batch.starts, device), table)
    texts = text_side(tensor(batch.texts, device), table)
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        judged = network(claims, texts)
    return loss_of(judged, batch, device)


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
    parser.add_argument("--workers", type=int, default=8, help="processes that make examples")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--unit", type=int, default=128, help="examples of a batch of long ones; of short ones 8 times")
    parser.add_argument("--report", type=float, default=20.0, help="seconds between two lines of the curve")
    given = parser.parse_args()
    options = TrainingOptions(
        preset=given.preset,
        minutes=given.minutes,
        workers=given.workers,
        device=given.device,
        unit=given.unit,
        report_every=given.report,
    )
    train(given.prepared, given.out, options)


if __name__ == "__main__":
    main()
