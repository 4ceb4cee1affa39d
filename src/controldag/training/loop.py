"""The training loop, on Accelerate: one CPU, one GPU, or several processes.

Every random draw of a step follows from seed, step and process, and every batch from seed and epoch. A run that was
killed and resumed therefore does what the uninterrupted one does: bit for bit on a CPU in float32.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from accelerate import Accelerator
from accelerate.utils import broadcast
from torch import Tensor

from controldag.errors import ControlDagError, InvalidInput
from controldag.model.definition.config import DAT5Config
from controldag.training.batching import (
    Batch,
    Bucket,
    Shape,
    batches_per_epoch,
    epoch_batches,
    plan_buckets,
    sizes_of,
)
from controldag.training.build import Model, build_model, build_optimiser
from controldag.training.checkpoint import (
    Checkpoint,
    Progress,
    load_checkpoint,
    optimiser_tensors,
    put_back,
    restore_optimiser,
    save_checkpoint,
)
from controldag.training.corpus import Corpus
from controldag.training.graphed import GraphedPasses
from controldag.training.hiding import SourceHiding, mark_table
from controldag.training.journal import Journal
from controldag.training.meter import Meter
from controldag.training.options import TrainingOptions, options_from, options_to
from controldag.training.run_options import Outcome, RunOptions
from controldag.training.schedule import Average, glancing_rate, learning_rate
from controldag.training.validate import Validation, validate

# Gradients are clipped to this norm.
_LONGEST_GRADIENT = 1.0


class Trainer:
    """One run: model, optimiser, data on the device, and where it stands."""

    def __init__(self, options: TrainingOptions, corpus: Corpus, run: RunOptions) -> None:
        self.options, self.corpus, self.run = options, corpus, run
        self.accelerator = make_accelerator(options, run.device)
        self.device = self.accelerator.device
        on_gpu = self.device.type == "cuda"
        self.model: Model = build_model(options, corpus.prepared).to(self.device)
        self.optimiser, self.names = build_optimiser(self.model, options.optimiser)
        self.parameters = dict(self.model.named_parameters())
        if on_gpu:
            torch.set_float32_matmul_precision("high")
            # Its backward gives NaN for queries when a width is 64 more than a multiple of 128 and a row's scores are
            # far below zero (torch 2.11, pytorch issue 196678): T5's unscaled scores get there after 1,000 steps.
            torch.backends.cuda.enable_cudnn_sdp(False)
            self.model.use_fused_loss(options.fused)
            if options.compile:
                torch._dynamo.config.cache_size_limit = 64
                self.model.compile_blocks()
        self.wrapped, self.stepper = self.accelerator.prepare(self.model, self.optimiser)
        self.average = None
        if options.optimiser.ema:
            self.average = Average(self.parameters.values(), options.optimiser.ema)
        self.progress = Progress()
        self.skipped = torch.zeros((), dtype=torch.int64, device=self.device)  # steps, since the last report
        self.broken = False
        self.saved_at = time.perf_counter()
        self.variants = corpus.prepared.variants
        self.count = len(corpus.train) // self.variants
        self.buckets: list[Bucket] = plan_buckets(corpus.train, self.model.config, options.batch, self.variants)
        self.per_epoch = max(1, batches_per_epoch(self.buckets))
        self.total_steps = options.steps or max(1, round(options.epochs * self.per_epoch))
        pad = corpus.prepared.pad_id
        self.sources = torch.from_numpy(corpus.train.sources.padded(pad)).to(self.device)
        self.targets = torch.from_numpy(corpus.train.targets.padded(pad)).to(self.device)
        self.sizes = self._graph_sizes()
        self.hiding = SourceHiding(options.hidden_source, corpus, self.device) if options.hidden_source else None
        self.marks = mark_table(corpus, self.device) if options.miscount_weight else None
        if self.marks is not None and not self.marks.any():
            remedy = "Start from a checkpoint that has them, or leave the option out."
            raise InvalidInput.of("miscount_weight", "be 0 without value marks", options.miscount_weight, remedy=remedy)
        self.epoch: tuple[int, list[Batch]] = (-1, [])
        self.rows: list[Tensor] = []  # of the epoch's batches, on the device
        self.passes: GraphedPasses | None = None  # see `warm_up`
        self.journal = Journal(run.folder, enabled=self.accelerator.is_main_process)

    @property
    def checkpoints(self) -> Path:
        """Where the checkpoints are."""
        return self.run.folder / "checkpoints"

    def restore(self) -> bool:
        """Takes up the newest checkpoint of the run's folder; false where there is none."""
        found = load_checkpoint(self.checkpoints)
        if found is None:
            return False
        # Read as options, so that a run from before an option was there has its default.
        if options_from(found.options) != self.options:
            raise InvalidInput(
                f"the checkpoints in {self.checkpoints} are of a run with other options.",
                remedy="Choose another folder with --out, or start afresh with --no-resume.",
            )
        try:
            put_back(self.parameters, found.tensors["weights"])
            if self.average is not None:
                put_back(dict(zip(self.parameters, self.average.values, strict=True)), found.tensors["averaged"])
            restore_optimiser(self.optimiser, self.names, found.tensors["optimiser"])
        except (KeyError, ValueError, RuntimeError) as error:
            raise InvalidInput(
                f"the newest checkpoint in {self.checkpoints} does not fit its options ({error}).",
                remedy="Remove it, or start afresh with --no-resume.",
            ) from error
        self.progress = found.progress
        self.journal.rewind(self.progress.step)
        return True

    def save(self) -> None:
        """Writes a checkpoint (the first process only)."""
        if self.accelerator.is_main_process:
            tensors = {
                "weights": {name: p.detach() for name, p in self.parameters.items()},
                "optimiser": optimiser_tensors(self.optimiser, self.names),
            }
            if self.average is not None:
                tensors["averaged"] = dict(zip(self.parameters, self.average.values, strict=True))
            save_checkpoint(self.checkpoints, Checkpoint(self.progress, options_to(self.options), tensors))
        self.saved_at = time.perf_counter()
        self.accelerator.wait_for_everyone()

    def train(self) -> Outcome:
        """Trains to the end of the budget, with checkpoints on the way, and validates at the end."""
        if self.run.resume and self.restore():
            self.run.say(f"resumed at step {self.progress.step}")
        self.warm_up()
        self.saved_at = time.perf_counter()
        meter = Meter(self)
        until = time.perf_counter() + 60 * self.run.stop_after if self.run.stop_after else float("inf")
        self.wrapped.train()
        with self.journal.bar(self.total_steps, self.run) as bar:
            while not self._ended(meter) and not (self.run.stop_after and self._agreed(time.perf_counter() >= until)):
                meter.add(self.step(self._share_of_budget(meter)))
                step = self.progress.step
                if step % self.options.log_every == 0:
                    figures = meter.report(self._share_of_budget(meter))
                    bar(step, figures)
                    # The weights are those of the last good step; more of this would change nothing.
                    self._check_expected(step, figures["loss"])
                    self.broken = figures["skipped"] > 0.5 * self.options.log_every
                    if self.broken:
                        self.run.say("stopped: most gradients are not finite any more")
                if self._save_is_due(step):
                    meter.paused(self.save)
        rate = meter.finish()
        self.run.folder.mkdir(parents=True, exist_ok=True)
        (self.run.folder / "trained").touch()  # for whoever waits for the device
        self.save()
        validation = self.validate() if self._ended(meter) else None
        on_gpu = self.device.type == "cuda"
        peak = torch.cuda.max_memory_allocated() / 2**30 if on_gpu else 0.0
        name = torch.cuda.get_device_name() if on_gpu else "cpu"
        return Outcome(self.progress, validation, rate, peak, name, torch.__version__)

    def _check_expected(self, step: int, loss: float) -> None:
        """Ends a run that learns worse than it should: a kernel may be wrong where no test looks."""
        if self.run.expect is None or not self.run.expect[0] <= step < self.run.expect[0] + self.options.log_every:
            return
        if not loss <= self.run.expect[1]:
            raise ControlDagError(
                f"the loss at step {step} is {loss:.3f}, above the expected {self.run.expect[1]:g}.",
                remedy="Look at what changed since the run that the expectation comes from, or leave --expect out.",
            )
        self.run.say(f"loss at step {step}: {loss:.3f}, as expected")

    def warm_up(self) -> None:
        """Compiles for every shape, off the clock: a short budget's schedule would lose its best part to it."""
        if self.device.type == "cuda" and self.options.compile:
            began = time.perf_counter()
            self.wrapped.train()
            if self.accelerator.num_processes == 1:
                self.passes = GraphedPasses(self._pass, self.parameters.values(), self.device)
            # The largest shape first, so that memory is asked for once.
            for bucket in sorted(self.buckets, key=lambda each: -each.shape.source * each.shape.batch):
                rows = torch.from_numpy(bucket.members[: bucket.shape.batch]).to(self.device)
                if self.passes is not None:
                    self.passes.add(bucket.shape, rows)
                else:
                    self._pass(bucket.shape, rows, torch.zeros((), device=self.device))
                    self.stepper.zero_grad(set_to_none=True)
            torch.cuda.synchronize()
            self.run.say(f"compiled in {time.perf_counter() - began:.0f} s")
        while self.run.after is not None and not self.run.after.exists():
            time.sleep(0.2)

    def step(self, share: float) -> Tensor:
        """One update at `share` of the budget; returns the step's statistics, still on the device."""
        options, step = self.options, self.progress.step
        batch = self._batch(step)
        torch.manual_seed((options.seed << 32) + step * 1009 + self.accelerator.process_index)
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(options.optimiser, step, share)
        rows = self.rows[step % self.per_epoch]
        rate = glancing_rate(options.glancing, share)
        if self.passes is None:
            self.stepper.zero_grad(set_to_none=True)
            statistics = self._pass(batch.shape, rows, torch.full((), rate, device=self.device))
        else:
            statistics = self.passes(batch.shape, rows, rate)
        norm = self.accelerator.clip_grad_norm_(self.wrapped.parameters(), _LONGEST_GRADIENT)
        self._update(norm)
        if self.average is not None:
            self.average.update(step)
        self.progress = replace(self.progress, step=step + 1)
        return statistics

    def _pass(self, shape: Shape, rows: Tensor, rate: Tensor) -> Tensor:
        """Adds the gradients of the examples `rows` and gives their statistics."""
        output = self.wrapped(**self._inputs(shape, rows, rate))
        self.accelerator.backward(output.loss)
        statistics: Tensor = output.statistics
        return statistics

    def _update(self, norm: Tensor | None) -> None:
        """Takes the step, unless a gradient is infinite or NaN: one such step would spoil every weight for good."""
        assert norm is not None
        bad = ~norm.isfinite()
        self.skipped += bad
        if self.device.type == "cuda":
            # The fused optimiser reads this on the device, as a gradient scaler's: nothing waits for it.
            setattr(self.optimiser, "found_inf", bad.float())  # noqa: B010
            self.stepper.step()
        elif not bad:
            self.stepper.step()

    def _inputs(self, shape: Shape, where: Tensor, rate: Tensor) -> dict[str, Any]:
        """What the model takes at a glancing rate: this process's part of the examples `where`."""
        inputs = self._texts(shape, where)
        if self.options.kind == "da":
            inputs["graph_width"] = shape.graph
            inputs["reveal_rate"] = rate if self.options.glancing.start > 0 else None
            inputs["forced"] = self.options.glancing.forced
            inputs["fuzzy_order"] = self.options.fuzzy_order
            if self.sizes is not None:
                inputs["graph_sizes"] = self.sizes[self._own(where)]
            if self.marks is not None:
                inputs["counted"] = self.marks[inputs["labels"]]
                inputs["miscount_weight"] = self.options.miscount_weight
        return inputs

    def _texts(self, shape: Shape, where: Tensor) -> dict[str, Any]:
        """Sources and targets of this process's share of the batch, and the normaliser where there are several."""
        world, where = self.accelerator.num_processes, self._own(where)
        sources = self.sources[where, : shape.source].long()
        if self.hiding is not None:
            sources = self.hiding(sources)
        targets = self.targets[where, : shape.target].long()
        if world == 1:
            return {"input_ids": sources, "labels": targets}
        real = (targets != self.corpus.prepared.pad_id).sum() - (0 if self.options.kind == "da" else len(targets))
        positions = self.accelerator.reduce(real, "sum")
        # Gradients are averaged over the processes: dividing by the mean share makes it the global mean.
        return {"input_ids": sources, "labels": targets, "normaliser": positions / world}

    def _own(self, where: Tensor) -> Tensor:
        """This process's share of the examples of a batch."""
        world, rank = self.accelerator.num_processes, self.accelerator.process_index
        return where[: len(where) // world * world][rank::world]

    def _graph_sizes(self) -> Tensor | None:
        """Vertices of every training example, where the config sizes graphs by expected length."""
        config, expected = self.model.config, self.corpus.train.expected
        if not isinstance(config, DAT5Config) or not config.vertices_per_length:
            return None
        return torch.from_numpy(sizes_of(expected, config)).to(self.device)

    def _batch(self, step: int) -> Batch:
        epoch, place = divmod(step, self.per_epoch)
        if self.epoch[0] != epoch:
            batches = epoch_batches(
                self.buckets, epoch, seed=self.options.seed, count=self.count, variants=self.variants
            )
            self.epoch = (epoch, batches)
            # One transfer an epoch: a small one each step could make the host wait for the device.
            flat = torch.from_numpy(np.concatenate([batch.examples for batch in batches])).to(self.device)
            self.rows = list(flat.split([len(batch.examples) for batch in batches]))
        return self.epoch[1][place]

    def batch_size(self, step: int) -> int:
        """How many examples the step's batch has."""
        return len(self._batch(step).examples)

    def _share_of_budget(self, meter: Meter) -> float:
        if not self.run.minutes:
            return self.progress.step / self.total_steps
        share = meter.seconds / (60 * self.run.minutes)
        if self.accelerator.num_processes > 1:
            return float(broadcast(torch.tensor(share, device=self.device)))
        return share

    def _save_is_due(self, step: int) -> bool:
        """Whether a checkpoint is to be written now: by the config's steps, or by the clock, asked now and then."""
        if self.options.save_every and step % self.options.save_every == 0:
            return True
        waited = time.perf_counter() - self.saved_at >= 60 * self.run.save_minutes
        return step % self.options.log_every == 0 and self._agreed(waited)

    def _agreed(self, mine: bool) -> bool:
        """What the first process says, in all of them."""
        if self.accelerator.num_processes == 1:
            return mine
        return bool(broadcast(torch.tensor(int(mine), device=self.device)))

    def _ended(self, meter: Meter) -> bool:
        if self.broken:
            return True
        if self.run.minutes:
            return self._share_of_budget(meter) >= 1.0
        return self.progress.step >= self.total_steps

    def validate(self) -> Validation:
        """Scores of the averaged weights on the development data."""
        with self.averaged():
            found = validate(
                self.model,
                self.corpus,
                examples=self.options.validation_examples,
                betas=self.options.viterbi_betas,
                autocast=self._autocast,
            )
        self.journal.validation(self.progress.step, found)
        for name, scores in found.scores.items():
            self.run.say(f"  {name:12s} " + "  ".join(f"{key} {value:6.2f}" for key, value in scores.items()))
        return found

    def _autocast(self) -> torch.autocast:
        on = self.device.type == "cuda" and self.options.precision == "bf16"
        return torch.autocast(self.device.type, torch.bfloat16, enabled=on)

    def averaged(self) -> Any:
        """A block in which the model has its averaged weights."""
        return _Swapped(self.average) if self.average is not None else nullcontext()


class _Swapped:
    def __init__(self, average: Average) -> None:
        self._average = average

    def __enter__(self) -> None:
        self._average.swap()

    def __exit__(self, *error: object) -> None:
        self._average.swap()


def make_accelerator(options: TrainingOptions, device: str) -> Accelerator:
    """Accelerate's state for the wanted device."""
    if device not in ("auto", "cpu", "cuda"):
        raise InvalidInput.of("--device", "be auto, cpu or cuda", device)
    if device == "cuda" and not torch.cuda.is_available():
        raise InvalidInput("CUDA was asked for, but there is none here.", remedy="Use --device cpu.")
    on_gpu = device == "cuda" or (device == "auto" and torch.cuda.is_available())
    precision = "bf16" if on_gpu and options.precision == "bf16" else "no"
    return Accelerator(cpu=not on_gpu, mixed_precision=precision)
