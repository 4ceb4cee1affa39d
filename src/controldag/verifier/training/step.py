"""One step of the verifier's training; on a GPU, forward and backward pass are a CUDA graph for each shape of a batch.

The network is small: launched one by one, its kernels would keep the host busier than the device.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from controldag.model.inference.cuda_graph import captured
from controldag.verifier.arrays import claim_side, text_side
from controldag.verifier.network import Judged, VerifierNetwork, tensor
from controldag.verifier.training.batches import Batch
from controldag.verifier.training.draft import UNKNOWN

LOSSES = ("claims", "words", "extra", "broken", "odd")
_WEIGHTS = (1.0, 0.5, 0.5, 0.5, 1.0)
_SMOOTHING = 0.03
Parts = dict[str, Tensor]


def loss_of(judged: Judged, labels: Parts) -> Tensor:
    """Cross entropy of verdicts: by claim, by word of a value, whether a text says more, is broken, and where: [5]."""
    parts = (
        _verdicts(judged.claims, labels["verdicts"]),
        _verdicts(judged.words, labels["by_word"]),
        _binary(judged.extra, labels["extra"]),
        _binary(judged.broken, labels["broken"]),
        _binary(judged.odd, labels["odd"]),
    )
    return torch.stack([weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)])


def _verdicts(logits: Tensor, labels: Tensor) -> Tensor:
    known = labels.flatten()
    each = F.cross_entropy(
        logits.float().flatten(0, 1), known, ignore_index=UNKNOWN, label_smoothing=_SMOOTHING, reduction="sum"
    )
    return each / (known != UNKNOWN).sum().clamp(min=1)


def _binary(logits: Tensor, labels: Tensor) -> Tensor:
    target = labels.clamp(min=0).float() * (1 - 2 * _SMOOTHING) + _SMOOTHING
    each = F.binary_cross_entropy_with_logits(logits.float(), target, reduction="none")
    mask = (labels != UNKNOWN).float()
    return (each * mask).sum() / mask.sum().clamp(min=1)


class Step:
    """Gradients and losses of a batch, then the optimiser's step."""

    def __init__(self, network: VerifierNetwork, optimiser: torch.optim.Optimizer, device: str) -> None:
        self.network, self.optimiser, self.device = network, optimiser, device
        self._gradients: list[Tensor] = []
        for parameter in network.parameters():
            parameter.grad = torch.zeros_like(parameter)
            self._gradients.append(parameter.grad)
        self._known: dict[tuple[int, ...], tuple[Parts, Callable[[], Tensor]]] = {}
        self._pool = torch.cuda.graph_pool_handle() if device == "cuda" else None

    def __call__(self, batch: Batch) -> Tensor:
        """The losses, [5]; they are overwritten by the next step."""
        key = (*batch.claims.shape, *batch.texts.shape, *batch.table.shape)
        if key not in self._known:
            self._known[key] = self._prepared(batch)
        own, run = self._known[key]
        for name, array in own.items():
            array.copy_(torch.from_numpy(getattr(batch, name)))
        losses = run()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        return losses

    def _prepared(self, batch: Batch) -> tuple[Parts, Callable[[], Tensor]]:
        own = {each.name: tensor(getattr(batch, each.name), self.device) for each in fields(batch)}

        def run() -> Tensor:
            torch._foreach_zero_(self._gradients)
            losses = self._losses(own)
            losses.sum().backward()
            return losses.detach()

        return own, captured(run, self._pool) if self._pool is not None else run

    def _losses(self, batch: Parts) -> Tensor:
        claims = claim_side(batch["claims"], batch["starts"], batch["table"])
        texts = text_side(batch["texts"], batch["table"])
        with torch.autocast(self.device, dtype=torch.bfloat16):
            judged = self.network(claims, texts)
        return loss_of(judged, batch)
