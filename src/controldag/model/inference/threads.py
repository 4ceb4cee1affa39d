"""How many threads the models' products use on a CPU, with torch as without."""

from __future__ import annotations

import torch

from controldag.runtime import session


def use_threads(count: int) -> None:
    """From now on so many; on a machine with other work, one is often faster than all."""
    session.use_threads(count)
    torch.set_num_threads(count)
