"""The verifier's judgement by the network in torch, which trained it: what its graph has to agree with. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from controldag.verifier.arrays import Size, claim_array, claim_side, text_array, text_side
from controldag.verifier.judged import Judged
from controldag.verifier.layout import ClaimLayout, TextLayout
from controldag.verifier.lexicon import WordTable
from controldag.verifier.network import VerifierNetwork, tensor
from controldag.verifier.weights import Stored


def network_of(stored: Stored) -> VerifierNetwork:
    """A stored network in torch."""
    network = VerifierNetwork(stored.options)
    network.load_state_dict({name: torch.tensor(array) for name, array in stored.tensors.items()})
    return network


class TorchJudge:
    """A stored network in torch."""

    def __init__(self, stored: Stored) -> None:
        self._lexicon, self._network = stored.lexicon, network_of(stored).eval()

    @torch.inference_mode()
    def judge(self, claims: ClaimLayout, texts: Sequence[TextLayout]) -> Judged:
        """Of texts beside one input."""
        count = len(claims.starts)
        size = Size(max(1, *(len(text.words) for text in texts)), max(1, len(claims.words)), max(1, count))
        table = WordTable(self._lexicon)
        array, starts = claim_array([claims], size, table)
        read = text_array(texts, size, table)
        rows = tensor(table.array())
        side = claim_side(tensor(array), tensor(starts), rows)
        found = self._network.judge(side, self._network.read_claims(side), text_side(tensor(read), rows))
        overall = np.stack([found.extra.numpy(), found.broken.numpy()], 1)
        return Judged(found.claims[:, :count].numpy(), overall, found.places[:, :count].numpy())
