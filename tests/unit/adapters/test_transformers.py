"""Forced words over random T5 and BART against every sequence there is, and what must be refused."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from transformers import (
    AutoConfig,
    AutoModelForSeq2SeqLM,
    BartConfig,
    BartForConditionalGeneration,
    GPT2Config,
    GPT2LMHeadModel,
    T5Config,
    T5ForConditionalGeneration,
)

from controldag.adapters.transformers import generate, in_order
from controldag.errors import Infeasible, InvalidInput
from controldag.model.twin.phrase_tables import InOrder

KINDS = ("t5", "bart")
SOURCES = torch.tensor([[4, 5, 6, 1], [6, 5, 1, 0]])
MASK = (SOURCES != 0).long()


def tiny(kind: str, seed: int = 0, vocabulary: int = 7) -> Any:
    """A random model; ids 0 and 1 are padding and `</s>`, as in T5; BART's text begins with 2, which it must say."""
    torch.manual_seed(seed)
    model: Any
    if kind == "t5":
        sizes: dict[str, Any] = {"d_model": 16, "d_kv": 4, "d_ff": 32, "num_layers": 1, "num_heads": 4}
        model = T5ForConditionalGeneration(T5Config(vocab_size=vocabulary, decoder_start_token_id=0, **sizes))
    else:
        sides = ("encoder", "decoder")
        sizes = {f"{side}_layers": 1 for side in sides} | {f"{side}_attention_heads": 2 for side in sides}
        sizes |= {f"{side}_ffn_dim": 32 for side in sides}
        config = BartConfig(
            vocab_size=vocabulary, d_model=16, max_position_embeddings=32, pad_token_id=0, bos_token_id=2, **sizes
        )
        config.eos_token_id = config.decoder_start_token_id = 1
        model = BartForConditionalGeneration(config)
        model.generation_config.update(
            pad_token_id=0, bos_token_id=2, eos_token_id=1, decoder_start_token_id=1, forced_bos_token_id=2
        )
        model.generation_config.forced_eos_token_id = None
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.4)
    return model.eval()


def scored(model: Any, row: int, texts: list[tuple[int, ...]], penalty: float) -> list[tuple[float, tuple[int, ...]]]:
    """log P(text, </s>) / length^penalty of each, the best first, from full passes; what is forced costs nothing."""
    start = model.generation_config.decoder_start_token_id
    free = 1 if model.generation_config.forced_bos_token_id is not None else 0
    found = []
    for size in sorted(set(map(len, texts))):
        alike = [text for text in texts if len(text) == size]
        sequences = torch.tensor([[start, *text, 1] for text in alike])
        source, mask = (part[row : row + 1].expand(len(alike), -1) for part in (SOURCES, MASK))
        with torch.no_grad():
            logits = model(input_ids=source, attention_mask=mask, decoder_input_ids=sequences[:, :-1]).logits
        logs = torch.log_softmax(logits, -1).gather(2, sequences[:, 1:, None])[..., 0]
        found += zip((logs[:, free:].sum(1) / (size + 1) ** penalty).tolist(), alike, strict=True)
    return sorted(found, reverse=True)


def kept(said: Sequence[int], entry: Any, start: int = 0) -> bool:
    """Whether `said` holds a phrase, one of a set, or entries in order, by trying every place."""
    if isinstance(entry, InOrder):
        return in_turn(said, entry.stages, start)
    phrases = entry if isinstance(entry[0], list) else [entry]
    return any(list(said[i : i + len(p)]) == p for p in phrases for i in range(start, len(said)))


def in_turn(said: Sequence[int], stages: Sequence[Any], start: int) -> bool:
    if not stages:
        return True
    return any(
        list(said[i : i + len(phrase)]) == list(phrase) and in_turn(said, stages[1:], i + len(phrase))
        for phrase in stages[0]
        for i in range(start, len(said))
    )


def every_text(kind: str, longest: int) -> list[tuple[int, ...]]:
    """All texts of at most so many tokens but `</s>` and padding; BART's begin with its forced token."""
    first = (2,) if kind == "bart" else ()
    room = longest - len(first)
    return [(*first, *rest) for size in range(room + 1) for rest in itertools.product((2, 3, 4, 5, 6), repeat=size)]


