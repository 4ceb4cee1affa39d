"""How fast training is on this machine: the fused path against eager PyTorch, and where the time goes."""

from __future__ import annotations

import gc
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from controldag.model.definition.layers import ATTENTIONS
from controldag.training.batching import Batch, Shape
from controldag.training.corpus import Corpus
from controldag.training.loop import Trainer
from controldag.training.options import TrainingOptions
from controldag.training.run_options import RunOptions

# Kernel names, in order: the first that fits says which part of the work a kernel does.
_PARTS = (
    ("attention", ("attention_forward_kernel", "attention_query_gradient", "attention_key_gradient")),
    ("dag loss", ("_forward_kernel", "_backward_kernel", "_link_posterior", "_alignment_kernel")),
    ("head", ("_statistics_kernel", "_gradient_kernel", "_add_targets")),
    ("fused by the compiler", ("triton_",)),
    ("attention", ("fmha", "flash", "sdpa")),  # before the products: a name may hold `fmha_cutlass`
    ("matrix products", ("gemm", "cutlass", "nvjet", "xmma", "cublas")),
    ("optimiser", ("multi_tensor", "adam", "lerp")),
)
_SLOWEST = 40  # kernels that are named


@dataclass(frozen=True, slots=True)
class Speed:
    """One measured way of training."""

    examples_per_s: float  # of a whole epoch
    milliseconds: float  # a step, on average over an epoch
    start_seconds: float  # until every shape had been seen once
    peak_gib: float
    parts: dict[str, float]  # share of the device's time
    slowest: dict[str, float]  # the kernels that take the largest shares, by name


