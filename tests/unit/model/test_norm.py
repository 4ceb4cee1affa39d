"""RMSNorm's hand-written backward against autograd's."""

from __future__ import annotations

import pytest
import torch

from controldag.model.layers import RMSNorm


@pytest.mark.parametrize("shape", [(16,), (7, 16), (3, 5, 16), (2, 3, 4, 16)])
def test_gradients_are_those_of_the_plain_formula(shape: tuple[int, ...]) -> None:
    torch.manual_seed(3)
    norm = RMSNorm(16, 1e-6)
    torch.nn.init.normal_(norm.weight)
    x = torch.randn(shape, requires_grad=True)
    upstream = torch.randn(shape)
    found = torch.autograd.grad(norm(x), (x, norm.weight), upstream)
    plain = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * norm.weight
    wanted = torch.autograd.grad(plain, (x, norm.weight), upstream)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other)
