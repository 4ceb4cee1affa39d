"""The device that a name means."""

from __future__ import annotations

import torch

from controldag.errors import InvalidInput


def device_of(name: str) -> torch.device:
    """The device called `name`; InvalidInput where there is no such device here."""
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InvalidInput.of("device", "be one that torch finds here", name, remedy="Use cpu.") from error
    return device
