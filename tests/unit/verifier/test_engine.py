"""The engine computes what the verifier's network in torch computes, whatever the sizes; no bundled weights here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from controldag.data.records import Act, Example
from controldag.errors import InvalidInput
from controldag.verifier.by_torch import TorchJudge
from controldag.verifier.claims import claims_of
from controldag.verifier.judged import Floats
from controldag.verifier.layout import ClaimLayout, TextLayout, lay_out_claims, lay_out_text
from controldag.verifier.lexicon import Lexicon
from controldag.verifier.network import VerifierNetwork
from controldag.verifier.options import NetworkOptions
from controldag.verifier.verifier import Verifier
from controldag.verifier.weights import Stored, load_network, save_network
from controldag.verifier.words import norms_of

_OPTIONS = NetworkOptions(
    vocabulary=7, buckets=50, embedding=12, width=24, heads=4, inner=20, layers=2, judges=2, longest=6
)
_WORDS = ["is", "the", "city", "in", "oban", "there"]
_EXAMPLE = Example("x", acts=(Act("OFFER", "city", ("Oban",)), Act("INFORM", "phone_number", ("12-34", "true"))))
_TEXTS = ["The city is Oban.", "", "There is 12-34 in Oban, Oban and nowhere else, I am told!"]


@pytest.fixture(scope="module")
def stored() -> Stored:
    torch.manual_seed(5)
    state = VerifierNetwork(_OPTIONS).state_dict()
    tensors = {name: _in_eight_bits((each + 0.3 * torch.randn(each.shape)).numpy()) for name, each in state.items()}
    return Stored(_OPTIONS, tensors, Lexicon(_WORDS, _OPTIONS.buckets))


def _in_eight_bits(weight: Floats) -> Floats:
    """As weights are stored: whole shares of the largest in its row."""
    if weight.ndim != 2:
        return weight
    step = np.abs(weight).max(1, keepdims=True) / 127
    return np.asarray(np.round(weight / step) * step, np.float32)


def _laid(example: Example) -> tuple[ClaimLayout, list[TextLayout]]:
    claims, values = lay_out_claims(claims_of(example, None))
    return claims, [lay_out_text(norms_of(text), values) for text in _TEXTS]


@pytest.mark.parametrize("example", [_EXAMPLE, Example("x")], ids=["two acts", "nothing claimed"])
def test_engine_and_network_judge_alike(stored: Stored, example: Example) -> None:
    laid = _laid(example)
    wanted, found = TorchJudge(stored).judge(*laid), Verifier(stored, Path()).judge(*laid)
    np.testing.assert_allclose(found.claims, wanted.claims, atol=1e-3)
    np.testing.assert_allclose(found.overall, wanted.overall, atol=1e-3)
    np.testing.assert_allclose(found.places, wanted.places, atol=1e-4)


def test_a_text_is_judged_alike_alone_and_among_others(stored: Stored) -> None:
    claims, texts = _laid(_EXAMPLE)
    verifier = Verifier(stored, Path())
    together = verifier.judge(claims, texts)
    for place, text in enumerate(texts):
        alone = verifier.judge(claims, [text])
        assert np.array_equal(alone.claims[0], together.claims[place])
        assert np.array_equal(alone.overall[0], together.overall[place])


def test_what_is_saved_is_loaded_again_in_eight_bits(stored: Stored, tmp_path: Path) -> None:
    save_network(stored, tmp_path / "verifier", about={})
    found = load_network(tmp_path / "verifier")
    assert found.options == stored.options and list(found.lexicon.vocabulary) == _WORDS
    for name, tensor_ in stored.tensors.items():
        np.testing.assert_allclose(found.tensors[name], tensor_, atol=0.01 * float(np.abs(tensor_).max()), err_msg=name)


def test_weights_that_do_not_fit_the_sizes_are_an_error(stored: Stored) -> None:
    endless = np.full(_OPTIONS.width, np.inf, np.float32)
    for change, message in (
        ({"widen.bias": np.zeros(3)}, "widen.bias. must have the shape"),
        ({"widen.bias": endless}, "widen.bias. must hold finite numbers"),
        ({}, "whole missing"),
    ):
        tensors = {name: each for name, each in stored.tensors.items() if change or name != "whole"}
        with pytest.raises(InvalidInput, match=message):
            Verifier(Stored(_OPTIONS, {**tensors, **change}, stored.lexicon), Path("folder"))
