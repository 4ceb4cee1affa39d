"""`python -m tools.bench_attention`: milliseconds of each attention kernel on a GPU, beside torch's.

Shapes are those of an epoch of `paper-sgd`. Only time on the device counts: training launches kernels by CUDA graphs.
`--sweep` tries all tile sizes. Each is compiled once; `--part 2/8` compiles a part of them, for several at once.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

import torch
from torch import Tensor

from controldag.model.definition.layers import HIDDEN
from controldag.model.definition.torch_attention import torch_attention
from controldag.model.kernels import attention_op
from controldag.model.kernels.attention_triton import Tiles, tile_sizes

# Examples, queries, keys: attention of vertices to vertices, to the source, and of the source to itself.
SHAPES = (
    (2000, 32, 32),
    (800, 80, 80),
    (400, 160, 160),
    (264, 240, 240),
    (200, 320, 320),
    (144, 432, 432),
    (88, 720, 720),
    (2000, 32, 8),
    (800, 80, 16),
    (400, 160, 32),
    (264, 240, 48),
    (200, 320, 64),
    (144, 432, 88),
    (264, 48, 48),
    (144, 88, 88),
)
TILES: tuple[Tiles, ...] = (
    (16, 16, 1, 2),
    (32, 32, 2, 2),
    (32, 64, 4, 2),
    (64, 32, 4, 2),
    (64, 64, 4, 1),
    (64, 64, 4, 2),
    (64, 64, 4, 3),
    (64, 64, 8, 2),
    (128, 32, 4, 2),
    (128, 64, 4, 2),
    (128, 64, 8, 2),
    (64, 128, 4, 2),
    (128, 128, 8, 2),
)
KERNELS = {
    "forward": ("attention_forward_kernel", "fmha_cutlassF"),
    "query": ("attention_query_gradient_kernel", "fmha_cutlassB"),
    "key": ("attention_key_gradient_kernel",),
}
_HEADS, _SIZE, _RATE = 8, 64, 0.1


def attend(batch: int, queries: int, keys: int, *, ours: bool) -> Callable[[], None]:
    """Attention with random numbers, forward and backward: relative positions where queries and keys are the same."""
    shapes = [(batch, length, _HEADS, _SIZE) for length in (queries, keys, keys)]
    q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16).requires_grad_() for shape in shapes)
    upstream = torch.randn_like(q)
    shared = torch.randn(_HEADS, queries, keys, device="cuda", dtype=torch.bfloat16) if queries == keys else None
    lengths = torch.randint(max(1, keys - 8), keys + 1, (batch, 1), device="cuda")
    own = torch.where(torch.arange(keys, device="cuda")[None] < lengths, 0.0, HIDDEN)
    if ours:
        shared = None if shared is None else shared.requires_grad_()
        return lambda: attention_op.triton_attention(q, k, v, shared, own, _RATE).backward(upstream)
    bias = own[:, None, None].bfloat16()
    if shared is not None:
        bias = (bias + shared).requires_grad_()

    def run() -> None:
        turned: list[Tensor] = [x.transpose(1, 2) for x in (q, k, v)]
        torch_attention(turned[0], turned[1], turned[2], bias, _RATE).backward(upstream.transpose(1, 2))

    return run


def kernel_times(run: Callable[[], None], repeats: int = 3) -> dict[str, float]:
    """Milliseconds by kernel of one call; `rest` is what no kernel of attention takes."""
    run()
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        for _ in range(repeats):
            run()
        torch.cuda.synchronize()
    found = dict.fromkeys((*KERNELS, "rest"), 0.0)
    for event in profile.key_averages():
        part = next((name for name, marks in KERNELS.items() if any(mark in event.key for mark in marks)), "rest")
        found[part] += float(getattr(event, "self_device_time_total", 0.0)) / 1000 / repeats
    return found


def with_tiles(tiles: Tiles | None) -> None:
    """Makes all kernels take these tiles, or those that the code chooses."""
    setattr(attention_op, "tile_sizes", tile_sizes if tiles is None else lambda *_: tiles)  # noqa: B010


def compile_part(part: int, parts: int) -> None:
    """Compiles every `parts`-th of the tile sizes."""
    for tiles in TILES[part::parts]:
        with_tiles(tiles)
        # Whether a length is a multiple of 16 is part of what a kernel is compiled for, and so are its biases.
        for queries, keys in {(q % 16 + (16 if q == k else 32), k % 16 + 16) for _, q, k in SHAPES}:
            _tried(2, queries, keys)


def _tried(batch: int, queries: int, keys: int) -> dict[str, float] | None:
    """Times, or None where the tiles need more than the GPU has."""
    try:
        return kernel_times(attend(batch, queries, keys, ours=True))
    except Exception as error:  # the kinds that Triton raises are not public
        print(json.dumps({"shape": [batch, queries, keys], "error": str(error)[:120]}), flush=True)
        return None


def main() -> int:
    """Prints one JSON line for each shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweep", action="store_true", help="try all tile sizes")
    parser.add_argument("--part", help="compile a part of the tile sizes, as 2/8, and stop")
    wanted = parser.parse_args()
    if not torch.cuda.is_available():
        parser.error("it needs a GPU, and there is none here")
    if wanted.part:
        part, parts = wanted.part.split("/")
        compile_part(int(part), int(parts))
        return 0
    for shape in SHAPES:
        line = {"shape": shape, "torch": kernel_times(attend(*shape, ours=False))}
        with_tiles(None)
        line["ours"] = kernel_times(attend(*shape, ours=True))
        if wanted.sweep:
            found = {}
            for tiles in TILES:
                if tiles[0] < 2 * max(16, shape[1]) and tiles[1] < 2 * max(16, shape[2]):
                    with_tiles(tiles)
                    found[tiles] = _tried(*shape)
            times = {tiles: each for tiles, each in found.items() if each}
            line["best"] = {
                kernel: [(tiles, round(times[tiles][kernel], 4)) for tiles in _fastest(times, kernel)]
                for kernel in KERNELS
            }
        print(json.dumps(line), flush=True)
    return 0


def _fastest(times: dict[Tiles, dict[str, float]], kernel: str, count: int = 5) -> list[Tiles]:
    return sorted(times, key=lambda tiles: times[tiles][kernel])[:count]


if __name__ == "__main__":
    raise SystemExit(main())