def bench_training(options: TrainingOptions, corpus: Corpus, *, steps: int, device: str = "auto") -> dict[str, Any]:
    """Figures of the fused path, with each kind of attention, and of eager PyTorch: one object, ready for JSON.

    All see the same batches. `examples_per_s` and the figures beside it are those of the config's own attention.
    """
    kinds = {kind: measure(replace(options, attention=kind), corpus, steps=steps, device=device) for kind in ATTENTIONS}
    fused = kinds[options.attention]
    plain = replace(options, compile=False, fused=False, attention="plain")
    eager = measure(plain, corpus, steps=max(4, steps // 4), device=device)
    figures: dict[str, Any] = {
        "config": options.name,
        "examples_per_s": fused.examples_per_s,
        "eager_examples_per_s": eager.examples_per_s,
        "fused_speedup": fused.examples_per_s / eager.examples_per_s,
        "step_ms": fused.milliseconds,
        "eager_step_ms": eager.milliseconds,
        "peak_gib": fused.peak_gib,
        "eager_peak_gib": eager.peak_gib,
        "start_seconds": fused.start_seconds,
        "parts": fused.parts,
        "eager_parts": eager.parts,
        "attention": {kind: asdict(speed) for kind, speed in kinds.items()},
        "sdpa_speedup": kinds["sdpa"].examples_per_s / kinds["plain"].examples_per_s,
        "fused_attention_speedup": kinds["fused"].examples_per_s / kinds["plain"].examples_per_s,
        "loss_speedup": 1.0,
    }
    if options.kind == "da" and torch.cuda.is_available() and device != "cpu":
        figures |= loss_figures(options, corpus)
    return figures


def loss_figures(options: TrainingOptions, corpus: Corpus) -> dict[str, Any]:
    """Head, loss and alignment alone, fused against plain, at the run's most typical shape."""
    from tools.check_gpu import time_loss

    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(replace(options, compile=False), corpus, RunOptions(Path(folder), quiet=True))
        shape = max(trainer.buckets, key=lambda bucket: len(bucket.members) * bucket.shape.graph).shape
        _release(trainer)
    times = time_loss(shape.batch, shape.graph, shape.target, corpus.prepared.vocab_size)
    return {"loss_speedup": times.pop("speedup"), "loss_ms": times}


def measure(options: TrainingOptions, corpus: Corpus, *, steps: int, device: str, after: Path | None = None) -> Speed:
    """Speed of an epoch, from some `steps` of its steps: every shape has its share of them, and at least one.

    A few steps drawn by chance would not do: one of short graphs holds ten times as many examples as one of long ones.
    With `after`, it compiles, and measures once that file is there.
    """
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(options, corpus, RunOptions(Path(folder), device=device, quiet=True, after=after))
        on_gpu = trainer.device.type == "cuda"
        if on_gpu:
            torch.cuda.reset_peak_memory_stats()
        began = time.perf_counter()
        trainer.warm_up()
        places = _places_of_each_shape(trainer)
        for found in places.values():
            _take(trainer, found[:1])
        _wait(on_gpu)
        start = time.perf_counter() - began
        seconds = 0.0
        for found in places.values():
            sample = found[: max(1, round(steps * len(found) / trainer.per_epoch))]
            began = time.perf_counter()
            _take(trainer, sample)
            _wait(on_gpu)
            seconds += (time.perf_counter() - began) / len(sample) * len(found)
        examples = sum(len(found) * shape.batch for shape, found in places.items())
        parts, slowest = device_parts(trainer, min(steps, 10)) if on_gpu else ({}, {})
        peak = torch.cuda.max_memory_allocated() / 2**30 if on_gpu else 0.0
        milliseconds = 1000 * seconds / trainer.per_epoch
        _release(trainer)
    return Speed(examples / seconds, milliseconds, start, peak, parts, slowest)


def _take(trainer: Trainer, places: list[int]) -> None:
    """Makes the steps at these places of the first epoch."""
    for place in places:
        trainer.progress = replace(trainer.progress, step=place)
        trainer.step(0.5)


def device_parts(trainer: Trainer, steps: int) -> tuple[dict[str, float], dict[str, float]]:
    """Shares of the device's time by part and of the slowest kernels; `idle` is time in which no kernel ran."""
    activities = [torch.profiler.ProfilerActivity.CUDA]
    trainer.progress = replace(trainer.progress, step=trainer.per_epoch)  # the second epoch, in its random order
    trainer._batch(trainer.progress.step)
    torch.cuda.synchronize()
    began = time.perf_counter()
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(steps):
            trainer.step(0.5)
        torch.cuda.synchronize()
        wall = 1e6 * (time.perf_counter() - began)
    sums: dict[str, float] = {}
    kernels: dict[str, float] = {}
    for event in profile.key_averages():
        micros = float(getattr(event, "self_device_time_total", 0.0))
        if micros > 0:
            name = part_of(event.key)
            sums[name] = sums.get(name, 0.0) + micros
            kernels[event.key] = kernels.get(event.key, 0.0) + micros
    busy = sum(sums.values())
    whole = max(wall, busy)
    parts = {name: value / whole for name, value in sums.items()} | {"idle": 1.0 - busy / whole}
    most = sorted(kernels, key=lambda name: -kernels[name])[:_SLOWEST]
    return parts, {name: kernels[name] / whole for name in most}


def part_of(kernel: str) -> str:
    """The part of the work that a kernel of this name does."""
    lower = kernel.lower()
    return next((part for part, marks in _PARTS if any(mark in lower for mark in marks)), "other kernels")


def _places_of_each_shape(trainer: Trainer) -> dict[Shape, list[int]]:
    """By shape, the steps of the first epoch that have it; the widest first (it takes the most memory)."""
    trainer._batch(0)
    batches: list[Batch] = trainer.epoch[1]
    places: dict[Shape, list[int]] = {}
    for place, batch in enumerate(batches):
        places.setdefault(batch.shape, []).append(place)
    return dict(sorted(places.items(), key=lambda each: -each[0].graph))


def _wait(on_gpu: bool) -> None:
    if on_gpu:
        torch.cuda.synchronize()


def _release(trainer: Trainer) -> None:
    trainer.accelerator.free_memory()
    del trainer
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def main() -> int:
    """`python -m benchmarks.training.run CONFIG…`: one JSON line for each config."""
    import argparse
    import json

    from controldag.training.options import load_options
    from controldag.training.prepare import data_folder, open_prepared, prepared_name

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("configs", nargs="+")
    parser.add_argument("--prepared", type=Path, default=Path("prepared"))
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--fused-only", action="store_true", help="The config's own way alone, without eager PyTorch.")
    parser.add_argument("--after", type=Path, help="With --fused-only: compile, then wait for this file.")
    parser.add_argument("--attention", choices=ATTENTIONS, help="Instead of the config's.")
    wanted = parser.parse_args()
    for name in wanted.configs:
        options = load_options(name)
        options = replace(options, attention=wanted.attention or options.attention)
        corpus = open_prepared(options.data, wanted.prepared / prepared_name(options.data), data_folder(), print)
        if wanted.fused_only:
            speed = measure(options, corpus, steps=wanted.steps, device=wanted.device, after=wanted.after)
            print(json.dumps({"config": name, "attention": options.attention, **asdict(speed)}), flush=True)
        else:
            print(json.dumps(bench_training(options, corpus, steps=wanted.steps, device=wanted.device)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
