"""`python -m tools.check_gpu`: the fused kernels against plain PyTorch, with timings on a GPU.

Exit status 1 where any of them differs. `--device cpu` runs the kernels in Triton's interpreter (TRITON_INTERPRET=1).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from controldag.model.definition import alignment, dag_loss, emission
from controldag.model.definition.dag_loss import Graphs
from controldag.model.definition.layers import HIDDEN
from controldag.model.definition.links import allowed_links
from controldag.model.definition.torch_attention import torch_attention
from controldag.model.kernels import attention_op, attention_triton, dag_loss_triton


def random_graphs(batch: int, width: int, positions: int, *, scale: float, device: str) -> Graphs:
    """Graphs of random sizes with targets that fit them."""
    sizes = torch.randint(max(2, width // 2), width + 1, (batch,), device=device)
    lengths = torch.randint(2, positions + 1, (batch,), device=device).clamp_max(sizes)
    mask = torch.arange(width, device=device)[None] < sizes[:, None]
    allowed = allowed_links(mask)
    scores = (torch.randn(batch, width, width, device=device) * scale).masked_fill(~allowed, -1e5)
    links = torch.log_softmax(scores, -1).masked_fill(~allowed, float("-inf"))
    emissions = -torch.rand(batch, positions, width, device=device) * 3 * scale
    return Graphs(emissions, links, sizes, lengths)


def relative_error(ours: Tensor, theirs: Tensor) -> float:
    """‖ours − theirs‖ / ‖theirs‖, infinite where ours is not finite."""
    if not bool(ours.isfinite().all()):
        return float("inf")
    return float((ours.double() - theirs.double()).norm() / theirs.double().norm().clamp_min(1e-30))


def check_likelihood(graphs: Graphs) -> float:
    """Largest relative error of value and gradients."""

    def run(function: Callable[[Graphs], Tensor]) -> tuple[Tensor, ...]:
        emissions = graphs.emissions.clone().requires_grad_()
        links = graphs.links.clone().requires_grad_()
        total = function(graphs._replace(emissions=emissions, links=links))
        weights = torch.linspace(0.5, 1.5, total.shape[0], device=total.device)
        (total * weights).sum().backward()
        assert emissions.grad is not None and links.grad is not None
        return total.detach(), emissions.grad, links.grad

    pairs = zip(run(dag_loss_triton.log_likelihood), run(dag_loss.log_likelihood), strict=True)
    return max(relative_error(ours, theirs) for ours, theirs in pairs)


def check_alignment(graphs: Graphs) -> float:
    """Share of targets with another path (paths of equal score count as equal)."""
    ours, theirs = dag_loss_triton.best_alignment(graphs), alignment.best_alignment(graphs)
    same = (ours.vertices == theirs.vertices).all(1) | torch.isclose(ours.scores, theirs.scores, rtol=1e-5)
    return float((~same).float().mean())


def check_emission(batch: int, width: int, positions: int, vocabulary: int, device: str) -> float:
    """Largest relative error of fused token scores and their gradients, both paths in float32."""
    features = torch.randn(batch, width, 64, device=device)
    weight = torch.randn(vocabulary, 64, device=device) * 0.3
    targets = torch.randint(0, vocabulary // 4, (batch, positions), device=device)
    upstream = torch.rand(batch, positions, width, device=device)

    def run(function: Callable[[Tensor, Tensor, Tensor], emission.TokenScores]) -> tuple[Tensor, ...]:
        x, w = features.clone().requires_grad_(), weight.clone().requires_grad_()
        scores = function(x, w, targets)
        (scores.chosen * upstream).sum().backward()
        assert x.grad is not None and w.grad is not None
        return scores.chosen.detach(), scores.best, x.grad, w.grad

    pairs = zip(run(emission.fused_token_scores), run(emission.token_scores), strict=True)
    return max(relative_error(ours, theirs) for ours, theirs in pairs)


def check_attention(queries: int, keys: int, device: str, *, shared: bool, own: bool, rate: float) -> float:
    """Largest relative error of fused attention, values and gradients, against plain sums, both in float32."""
    batch, heads, size, seed = 3, 2, 16, 12345
    shapes = [(batch, length, heads, size) for length in (queries, keys, keys)]
    given = [torch.randn(shape, device=device) for shape in shapes]
    upstream = torch.randn(shapes[0], device=device)
    positions = torch.randn(heads, queries, keys, device=device) if shared else None
    lengths = torch.randint(1, keys + 1, (batch, 1), device=device)
    padding = torch.where(torch.arange(keys, device=device)[None] < lengths, 0.0, HIDDEN) if own else None
    kept = attention_triton.kept_places(seed, (batch, heads, queries, keys), rate).to(device) if rate else None

    def plain(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> Tensor:
        scores = torch.einsum("bthd,bshd->bhts", q, k)
        scores = scores if bias is None else scores + bias
        scores = scores if padding is None else scores + padding[:, None, None]
        weights = torch.softmax(scores, -1)
        weights = weights if kept is None else weights * kept / (1 - rate)
        return torch.einsum("bhts,bshd->bthd", weights, v)

    def fused(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> Tensor:
        seeds = torch.tensor(seed, device=device)
        out: Tensor = attention_op.attention(q, k, v, bias, padding, seeds, rate)[0]
        return out

    def run(function: Callable[[Tensor, Tensor, Tensor, Tensor | None], Tensor]) -> list[Tensor]:
        q, k, v = (x.clone().requires_grad_() for x in given)
        bias = None if positions is None else positions.clone().requires_grad_()
        mixed = function(q, k, v, bias)
        (mixed * upstream).sum().backward()
        gradients = [x.grad for x in (q, k, v, bias) if x is not None]
        return [mixed.detach(), *(x for x in gradients if x is not None)]

    pairs = zip(run(fused), run(plain), strict=True)
    return max(relative_error(ours, theirs) for ours, theirs in pairs)


def check_torch_attention(queries: int, keys: int, device: str) -> float:
    """Largest relative error of attention by torch's kernels, values and gradients, against plain sums, in float32."""
    shapes = [(3, 2, queries, 16), (3, 2, keys, 16), (3, 2, keys, 16), (3, 2, queries, keys)]
    given = [torch.randn(shape, device=device) for shape in shapes]
    upstream = torch.randn(shapes[0], device=device)

    def plain(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
        return torch.softmax(q @ k.transpose(-1, -2) + bias, -1) @ v

    def run(function: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> list[Tensor]:
        q, k, v, bias = (x.clone().requires_grad_() for x in given)
        mixed = function(q, k, v, bias)
        return [mixed.detach(), *torch.autograd.grad((mixed * upstream).sum(), (q, k, v, bias))]

    pairs = zip(run(partial(torch_attention, dropout=0.0)), run(plain), strict=True)
    return max(relative_error(ours, theirs) for ours, theirs in pairs)


def report(name: str, error: float, limit: float) -> bool:
    """Prints one line; true when the error is within its limit."""
    fine = error <= limit
    print(f"{'pass' if fine else 'FAIL'}  {name:46s} error {error:.2e} (limit {limit:.0e})", flush=True)
    return fine


def milliseconds(function: Callable[[], object], repeats: int = 10) -> float:
    """Median time of `function` on the GPU."""
    for _ in range(2):
        function()
    times = []
    for _ in range(repeats):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        function()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return sorted(times)[len(times) // 2]


def time_loss(batch: int, width: int, positions: int, vocabulary: int) -> dict[str, float]:
    """Milliseconds of head + loss (with backward) and of head + alignment, plain and fused, in bf16."""
    graphs = random_graphs(batch, width, positions, scale=2.0, device="cuda")
    features = torch.randn(batch, width, 512, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    weight = (torch.randn(vocabulary, 512, device="cuda") * 0.05).requires_grad_()
    links = graphs.links.clone().requires_grad_()
    targets = torch.randint(0, vocabulary, (batch, positions), device="cuda")

    def loss(fused: bool) -> None:
        scores = (emission.fused_token_scores if fused else emission.token_scores)(features, weight, targets)
        function = dag_loss_triton.log_likelihood if fused else dag_loss.log_likelihood
        function(graphs._replace(emissions=scores.chosen, links=links)).sum().backward()

    def align(fused: bool) -> None:
        with torch.no_grad():
            scores = (emission.fused_token_scores if fused else emission.token_scores)(features, weight, targets)
            function = dag_loss_triton.best_alignment if fused else alignment.best_alignment
            function(graphs._replace(emissions=scores.chosen))

    with torch.autocast("cuda", torch.bfloat16):
        times = {
            "loss_fused": milliseconds(lambda: loss(True)),
            "align_fused": milliseconds(lambda: align(True)),
            "loss_plain": milliseconds(lambda: loss(False)),
            "align_plain": milliseconds(lambda: align(False)),
        }
    plain = times["loss_plain"] + times["align_plain"]
    return times | {"speedup": plain / (times["loss_fused"] + times["align_fused"])}


def check_all(device: str, *, small: bool) -> bool:
    """Runs every check; true when all pass."""
    torch.manual_seed(1)
    shapes = (
        [(3, 20, 9), (2, 70, 12)] if small else [(64, 48, 20), (64, 76, 60), (32, 130, 40), (16, 304, 60), (4, 700, 90)]
    )
    fine = True
    for batch, width, positions in shapes:
        graphs = random_graphs(batch, width, positions, scale=2.0, device=device)
        hard = random_graphs(batch, width, positions, scale=60.0, device=device)
        where = f"{batch}×{width}×{positions}"
        fine &= report(f"likelihood and gradients {where}", check_likelihood(graphs), 1e-4)
        fine &= report(f"likelihood and gradients, hard {where}", check_likelihood(hard), 1e-3)
        fine &= report(f"best alignment {where}", check_alignment(graphs), 0.0)
    for vocabulary in (100, 5000) if small else (100, 8000, 32128):
        error = check_emission(3, 12, 9, vocabulary, device)
        fine &= report(f"token scores and gradients, {vocabulary} tokens", error, 1e-3 if device == "cuda" else 1e-5)
    for queries, keys in (
        ((24, 8), (50, 13), (70, 40)) if small else ((24, 8), (50, 13), (80, 80), (144, 152), (304, 64))
    ):
        for shared, own, rate in ((True, True, 0.1), (False, True, 0.3), (True, False, 0.0), (False, False, 0.0)):
            error = check_attention(queries, keys, device, shared=shared, own=own, rate=rate)
            kind = f"{'positions ' * shared}{'padding ' * own}dropout {rate}"
            fine &= report(f"attention {queries}×{keys} {kind}", error, 1e-4)
        fine &= report(f"torch's attention {queries}×{keys}", check_torch_attention(queries, keys, device), 1e-4)
    return fine


def main() -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    fine = check_all(options.device, small=options.small)
    if options.device == "cuda":
        for shape in ((840, 80, 24, 8000), (840, 80, 60, 8000), (400, 144, 40, 32128), (208, 304, 60, 8000)):
            print(shape, {name: round(value, 2) for name, value in time_loss(*shape).items()}, flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
