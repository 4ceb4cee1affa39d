"""Linear layers for inference: weights kept in the form that the machine multiplies fastest."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, cast, get_args

import torch
from torch import Tensor
from torch.nn import functional

from controldag.errors import InvalidInput

Precision = Literal["float32", "bfloat16", "int8"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
Layer = Callable[[Tensor], Tensor]
# oneDNN lays weights out for some number of rows; a typical graph's is as good for smaller and larger ones.
_ROWS = 64


def check_precision(precision: str, device: torch.device) -> Precision:
    """The precision, where this device can compute in it; InvalidInput elsewhere."""
    if precision not in PRECISIONS:
        raise InvalidInput.of("precision", f"be one of {', '.join(PRECISIONS)}", precision)
    if precision == "int8" and device.type != "cpu":
        raise InvalidInput.of("precision", "be float32 or bfloat16 on a GPU", precision)
    return precision


def pack(weight: Tensor, precision: Precision, *, relu: bool = False) -> Layer:
    """x ↦ x · weightᵀ, then ReLU if asked, for `weight` [out, in]; comes out in float32, or bfloat16 in that precision.

    On a CPU, float32 gives the same sums as `functional.linear` but for their order; int8 rounds the weights by output
    and the inputs by call.
    """
    weight = weight.detach().float().contiguous()
    if precision == "bfloat16":
        return _plain(weight.bfloat16(), relu)
    if precision == "int8":
        return _int8(weight, relu)
    if weight.device.type == "cpu" and torch.backends.mkldnn.is_available():
        return _reordered(weight, relu)
    return _plain(weight, relu)


def _plain(weight: Tensor, relu: bool) -> Layer:
    def layer(x: Tensor) -> Tensor:
        y = functional.linear(x.to(weight.dtype), weight)
        return y.relu_() if relu else y

    return layer


def _reordered(weight: Tensor, relu: bool) -> Layer:
    """oneDNN's own layout: nothing is rearranged at each call."""
    ops = torch.ops.mkldnn
    packed = ops._reorder_linear_weight(weight, _ROWS)
    after = "relu" if relu else "none"

    def layer(x: Tensor) -> Tensor:
        return cast(Tensor, ops._linear_pointwise(x, packed, None, after, [], ""))

    return layer


def _int8(weight: Tensor, relu: bool) -> Layer:
    scales = weight.abs().amax(1).clamp_min(1e-8) / 127
    with warnings.catch_warnings():
        # Tensors of a quantised dtype are to go one day; what replaces them is not in torch itself.
        warnings.simplefilter("ignore")
        zeros = torch.zeros(len(weight), dtype=torch.int64)
        quantised = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
        packed = torch.ops.quantized.linear_prepack(quantised, None)

    def layer(x: Tensor) -> Tensor:
        y = cast(Tensor, torch.ops.quantized.linear_dynamic(x, packed, False))
        return y.relu_() if relu else y

    return layer
