"""A graph ready to run on this machine's cores."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controldag.errors import InvalidInput

_WARNINGS_OFF = 3
_threads = 0


def use_threads(count: int) -> None:
    """Sessions that are made from now on use so many cores at once; on a machine with other work, one is often best."""
    global _threads
    if count < 1:
        raise InvalidInput.of("threads", "be at least 1", count)
    _threads = count


class Session:
    """A model's bytes, loaded; several threads may run it at once. `threads`: cores of a run; 0: see `use_threads`."""

    def __init__(self, model: bytes, *, threads: int = 0) -> None:
        import onnxruntime  # when first needed: it takes a tenth of a second

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or _threads or os.cpu_count() or 1
        options.inter_op_num_threads = 1
        options.log_severity_level = _WARNINGS_OFF
        # Threads that wait for work would take a core from the search that comes next.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, outputs: Sequence[str], inputs: Mapping[str, NDArray[np.generic]]) -> list[Any]:
        """The outputs of those names, as arrays."""
        return list(self._session.run(outputs, inputs))