FORCED: dict[str, list[Any]] = {
    "nothing": [],
    "a word": [[4]],
    "a phrase and a word": [[4, 5], [6]],
    "one of a set": [[[4, 4], [3]]],
    "a word and a set": [[5], [[6, 6], [4]]],
    "in order": [in_order([5], [4])],
    "in order, of sets": [in_order([[6], [5, 4]], [3])],
    "the same twice": [in_order([4], [4])],
}


@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("forced", FORCED.values(), ids=FORCED)
@pytest.mark.parametrize("kind", KINDS)
def test_a_wide_beam_finds_the_best_texts_there_are(kind: str, forced: list[Any], penalty: float) -> None:
    model, longest, start = tiny(kind), 4 if kind == "bart" else 3, 1 if kind == "bart" else 0
    found = generate(
        model,
        SOURCES,
        attention_mask=MASK,
        force_words_ids=forced,
        num_beams=300,
        num_return_sequences=3,
        max_new_tokens=longest + 1,
        length_penalty=penalty,
        early_stopping="never",
        return_dict_in_generate=True,
    )
    texts = [text for text in every_text(kind, longest) if all(kept(text, entry) for entry in forced)]
    for row in range(2):
        for place, (value, text) in enumerate(scored(model, row, texts, penalty)[:3]):
            sequence = found.sequences[3 * row + place].tolist()
            assert sequence[: len(text) + 2] == [start, *text, 1] and set(sequence[len(text) + 2 :]) <= {0}
            assert float(found.sequences_scores[3 * row + place]) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("beams", [1, 2, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_every_demand_holds_with_few_beams(kind: str, beams: int) -> None:
    forced = [[8, 9, 10], [[11, 12], [13]], in_order([7], [6, 5])]
    for seed in range(4):
        model = tiny(kind, seed, vocabulary=20)
        for sequence in generate(model, SOURCES, force_words_ids=forced, num_beams=beams, max_new_tokens=24).tolist():
            assert all(kept(sequence, entry) for entry in forced)


@pytest.mark.parametrize("kind", ["marian", "m2m_100", "pegasus", "led", "mt5"])
def test_other_families_say_the_words_and_know_their_scores(kind: str) -> None:
    sizes: dict[str, Any] = {"vocab_size": 40, "d_model": 16, "pad_token_id": 0, "eos_token_id": 1}
    for side in ("encoder", "decoder"):
        sizes |= {f"{side}_layers": 1, f"{side}_attention_heads": 2, f"{side}_ffn_dim": 32}
    if kind == "mt5":
        sizes |= {"num_layers": 1, "num_heads": 2, "d_kv": 8, "d_ff": 32}
    if kind == "led":
        sizes |= {"attention_window": 4}
    torch.manual_seed(1)
    start = 1 if kind == "m2m_100" else 0  # whose positions pass over padding
    config = AutoConfig.for_model(kind, decoder_start_token_id=start, **sizes)
    model: Any = AutoModelForSeq2SeqLM.from_config(config).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    model.generation_config.forced_eos_token_id = None
    forced = [[20, 21], in_order([30], [31])]
    found = generate(
        model,
        SOURCES,
        attention_mask=MASK,
        force_words_ids=forced,
        num_beams=3,
        max_new_tokens=10,
        return_dict_in_generate=True,
    )
    for row, sequence in enumerate(found.sequences.tolist()):
        assert all(kept(sequence, entry) for entry in forced)
        said = sequence[1:]
        if 1 in said:
            ((value, _),) = scored(model, row, [tuple(said[: said.index(1)])], 1.0)
            assert float(found.sequences_scores[row]) == pytest.approx(value, abs=1e-4)


def test_each_source_may_have_words_of_its_own() -> None:
    model = tiny("t5", 1, vocabulary=20)
    first, second = generate(
        model, SOURCES, force_words_ids=[[9]], by_source=[[[15, 16]], [[17]]], num_beams=3, max_new_tokens=12
    ).tolist()
    assert kept(first, [15, 16]) and kept(second, [17]) and kept(first, [9]) and kept(second, [9])


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_generation_config_asks_for_holds_as_well(kind: str) -> None:
    model = tiny(kind, 2, vocabulary=12)
    likes = generate(model, SOURCES, force_words_ids=[[9]], num_beams=4, max_new_tokens=10)
    liked = next(token for token in likes[0].tolist()[2:] if token not in (0, 1, 9))
    found = generate(
        model,
        SOURCES,
        force_words_ids=[[9]],
        num_beams=4,
        max_new_tokens=10,
        min_new_tokens=6,
        bad_words_ids=[[liked]],
        no_repeat_ngram_size=2,
    ).tolist()
    for sequence in found:
        said = sequence[1 : sequence.index(1, 1) if 1 in sequence[1:] else None]
        assert len(said) >= 5 and liked not in said and kept(said, [9])
        pairs = list(itertools.pairwise(said))
        assert len(pairs) == len(set(pairs))


def test_a_decoder_may_start_with_several_tokens() -> None:
    model = tiny("t5", 3, vocabulary=12)
    prompt = torch.tensor([[0, 7, 8], [0, 8, 7]])
    found = generate(model, SOURCES, force_words_ids=[[9]], decoder_input_ids=prompt, num_beams=3, max_new_tokens=6)
    assert found[:, :3].tolist() == prompt.tolist() and all(kept(row[3:], [9]) for row in found.tolist())


def test_any_of_several_ends_will_do() -> None:
    model = tiny("t5", vocabulary=9)
    found = generate(model, SOURCES, force_words_ids=[[4]], num_beams=3, max_new_tokens=8, eos_token_id=[1, 7]).tolist()
    assert all(7 not in row and kept(row, [4]) for row in found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"force_words_ids": "nice"}, "`force_words_ids` must be a list of phrases.*Tokenize"),
        ({"force_words_ids": ["nice"]}, "`force_words_ids` must hold phrases.*Tokenize"),
        ({"force_words_ids": [[]]}, "`force_words_ids` must hold phrases"),
        ({"force_words_ids": [[[4], []]]}, "`force_words_ids` must hold phrases"),
        ({"force_words_ids": [4]}, "`force_words_ids` must hold phrases"),
        ({"force_words_ids": [[4.0]]}, "`force_words_ids` must hold whole numbers"),
        ({"force_words_ids": [[True]]}, "`force_words_ids` must hold whole numbers"),
        ({"force_words_ids": [[7]]}, "`force_words_ids` must hold token ids below 7, but is 7"),
        ({"force_words_ids": [[-1]]}, "`force_words_ids` must hold token ids"),
        ({"force_words_ids": [[4, 1]]}, "neither `</s>` nor padding.*add_special_tokens=False"),
        ({"by_source": [[[4]]]}, "`by_source` must have one entry for each of the 2 sources, but is 1"),
        ({"do_sample": True}, "`do_sample` must be False"),
        ({"max_time": 1.0}, "`stopping_criteria` must be lengths"),
        ({"output_scores": True, "return_dict_in_generate": True}, "`output_scores` must be False"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        generate(tiny("t5"), SOURCES, num_beams=2, max_new_tokens=6, **arguments)


def test_an_order_needs_two_and_a_model_an_encoder() -> None:
    with pytest.raises(InvalidInput, match="`in_order` must have at least two entries"):
        in_order([4])
    decoder = GPT2LMHeadModel(GPT2Config(vocab_size=7, n_positions=8, n_embd=8, n_layer=1, n_head=1))
    with pytest.raises(InvalidInput, match=r"`model` must be an encoder–decoder.*GPT2LMHeadModel"):
        generate(decoder, SOURCES, force_words_ids=[[4]])


def test_words_that_do_not_fit_or_are_forbidden_are_infeasible() -> None:
    with pytest.raises(Infeasible, match=r"\[\[4, 5, 6\]\].*Allow more than 2 new tokens"):
        generate(tiny("t5"), SOURCES, force_words_ids=[[4, 5, 6]], num_beams=2, max_new_tokens=2)
    with pytest.raises(Infeasible):
        generate(tiny("t5"), SOURCES, force_words_ids=[[4]], bad_words_ids=[[4]], num_beams=2, max_new_tokens=6)
