"""How many threads the model's products use on a CPU."""

from __future__ import annotations

import torch

from controldag.errors import InvalidInput


def use_threads(count: int) -> None:
    """From now on so many; on a machine with other work, one is often faster than all."""
    if count < 1:
        raise InvalidInput.of("threads", "be at least 1", count)
    torch.set_num_threads(count)
