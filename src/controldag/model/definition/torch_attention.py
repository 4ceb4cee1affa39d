"""Attention by torch's own kernels: softmax(Q·Kᵀ + bias)·V, without 1/√D, never a [B, H, T, S] of float32 scores."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

_ALIGNED = 8  # the memory-efficient kernel reads biases in groups of so many


def torch_attention(queries: Tensor, keys: Tensor, values: Tensor, bias: Tensor, dropout: float) -> Tensor:
    """[B, H, T, D] from queries [B, H, T, D], keys and values [B, H, S, D], and a bias that expands to [B, H, T, S].

    On a GPU it calls the memory-efficient kernel by its own name: `scaled_dot_product_attention`, compiled for widths
    that vary, pads the bias of every layer and cuts it again, although training's widths need neither.
    """
    if queries.is_cuda and bias.shape[-1] % _ALIGNED == 0:
        shape = (queries.shape[0], queries.shape[1], queries.shape[2], keys.shape[2])
        kernel = torch.ops.aten._scaled_dot_product_efficient_attention.default
        gradients = torch.is_grad_enabled()
        mixed: Tensor = kernel(queries, keys, values, bias.expand(shape), gradients, dropout, False, scale=1.0)[0]
        return mixed
    return functional.scaled_dot_product_attention(queries, keys, values, bias, dropout, scale=1.0)
