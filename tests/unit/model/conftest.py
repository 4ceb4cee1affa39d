"""One thread for torch: on a busy machine of two cores, waiting threads cost more than they bring."""

from __future__ import annotations

import pytest
import torch


@pytest.fixture(scope="package", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)
