"""The autoregressive twin behind the pipeline's interface."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import controldag as cd
from controldag.constraints import Length, any_of, contains
from controldag.errors import ControlDagError, InvalidInput
from controldag.generation.decoders import decoders_of
from controldag.generation.request import Request
from controldag.generation.result import NothingFound, Result
from controldag.pipeline import ControlDag
from controldag.training.toy import toy_examples

OFFER = (cd.Act("OFFER", "name", ("Alder Inn",)), cd.Act("OFFER", "city", ("Avon",)))
SERVICE = "Places_1"


def whole(value: str, text: str) -> bool:
    """Whether the value stands there as whole words; every character beyond ASCII counts as a letter."""
    return re.search(rf"(?<![0-9A-Za-z_\x80-\U0010ffff]){value}(?![0-9A-Za-z_\x80-\U0010ffff])", text) is not None


@pytest.fixture(scope="module")
def twin(folder: Path, twin_folder: Path) -> ControlDag:
    return ControlDag.from_pretrained(twin_folder, like=folder)


def test_a_folder_fresh_from_training_needs_to_be_told_what_it_is_like(twin_folder: Path) -> None:
    with pytest.raises(ControlDagError, match=r"generation\.json"):
        ControlDag.from_pretrained(twin_folder)


@pytest.mark.parametrize("name", decoders_of(autoregressive=True))
def test_every_decoder_gives_a_text_that_is_checked(twin: ControlDag, name: str) -> None:
    result = twin.generate(OFFER, service=SERVICE, decoder=name)
    assert result.text and result.decoder == name and result.cost > 0
    satisfied = {each.label: each.satisfied for each in result.constraints}
    for value in ("Alder Inn", "Avon"):
        assert satisfied[f"contains({value!r})"] == whole(value, result.text)
    assert ("Alder Inn" in result.text and "Avon" in result.text) == (name == "ar-constrained-beam")
    assert {"linearise", "constraints", "decode", "check"} <= set(result.ms)


def test_its_own_default_forces_the_phrases_also_the_users(twin: ControlDag) -> None:
    wish = contains("Goyt") & any_of("Brent", "Colne")
    result = twin.generate(OFFER, service=SERVICE, constraint=wish)
    assert result.decoder == "ar-constrained-beam"
    assert all(word in result.text for word in ("Alder Inn", "Avon", "Goyt"))
    assert "Brent" in result.text or "Colne" in result.text


def test_a_batch_of_several_decoders_comes_back_in_order(twin: ControlDag) -> None:
    names = ["ar-greedy", "ar-constrained-beam", "ar-beam", "ar-greedy"]
    examples = toy_examples(4, 3)
    requests = [Request(example, decoder=name) for example, name in zip(examples, names, strict=True)]
    outcomes = twin.generate_batch([*requests, Request([], SERVICE)])
    assert isinstance(outcomes[-1], InvalidInput)
    for request, outcome in zip(requests, outcomes, strict=False):
        assert isinstance(outcome, Result | NothingFound)
        if isinstance(outcome, Result):
            alone = twin.generate_batch([request])[0]
            assert isinstance(alone, Result) and alone.text == outcome.text and outcome.decoder == request.decoder


def test_what_it_cannot_do_is_told(twin: ControlDag, tiny: ControlDag) -> None:
    with pytest.raises(InvalidInput, match="ar-greedy, ar-beam"):
        twin.generate(OFFER, service=SERVICE, decoder="control-dag")
    with pytest.raises(InvalidInput, match="this kind of model"):
        tiny.generate(OFFER, service=SERVICE, decoder="ar-greedy")
    with pytest.raises(InvalidInput, match="length"):
        twin.generate(OFFER, service=SERVICE, length=Length(target=9))
    with pytest.raises(InvalidInput, match="n_best"):
        twin.generate(OFFER, service=SERVICE, n_best=2)
    with pytest.raises(InvalidInput, match="graph"):
        twin.predict_dag(OFFER, service=SERVICE)
    with pytest.raises(InvalidInput, match="positions"):
        twin.generate([cd.Act("OFFER", "name", ("x" * 5000,))], service=SERVICE)
