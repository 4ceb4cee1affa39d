"""What the verifier's network says of texts, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Judged:
    """claims: [B, A, 3] logits. overall: [B, 2] logits of *extra* and *broken*. places: [B, A, T], where it looked."""

    claims: Floats
    overall: Floats
    places: Floats
