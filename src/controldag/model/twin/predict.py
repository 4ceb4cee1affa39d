"""From source tokens to output tokens, one after another: the autoregressive twin behind the pipeline's decoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config
from controldag.model.definition.saving import load_model
from controldag.model.inference.buckets import ROWS, rounded
from controldag.model.inference.devices import device_of
from controldag.model.twin.constrained_beam import BeamOptions, beam_search
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.graphed import GraphedTwin
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.phrase_tables import Constraint
from controldag.model.twin.steps import Steps, TokenOutput, greedy
from controldag.runtime.predict import GraphPredictor, Source
from controldag.runtime.sizes import T5Options
from controldag.surfaces import Surfaces

_MOST_INPUT = 1024
_ROWS = 256  # sources in a batch, at most
_LENGTHS = (128, 192, 256, 512)


@dataclass(frozen=True, slots=True)
class Saying:
    """How to decode a batch.

    beams: 1 is greedy. constraints: for each source, sets of token sequences of which one each must be said.
    length_penalty: of beams, the power of its length that a hypothesis's log-probability is divided by.
    lengths: for each source, the exact number of tokens (`</s>` counted), where speed is measured without a trained
    model.
    """

    beams: int = 1
    constraints: Sequence[Sequence[Constraint]] | None = None
    max_length: int = 128
    lengths: Sequence[int] | None = None
    length_penalty: float = 1.0

    def beam_options(self, max_length: int, lengths: Sequence[int] | None) -> BeamOptions:
        """The same for beam search, with these lengths."""
        return BeamOptions(self.beams, self.length_penalty, max_length, lengths=lengths)


class Speaker(Protocol):
    """One way to run the twin."""

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        """An output for each source."""


class StepSpeaker:
    """Our own greedy and beam search over anything that takes steps."""

    def __init__(self, steps: Steps, device: torch.device) -> None:
        self.steps, self.device = steps, device

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        batch = padded(ids, self.steps.config.pad_token_id, self.device)
        with torch.inference_mode():
            if how.beams == 1 and how.constraints is None:
                return greedy(self.steps, batch, how.max_length, lengths=how.lengths)
            options = how.beam_options(how.max_length, how.lengths)
            return beam_search(self.steps, batch, options, how.constraints)


class GraphedSpeaker:
    """The same in few fixed shapes, whose steps are CUDA graphs where there is a GPU."""

    def __init__(self, fast: FastTwin) -> None:
        self.twin, self.device = GraphedTwin(fast), fast.device

    def bare_step_ms(self, ids: Sequence[int]) -> float:
        """Milliseconds of one greedy step for this source alone."""
        return self.twin.bare_step_ms(padded([ids], self.twin.config.pad_token_id, self.device))

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        missing = rounded(len(ids), ROWS) - len(ids)
        full = [*ids, *[[self.twin.config.eos_token_id]] * missing]
        lengths = None if how.lengths is None else [*how.lengths, *[2] * missing]
        constraints = None if how.constraints is None else [*how.constraints, *[[]] * missing]
        batch = padded(full, self.twin.config.pad_token_id, self.device)
        with torch.inference_mode():
            if how.beams == 1 and constraints is None:
                return self.twin.greedy(batch, how.max_length, lengths=lengths)[: len(ids)]
            # Few lengths, so that graphs are used again.
            options = how.beam_options(rounded(how.max_length, _LENGTHS), lengths)
            return self.twin.beam(batch, options, constraints)[: len(ids)]


class ArPredictor:
    """A loaded ART5 that turns sources into tokens."""

    autoregressive = True

    def __init__(self, model: ART5ForGeneration, surfaces: Surfaces, speaker: Speaker) -> None:
        self.model = model.eval()
        self.surfaces = surfaces
        self.speaker = speaker

    @classmethod
    def load(
        cls, folder: str | Path, surfaces: Surfaces, *, tokenizer: bytes, device: str = "cpu", precision: str = ""
    ) -> ArPredictor:
        """The twin in `folder`, on `device`."""
        model = load_model(folder, tokenizer=tokenizer)
        if not isinstance(model, ART5ForGeneration):
            raise InvalidInput.of(
                "model", "be an autoregressive one (ar_t5)", model.config.model_type, remedy="Name an ART5 folder."
            )
        model.to(device_of(device))  # type: ignore[arg-type]
        return cls(model, surfaces, fast_speaker(model.eval(), precision))

    @classmethod
    def random(cls, like: GraphPredictor, device: str, seed: int = 0) -> ArPredictor:
        """An untrained twin of the same sizes and vocabulary: good for measuring time, and nothing else."""
        model = random_twin(like.options, seed)
        model.to(device_of(device))  # type: ignore[arg-type]
        return cls(model, like.surfaces, fast_speaker(model))

    @property
    def eos(self) -> int:
        return int(self.model.config.eos_token_id)

    @property
    def lineariser(self) -> tuple[str, str]:
        """The linearisation the model was trained on, and what stood between values."""
        return str(self.model.config.lineariser), str(self.model.config.value_separator)

    @property
    def word_marks(self) -> int:
        """How many of the marks, the last ones, are for words of the schema."""
        return int(self.model.config.word_marks)

    @property
    def expected_length(self) -> None:
        """None: it has no graphs to size."""

    @property
    def marked(self) -> str:
        """What had value marks in training."""
        return str(self.model.config.marked)

    def batches(self, sources: Sequence[Source]) -> list[list[int]]:
        """Which sources to decode together: by size, so that little is padding."""
        order = sorted(range(len(sources)), key=lambda i: len(sources[i].ids))
        return [order[first : first + _ROWS] for first in range(0, len(order), _ROWS)]

    def check(self, source: Source) -> None:
        """Raises InvalidInput where the source is too long."""
        if len(source.ids) > _MOST_INPUT:
            raise InvalidInput(
                f"The input needs {len(source.ids):,} positions; the twin takes {_MOST_INPUT:,}.",
                remedy="Say less at once.",
            )

    def say(self, sources: Sequence[Source], how: Saying) -> list[TokenOutput]:
        """The output for each source, in order."""
        return self.speaker.say([source.ids for source in sources], how)

    @torch.inference_mode()
    def token_costs(self, source: Source, targets: Sequence[Sequence[int]]) -> list[float]:
        """For each of `targets` (without `<s>` and `</s>`) the mean of -log p over its tokens and `</s>`; one pass."""
        config = self.model.config
        rows = [torch.tensor([config.bos_token_id, *ids, config.eos_token_id]) for ids in targets]
        labels = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=config.pad_token_id)
        labels = labels.to(self.model.device)
        ids = torch.tensor([source.ids], device=self.model.device)
        mask = ids != config.pad_token_id
        memory = self.model.encode(ids, mask).expand(len(labels), -1, -1)
        features = self.model.features(labels[:, :-1], memory, mask.expand(len(labels), -1))
        scaled, weight = self.model.head_inputs(features)
        logs = torch.log_softmax(functional.linear(scaled, weight).float(), -1)
        wanted = labels[:, 1:]
        real = wanted != config.pad_token_id
        said = logs.gather(-1, wanted[..., None])[..., 0].masked_fill(~real, 0.0)
        return [float(value) for value in -said.sum(-1) / real.sum(-1)]


def random_twin(options: T5Options, seed: int = 0) -> ART5ForGeneration:
    """An untrained twin of these sizes."""
    sizes = {field.name: getattr(options, field.name) for field in fields(T5Options)}
    torch.manual_seed(seed)
    return ART5ForGeneration(ART5Config(**sizes)).eval()


def fast_speaker(model: ART5ForGeneration, precision: str = "") -> Speaker:
    """The fastest way we have: fused blocks over a static cache, and on a GPU each step a CUDA graph."""
    on_cpu = model.device.type == "cpu"
    fast = FastTwin(model, precision or ("float32" if on_cpu else "bfloat16"))
    return StepSpeaker(fast, model.device) if on_cpu else GraphedSpeaker(fast)


def padded(ids: Sequence[Sequence[int]], pad: int, device: torch.device) -> Tensor:
    """The sources as one tensor [B, N]."""
    longest = max(map(len, ids))
    return torch.tensor([[*each, *[pad] * (longest - len(each))] for each in ids], device=device)
