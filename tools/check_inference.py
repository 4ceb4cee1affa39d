"""Whether a GPU's graphs give what a CPU gives: `python -m tools.check_inference FOLDER`."""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch

from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.saving import load_model
from controldag.model.inference.buckets import BucketedForward
from controldag.model.inference.forward import FastForward
from controldag.model.inference.passes import ExactForward, InputRow
from controldag.model.twin.forward import FastTwin
from controldag.model.twin.graphed import GraphedTwin
from controldag.model.twin.predict import GraphedSpeaker, Saying, StepSpeaker, padded, random_twin
from controldag.model.twin.steps import greedy

_SILENT = 4  # the special tokens


def some_rows(vocabulary: int, counts: tuple[int, ...]) -> list[list[InputRow]]:
    """Batches of random inputs, of the given numbers of rows."""
    draw = np.random.default_rng(3)

    def row() -> InputRow:
        ids = draw.integers(_SILENT, vocabulary, draw.integers(4, 40)).tolist()
        asked = sorted(set(draw.integers(_SILENT, vocabulary, 5).tolist()))
        return InputRow([*ids, 1], max(32, 3 * len(ids)), (), asked)

    return [[row() for _ in range(count)] for count in counts]


def check_forward(model: DAT5ForGeneration, device: str, precision: str) -> float:
    """The largest difference of a probability between the device's buckets and exact shapes on the CPU."""
    silent = torch.zeros(model.config.vocab_size)
    silent[:_SILENT] = -torch.inf
    exact = ExactForward(FastForward(model.cpu(), silent))
    batches = some_rows(model.config.vocab_size, (1, 5, 1, 30, 64))
    wanted = [exact.start(rows, 3).arrays() for rows in batches]
    model.to(torch.device(device))  # type: ignore[arg-type]
    bucketed = BucketedForward(FastForward(model, silent, precision))
    worst = 0.0
    for _ in range(2):
        running = bucketed.start(batches[0], 3)
        for rows, arrays, after in zip(batches, wanted, [*batches[1:], batches[0]], strict=True):
            found, running = running.arrays(), bucketed.start(after, 3)
            for one, other in zip(found, arrays, strict=True):
                for name in ("links", "scores", "asked"):
                    gap = np.abs(np.exp(getattr(one, name)) - np.exp(getattr(other, name))).max(initial=0.0)
                    worst = max(worst, float(gap))
            assert len(found) == len(rows)
    return worst


def check_twin(model: DAT5ForGeneration, device: str) -> None:
    """Raises unless graphed decoding says what plain decoding says, in float32 on the same device."""
    twin = random_twin(model.config)
    twin.to(torch.device(device))  # type: ignore[arg-type]
    fast = FastTwin(twin, "float32")
    graphed = GraphedTwin(fast)
    ids = [list(row.ids) for row in some_rows(model.config.vocab_size, (8,))[0]]
    batch = padded(ids, model.config.pad_token_id, fast.device)
    with torch.inference_mode():
        for lengths in (None, [20, 3, 40, 9, 17, 33, 2, 25]):
            plain = greedy(fast, batch, 48, lengths=lengths)
            for _ in range(2):
                found = graphed.greedy(batch, 48, lengths=lengths)
                same = sum(a.tokens == b.tokens for a, b in zip(plain, found, strict=True))
                print(f"twin, greedy, lengths {lengths is not None}: {same} of {len(ids)} the same", flush=True)
    how = Saying(4, [[[[7, 8]], [[9]]]] * 8, max_length=128)
    plain, found = StepSpeaker(fast, fast.device).say(ids, how), GraphedSpeaker(fast).say(ids, how)
    same = sum(a.tokens == b.tokens for a, b in zip(plain, found, strict=True))
    print(f"twin, constrained beam: {same} of {len(ids)} the same", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--device", default="cuda")
    wanted = parser.parse_args()
    model = load_model(wanted.folder)
    assert isinstance(model, DAT5ForGeneration)
    model.eval()
    for precision in ("float32", "bfloat16"):
        began = time.perf_counter()
        gap = check_forward(model, wanted.device, precision)
        print(f"forward, {precision}: probabilities differ by at most {gap:.2g}, {time.perf_counter() - began:.1f} s")
    check_twin(model, wanted.device)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
