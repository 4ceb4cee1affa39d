"""A verifier's training on a CPU: it learns, batches come again, and plain sentences become records."""

from __future__ import annotations

import json
import queue
import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
import torch

from controldag.verifier.lexicon import Lexicon
from controldag.verifier.network import NetworkOptions, VerifierNetwork
from controldag.verifier.training.batches import batches, once_or_twice
from controldag.verifier.training.draft import World
from controldag.verifier.training.plain_records import WordedSchema, plain_facts, plain_turns
from controldag.verifier.training.prepared import save
from controldag.verifier.training.records import Record, Said, Wordings
from controldag.verifier.training.step import LOSSES, Step
from controldag.verifier.training.stream import StreamOptions
from controldag.verifier.training.train import Mean, TrainingOptions, train
from controldag.verifier.weights import load_network

SERVICE = {
    "service_name": "Ferries_1",
    "description": "Ferries and their fares",
    "slots": [{"name": "fare", "description": "Price of a ticket", "is_categorical": False, "possible_values": []}],
    "intents": [{"name": "BookFerry", "description": "Book a ferry", "required_slots": [], "optional_slots": {}}],
}


def _reworded() -> dict[str, object]:
    slots = [{**SERVICE["slots"][0], "name": "ticket_price"}]  # type: ignore[dict-item]
    intents = [{**SERVICE["intents"][0], "name": "ReserveShip"}]  # type: ignore[dict-item]
    return {**SERVICE, "service_name": "Ferries_12", "slots": slots, "intents": intents}


@pytest.fixture
def schemas(tmp_path: Path) -> list[WordedSchema]:
    files = tmp_path / "original.json", tmp_path / "other.json"
    for file, service in zip(files, (SERVICE, _reworded()), strict=True):
        file.write_text(json.dumps([service]))
    return [WordedSchema("v1", files[0], files[1])]


def test_turns_are_said_in_the_words_of_a_schema(schemas: list[WordedSchema]) -> None:
    acts = [
        {"act": "INFORM", "slot": "fare", "values": ["$5"]},
        {"act": "OFFER_INTENT", "slot": "intent", "values": ["BookFerry"]},
    ]
    rows = [{"service": "Ferries_1", "dialog_acts": acts}] * 12
    wordings = Wordings()
    records = list(plain_turns(rows, schemas, wordings, random.Random(0)))
    assert {record.service for record in records} == {"Ferries_1", "v1:Ferries_12"}
    own = next(record for record in records if record.service != "Ferries_1")
    assert [claim.key for claim in own.claims] == ["v1:Ferries_12/ticket_price", "v1:Ferries_12/ReserveShip"]
    assert wordings.ways[own.claims[0].key] == [(("ticket", "price"), ("price", "of", "a", "ticket"))]
    assert own.values == [("$", "5")] and 0 in own.text


def test_triples_are_said_plainly() -> None:
    (record,) = plain_facts("plain_facts", [["Ilsa Varga", "occupation", "astronaut"]], Wordings())
    assert record.source == "plain_facts" and [claim.head for claim in record.claims] == ["FACT"]
    assert {0, 1} <= set(record.text)
    assert not list(plain_facts("plain_facts", [["", "", ""]], Wordings()))


def test_a_step_learns() -> None:
    torch.manual_seed(0)
    wordings = Wordings()
    wordings.add("S", "S/port", ["port"], [], intent=False)
    text: list[str | int] = ["the", "port", "is", 0, "."]
    record = Record("sgd", "S", [Said("INFORM", "S/port", (0,))], [("oban",)], text)
    world = World.of([record] * 8, wordings)
    lexicon = Lexicon(["the", "port", "is", "."], 50)
    options = NetworkOptions(vocabulary=5, buckets=50, embedding=16, width=16, heads=2, inner=16, layers=1, judges=1)
    network = VerifierNetwork(options)
    step = Step(network, torch.optim.AdamW(network.parameters(), lr=3e-3), "cpu")
    losses = [float(step(batch).sum()) for batch in islice(batches(world, lexicon, StreamOptions(), 1, 2), 40)]
    assert len(LOSSES) == 5 and sum(losses[-5:]) < 0.8 * sum(losses[:5])


def test_a_batch_comes_again_where_no_new_one_is_ready() -> None:
    waiting: queue.Queue[int] = queue.Queue()
    for number in range(100):
        waiting.put(number)
    stream = once_or_twice(waiting)  # type: ignore[arg-type]
    assert list(islice(stream, 104)) == [*range(100), 0, 1, 2, 3]
    waiting.put(100)
    assert next(stream) == 100


def test_the_mean_of_weights_follows_them_slowly() -> None:
    torch.manual_seed(0)
    network = VerifierNetwork(
        NetworkOptions(vocabulary=5, buckets=5, embedding=8, width=8, heads=2, inner=8, layers=1, judges=1)
    )
    mean, begun = Mean(network), {name: each.clone() for name, each in network.state_dict().items()}
    mean.move()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 1
    mean.move()
    assert mean.tensors().keys() == begun.keys()
    for name, _ in network.named_parameters():
        assert mean.tensors()[name] == pytest.approx(begun[name].numpy() + 0.5, abs=1e-5)


def test_training_writes_a_verifier_while_it_learns_and_goes_on_from_it(tmp_path: Path) -> None:
    wordings = Wordings()
    wordings.add("S", "S/port", ["port"], [], intent=False)
    record = Record("sgd", "S", [Said("INFORM", "S/port", (0,))], [("oban",)], ["the", "port", "is", 0, "."])
    save([record] * 8, wordings, tmp_path / "prepared.jsonl.xz")
    options = TrainingOptions(
        preset="verifier", minutes=0.02, workers=1, unit=1, device="cpu", report_every=0.01, save_every=0.01
    )
    train(tmp_path / "prepared.jsonl.xz", tmp_path / "one", options)
    train(tmp_path / "prepared.jsonl.xz", tmp_path / "two", replace(options, init=tmp_path / "one"))
    found = load_network(tmp_path / "two")
    assert found.options.dropout == 0 and "port" in found.lexicon.vocabulary
