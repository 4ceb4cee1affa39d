"""The autoregressive peers of a checkpoint: trained or random, run in several ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from controldag.data.records import Example
from controldag.data.value_marks import MarkedValues
from controldag.errors import InvalidInput, MissingDependency
from controldag.generation.decoders import decoders_of
from controldag.generation.request import Request
from controldag.pipeline import ControlDag
from controldag.runtime.predict import GraphPredictor
from controldag.text.mark_tokens import MarkTokens

if TYPE_CHECKING:
    from controldag.model.twin.predict import ArPredictor, Saying, Speaker
    from controldag.model.twin.steps import TokenOutput


@dataclass(frozen=True, slots=True)
class Peer:
    """One system to measure.

    way: `transformers` (as people run it), `fast` (the fastest we can make it), `ctranslate2`; empty for ours.
    trained: its texts mean something. warm_all: all turns are run before the clock starts, so that it knows all shapes.
    """

    name: str
    model: ControlDag
    decoder: str
    way: str = ""
    trained: bool = True
    warm_all: bool = False


def peers_of(
    ours: ControlDag, folder: Path | None, examples: Sequence[Example], device: str, say: Callable[[str], None]
) -> list[Peer]:
    """The twin's decoders in every way that this machine can run; `say` tells what is left out and why."""
    from controldag.model.twin.predict import ArPredictor

    checkpoint, lengths = ours.checkpoint, None
    if folder is not None:
        twin = ControlDag.from_pretrained(folder, device=device, like=ours.checkpoint.folder)
        checkpoint, predictor = twin.checkpoint, twin.predictor
    else:
        assert isinstance(ours.predictor, GraphPredictor)
        predictor, lengths = ArPredictor.random(ours.predictor, device), reference_lengths(ours, examples)
        say("no twin given: one with random weights and the references' lengths stands for its speed, not its quality")
    if not isinstance(predictor, ArPredictor):
        raise InvalidInput.of("--ar", "hold an autoregressive model (ar_t5)", str(folder))
    peers = []
    for way, speaker in _speakers(predictor, device, say).items():
        if lengths is not None:
            speaker = _AsLong(speaker, lengths)
        model = ControlDag(checkpoint, ArPredictor(predictor.model, predictor.surfaces, speaker))
        for decoder in decoders_of(autoregressive=True):
            if way == "ctranslate2" and decoder == "ar-constrained-beam":
                continue
            peers.append(Peer(f"{decoder}, {way}", model, decoder, way, folder is not None, way == "fast"))
    return peers


def _speakers(predictor: ArPredictor, device: str, say: Callable[[str], None]) -> dict[str, Speaker]:
    from benchmarks.end_to_end.ct2_twin import Ct2Speaker
    from benchmarks.end_to_end.hf_twin import HfSpeaker

    speakers: dict[str, Speaker] = {"transformers": HfSpeaker(predictor.model), "fast": predictor.speaker}
    if device == "cpu":
        try:
            speakers["ctranslate2"] = Ct2Speaker(predictor.model)
        except MissingDependency as error:
            say(f"CTranslate2 is left out: {error}")
    return speakers


def bare_step_ms(peers: Sequence[Peer], example: Example) -> float | None:
    """Milliseconds of one step of our fastest twin and nothing else; None where its steps are no graphs (CPU)."""
    from controldag.model.twin.predict import ArPredictor, GraphedSpeaker

    for peer in peers:
        predictor = peer.model.predictor
        if peer.way == "fast" and isinstance(predictor, ArPredictor):
            speaker = predictor.speaker.speaker if isinstance(predictor.speaker, _AsLong) else predictor.speaker
            if isinstance(speaker, GraphedSpeaker):
                return speaker.bare_step_ms(peer.model.prepare(Request(example, decoder=peer.decoder)).source.ids)
    return None


def reference_lengths(model: ControlDag, examples: Sequence[Example]) -> dict[tuple[int, ...], int]:
    """By source tokens, how many tokens (`</s>` counted) the first reference has, in the model's own tokens."""
    marks = len(MarkTokens(model.checkpoint.tokenizer))
    found: dict[tuple[int, ...], int] = {}
    for example in examples:
        values = MarkedValues.of(example, model.knowledge.schema, marks, model.predictor.marked)
        tokens = model.checkpoint.tokenizer.encode(values.in_text(example.target))
        found[tuple(model.prepare(Request(example)).source.ids)] = len(tokens) + 1
    return found


class _AsLong:
    """A speaker whose outputs are as long as the references."""

    def __init__(self, speaker: Speaker, lengths: Mapping[tuple[int, ...], int]) -> None:
        self.speaker, self._lengths = speaker, lengths

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        lengths = [self._lengths[tuple(each)] for each in ids]
        return self.speaker.say(ids, replace(how, lengths=lengths, max_length=max(how.max_length, max(lengths) + 1)))
