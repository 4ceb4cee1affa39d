"""The pipeline on a model that knows nothing: texts must be right all the same, and bad input must be told."""

from __future__ import annotations

import re
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import controldag as cd
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import Length, any_of, contains, pattern
from controldag.errors import ControlDagError, DataError, Infeasible, InvalidInput
from controldag.generation.decoders import NothingFound, decoders_of
from controldag.generation.demands import good_length
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.lattice import Lattice, prune
from controldag.pipeline import ControlDag
from controldag.search.exact import Limits
from controldag.text.length import LengthModel
from controldag.training.toy import toy_examples
from tests.unit.generation.tiny_checkpoint import WORDS

OFFER = (cd.Act("OFFER", "name", ("Alder Inn",)), cd.Act("OFFER", "city", ("Avon",)))
SERVICE = "Places_1"


def whole_word(value: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


@pytest.mark.parametrize("model", ["tiny", "pointing"])
def test_every_value_is_said_and_no_word_is_invented(model: str, request: pytest.FixtureRequest) -> None:
    examples = toy_examples(60, 5)
    results = request.getfixturevalue(model).generate_batch([Request(example) for example in examples])
    for example, result in zip(examples, results, strict=True):
        assert isinstance(result, Result)
        assert result.id == example.id
        assert not result.violated
        values = [value for act in example.acts for value in act.values]
        rest = result.text
        for value in values:
            assert whole_word(value, rest), (value, result.text)
            rest = rest.replace(value, " ", 1)
        cores = {chunk.strip("!\"#$%&'()*+,-./:;=?@[]_") for chunk in rest.split()} - {"", "s"}
        assert cores <= {*WORDS, *(word for value in values for word in value.split())}


def test_a_result_tells_where_each_phrase_stands_and_what_it_cost(tiny: ControlDag) -> None:
    result = tiny.generate(OFFER, service=SERVICE)
    found = {result.text[begin:end] for each in result.constraints for begin, end in each.spans}
    assert found == {"Alder Inn", "Avon"}
    assert result.extra_cost is not None and result.extra_cost > 0
    assert {"linearise", "constraints", "forward", "prune", "search"} <= set(result.ms)
    assert "'Alder Inn' at" in result.explain()
    assert ">Alder Inn</mark>" in result._repr_html_()


def test_a_value_is_one_token_where_the_model_points_at_it(pointing: ControlDag) -> None:
    long = "Goyt " * 400 + "Inn"
    result = pointing.generate([cd.Act("OFFER", "name", (long,))], service=SERVICE)
    assert long in result.text and result.length < 40
    assert "<v" not in result.text
    prepared = pointing.prepare(Request(OFFER, SERVICE))
    assert prepared.source.surfaces is not None
    assert len(prepared.source.surfaces.spell("Alder Inn")) == 1


def test_a_value_that_looks_like_a_mark_is_said_as_it_is(pointing: ControlDag) -> None:
    acts = [cd.Act("OFFER", "name", ("<v1>",)), cd.Act("OFFER", "city", ("Avon", "Goyt", "<v0>"))]
    result = pointing.generate(acts, service=SERVICE)
    assert all(value in result.text for value in ("<v0>", "<v1>", "Avon", "Goyt"))


def test_values_of_two_slots_stand_twice_each_in_its_own_place(tiny: ControlDag) -> None:
    acts = [cd.Act("OFFER", "name", ("Avon",)), cd.Act("OFFER", "city", ("Avon",))]
    result = tiny.generate(acts, service=SERVICE)
    assert len(re.findall(r"\bAvon\b", result.text)) >= 2
    spans = [span for each in result.constraints for span in each.spans]
    assert len(set(spans)) == 2


def test_a_phrase_asked_for_twice_is_told_at_both_places(tiny: ControlDag) -> None:
    result = tiny.generate(OFFER, service=SERVICE, constraint=contains("Goyt", at_least=2))
    assert [len(each.spans) for each in result.constraints if "Goyt" in each.label] == [2]


def test_stages_called_alone_give_the_same_text(tiny: ControlDag) -> None:
    item = tiny.prepare(Request(OFFER, SERVICE))
    dag = tiny.predict([item])[0]
    dag.check()
    assert tiny.decode(item, dag).text == tiny.generate(OFFER, service=SERVICE).text


def test_a_dags_scores_and_widening_agree_with_its_best_tokens(tiny: ControlDag) -> None:
    dag = tiny.predict_dag(OFFER, service=SERVICE)
    assert dag.token_ids is not None and dag.widen is not None
    assert dag.surfaces.speaking[dag.token_ids].all()
    everything = dag.log_probabilities(range(len(dag.surfaces)))
    np.testing.assert_allclose(np.exp(everything.astype(np.float64)).sum(1), 1, rtol=1e-4)
    np.testing.assert_allclose(np.take_along_axis(everything, dag.token_ids, 1), dag.emissions, atol=1e-5)
    wide = dag.widen(9)
    assert wide.token_ids is not None and wide.token_ids.shape[1] == 9
    np.testing.assert_array_equal(wide.token_ids[:, : dag.token_ids.shape[1]], dag.token_ids)


def test_padding_in_a_batch_changes_nothing(tiny: ControlDag) -> None:
    items = [tiny.prepare(Request(each)) for each in toy_examples(6, 8)]
    for one, item in zip(tiny.predict(items), items, strict=True):
        alone = tiny.predict([item])[0]
        np.testing.assert_allclose(one.transitions, alone.transitions, atol=2e-5)
        np.testing.assert_allclose(one.emissions, alone.emissions, atol=2e-5)


def test_the_graph_is_large_enough_for_the_phrases(tiny: ControlDag) -> None:
    name = "Zyqx Wvut Jkpq Bdfg Hxzw"
    acts = [cd.Act("OFFER", "name", (name,))]
    needed = len(tiny.predictor.surfaces.spell(name))
    assert needed > tiny.predictor.options.min_vertices
    assert tiny.predict_dag(acts, service=SERVICE).vertices >= needed + 2
    assert name in tiny.generate(acts, service=SERVICE).text


@pytest.mark.parametrize("name", decoders_of(autoregressive=False))
def test_every_decoder_gives_a_text_or_says_that_it_found_none(tiny: ControlDag, name: str) -> None:
    try:
        result = tiny.generate(OFFER, service=SERVICE, decoder=name)
    except NothingFound as error:
        assert name in ("greedy", "lookahead", "cbs-dag", "control-dag-paper")
        assert name in str(error)
        return
    assert result.text and result.decoder == name
    if name in ("+hlc", "control-dag", "cbs-dag"):
        assert "Alder Inn" in result.text and "Avon" in result.text


def test_the_users_constraints_join_the_defaults(tiny: ControlDag) -> None:
    want = any_of("Brent", "Colne") & ~contains("serves") & contains("Goyt") & pattern(r"\?$")
    result = tiny.generate(OFFER, service=SERVICE, constraint=want, length=Length(maximum=40), n_best=3)
    assert re.search("Brent|Colne", result.text) and "serves" not in result.text and result.text.endswith("?")
    assert len({h.text for h in result.n_best}) == 3
    assert result.n_best[0].text == result.text
    assert [h.objective for h in result.n_best] == sorted(h.objective for h in result.n_best)
    assert result.length <= 40


def test_a_bad_item_leaves_the_others_alone(tiny: ControlDag) -> None:
    outcomes = tiny.generate_batch(
        [
            Request(OFFER, SERVICE),
            Request([], SERVICE),
            Request(OFFER, "Nowhere_1"),
            Request(OFFER, SERVICE),
            Request([cd.Act("OFFER", "name", ("x" * 5000,))], SERVICE),
            Request(OFFER, SERVICE, constraint=~contains("Avon")),
        ]
    )
    assert [isinstance(each, ControlDagError) for each in outcomes] == [False, True, True, False, True, True]
    assert isinstance(outcomes[0], Result) and isinstance(outcomes[3], Result)
    assert outcomes[0].text == outcomes[3].text
    assert "Nowhere_1" in str(outcomes[2])


@pytest.mark.parametrize(
    ("acts", "service", "message"),
    [
        ([], SERVICE, "at least one act"),
        (OFFER, "Place_1", "Did you mean Places_1"),
        ([cd.Act("OFFER", "nme", ("x",))], SERVICE, "Did you mean name"),
        ([cd.Act("OFFER", "name", ("a\0b",))], SERVICE, "NUL"),
        ([cd.Act("OFFER", "name", ("a\ud800b",))], SERVICE, "surrogate"),
        ([cd.Act("OFFER", "name", ("x" * 10_000,))], SERVICE, "positions"),
        ([cd.Act("INFORM", "", ("word " * 300,))], SERVICE, "positions"),
        ([cd.Triple("a", "b", "c")], "", "hold acts"),
        ([cd.Act("OFFER", "name", "Alder Inn")], SERVICE, "list of strings"),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_refused_with_what_is_wrong(
    tiny: ControlDag, acts: list[cd.Act], service: str, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        tiny.generate(acts, service=service)


@pytest.mark.parametrize(
    "value", ["two\nlines", "\N{SNOWMAN}\N{PILE OF POO}", " blank at the ends ", "$5 (or so)", "2", "…"]
)
def test_odd_values_are_said_as_they_are(tiny: ControlDag, value: str) -> None:
    result = tiny.generate([cd.Act("OFFER", "name", (value,))], service=SERVICE)
    assert value.strip() in result.text and not result.violated


def test_contradictory_constraints_are_named(tiny: ControlDag) -> None:
    with pytest.raises(Infeasible, match="Alder Inn"):
        tiny.generate(OFFER, service=SERVICE, constraint=~contains("Alder Inn"))
    with pytest.raises(Infeasible, match="length"):
        tiny.generate(OFFER, service=SERVICE, length=Length(exact=2))


def test_the_length_is_bounded_but_leaves_the_phrases_room() -> None:
    settings = GenerationSettings(normalisation=1.0, length_cap=1.5)
    model = LengthModel(1.0, 0.0)
    assert good_length(settings, model, 10) == Length(maximum=15, normalisation=1.0)
    bound = good_length(settings, model, 10, needed=40)
    assert bound is not None and bound.maximum is not None and bound.maximum > 60
    assert good_length(GenerationSettings(), model, 10) is None


def test_the_checkpoints_own_bound_gives_way_to_a_constraint(tiny: ControlDag) -> None:
    bounded = ControlDag(tiny.checkpoint, tiny.predictor, settings=replace(tiny.settings, length_cap=0.2))
    result = bounded.generate(OFFER, service=SERVICE)
    assert "Alder Inn" in result.text and "Avon" in result.text
    assert "widen" in result.ms
    with pytest.raises(Infeasible, match="length"):
        bounded.generate(OFFER, service=SERVICE, length=Length(maximum=2))


def test_settings_come_back_from_their_file_and_nonsense_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "generation.json"
    settings = GenerationSettings(task="triples", normalisation=1.1, trust="verified")
    settings.save(path)
    assert GenerationSettings.load(path) == settings
    for old, new in (('"triples"', '"songs"'), ('"emissions": 3', '"emissions": "3"'), ('"widest"', '"wildest"')):
        broken = path.read_text().replace(old, new)
        assert broken != path.read_text()
        (tmp_path / "broken.json").write_text(broken)
        with pytest.raises(DataError):
            GenerationSettings.load(tmp_path / "broken.json")


def test_unknown_decoders_and_folders_are_refused(tiny: ControlDag, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Did you mean greedy"):
        tiny.generate(OFFER, service=SERVICE, decoder="gredy")
    with pytest.raises(InvalidInput, match="config"):
        ControlDag.from_pretrained(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InvalidInput, match="weights"):
        ControlDag.from_pretrained(tmp_path)


def test_a_list_that_is_no_text_is_named(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "learnt.txt").write_bytes(b"Places_1\n\xff\xfe")
    with pytest.raises(DataError, match=r"learnt\.txt: is not UTF-8"):
        ControlDag.from_pretrained(broken)


def test_out_of_time_the_conflict_of_the_graph_as_pruned_is_named(
    tiny: ControlDag, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*arguments: Any, **options: Any) -> Lattice:
        begin = time.thread_time()
        while time.thread_time() < begin + 0.5:
            pass
        return prune(*arguments, **options)

    monkeypatch.setattr(sys.modules["controldag.search.exact"], "prune", slow)  # of wider graphs
    monkeypatch.setattr(tiny, "limits", Limits(max_seconds=0.45))
    with pytest.raises(Infeasible, match="was not searched to the end") as raised:
        tiny.generate(OFFER, service=SERVICE, constraint=contains("Avon Lea") & ~contains("Avon"))
    assert "~contains('Avon')" in raised.value.conflict


def test_saying_each_value_once_is_given_up_where_it_makes_the_search_too_long(
    tiny: ControlDag, monkeypatch: pytest.MonkeyPatch
) -> None:
    careful = tiny.with_settings(replace(tiny.settings, say_once=True))
    assert careful.generate(OFFER, service=SERVICE).left_out == ()
    monkeypatch.setattr("controldag.search.patient._HABIT_STATES", 1)
    result = careful.generate(OFFER, service=SERVICE)
    assert result.left_out == ("each value once",) and not result.violated
    assert result.text == tiny.generate(OFFER, service=SERVICE).text
