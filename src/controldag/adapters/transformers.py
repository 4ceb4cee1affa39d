"""Constrained beam search for any encoder–decoder of `transformers`: what `force_words_ids` did until 4.57.

`transformers` prepares everything as ever (encoder, generation config, logits processors) and hands over its decoding
loop; no code of a model repository is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from controldag.errors import Infeasible, InvalidInput, MissingDependency

try:
    import torch
    from torch import Tensor
    from transformers import DynamicCache, EncoderDecoderCache, EosTokenCriteria, MaxLengthCriteria
    from transformers.generation.utils import GenerateBeamEncoderDecoderOutput
except ImportError as error:
    raise MissingDependency.of("torch and transformers", "model", "Constrained beam search") from error

from controldag.adapters.forced_words import Forced, in_order, read_forced
from controldag.model.twin.constrained_beam import BeamOptions, beam_lists
from controldag.model.twin.phrase_tables import Constraint, InOrder
from controldag.model.twin.steps import TokenOutput

__all__ = ["generate", "in_order"]

_NOT_TOLD = ("output_scores", "output_logits", "output_attentions", "output_hidden_states")


def generate(
    model: Any,
    inputs: Tensor | None = None,
    *,
    force_words_ids: Forced = (),
    by_source: Sequence[Forced] | None = None,
    **kwargs: Any,
) -> Any:
    """What `model.generate(inputs, **kwargs)` gives, with words that each output must hold.

    force_words_ids: for every source. Each entry is a phrase ([12, 7]), a set of phrases of which one must be said
    ([[12, 7], [9]]), or `in_order(…)` of such entries, which must be said one behind another.
    by_source: for each source further entries of its own.

    Raises Infeasible where the words cannot all be said within `max_new_tokens`.
    """
    config = getattr(model, "config", None)
    if not getattr(config, "is_encoder_decoder", False):
        kind = type(model).__name__
        raise InvalidInput.of("model", "be an encoder–decoder of `transformers`, such as T5 or BART", kind)
    shared = read_forced("force_words_ids", force_words_ids)
    own = None if by_source is None else [read_forced("by_source", entries) for entries in by_source]
    return model.generate(inputs, custom_generate=_Decoding(shared, own), **kwargs)


@dataclass(frozen=True, slots=True)
class _Decoding:
    """The decoding loop that `transformers` calls."""

    shared: list[Constraint]
    own: list[list[Constraint]] | None

    def __call__(
        self,
        model: Any,
        input_ids: Tensor,
        logits_processor: Any,
        stopping_criteria: Any,
        generation_config: Any,
        **model_kwargs: Any,
    ) -> Any:
        _check(generation_config, stopping_criteria)
        beams, count = generation_config.num_beams, generation_config.num_return_sequences
        tokens = _Tokens.of(model, generation_config)
        prompts = input_ids[::beams]
        options = BeamOptions(
            beams,
            generation_config.length_penalty,
            generation_config.max_length - prompts.shape[1] + 1,
            patient=generation_config.early_stopping == "never",
            keep=count,
        )
        constraints = self._constraints(len(prompts), tokens)
        steps = _Steps(model, tokens, logits_processor, model_kwargs)
        found = [each for row in beam_lists(steps, prompts, options, constraints) for each in row]
        for place, each in enumerate(found):
            if not each.satisfied:
                raise self._unsaid(constraints[place // count], options.max_length - 1)
        rows = [_row(each, tokens, options.max_length - 1) for each in found]
        sequences = torch.cat([prompts.repeat_interleave(count, 0), _padded(rows, tokens.pad_token_id, prompts)], 1)
        if not generation_config.return_dict_in_generate:
            return sequences
        scores = [
            each.log_probability / len(row) ** options.length_penalty for each, row in zip(found, rows, strict=True)
        ]
        return GenerateBeamEncoderDecoderOutput(
            sequences=cast(torch.LongTensor, sequences),
            sequences_scores=cast(torch.FloatTensor, torch.tensor(scores, device=prompts.device)),
        )

    def _constraints(self, sources: int, tokens: _Tokens) -> list[list[Constraint]]:
        own = self.own if self.own is not None else [[] for _ in range(sources)]
        if len(own) != sources:
            raise InvalidInput.of("by_source", f"have one entry for each of the {sources} sources", len(own))
        for token in (token for row in (self.shared, *own) for each in row for token in _ids(each)):
            if not 0 <= token < tokens.vocab_size:
                raise InvalidInput.of("force_words_ids", f"hold token ids below {tokens.vocab_size:,}", token)
            if token in tokens.silent:
                remedy = "Tokenize words with `add_special_tokens=False`."
                raise InvalidInput.of("force_words_ids", "hold neither `</s>` nor padding", token, remedy=remedy)
        return [[*self.shared, *each] for each in own]

    def _unsaid(self, constraints: list[Constraint], length: int) -> Infeasible:
        names = tuple(
            repr(each if isinstance(each, InOrder) else [list(phrase) for phrase in each]) for each in constraints
        )
        remedy = f"Allow more than {length} new tokens (`max_new_tokens`), or drop a word or what forbids it."
        return Infeasible(names, minimised=False, remedy=remedy)


def _ids(constraint: Constraint) -> list[int]:
    stages = constraint.stages if isinstance(constraint, InOrder) else (constraint,)
    return [token for stage in stages for phrase in stage for token in phrase]


def _check(config: Any, stopping_criteria: Any) -> None:
    """Refuses what would else be passed over in silence."""
    if config.do_sample:
        raise InvalidInput.of("do_sample", "be False: constrained beam search does not draw", True)
    if config.num_return_sequences > config.num_beams:
        rule = f"be at most `num_beams` ({config.num_beams})"
        raise InvalidInput.of("num_return_sequences", rule, config.num_return_sequences)
    for name in _NOT_TOLD:
        if getattr(config, name, None):
            raise InvalidInput.of(name, "be False under forced words", True)
    for each in stopping_criteria:
        if not isinstance(each, MaxLengthCriteria | EosTokenCriteria):
            kind = type(each).__name__
            raise InvalidInput.of("stopping_criteria", "be lengths and `</s>` alone under forced words", kind)


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The special tokens of a model, as the search wants to know them."""

    vocab_size: int
    ends: tuple[int, ...]  # any of these ends a text
    pad_token_id: int

    @classmethod
    def of(cls, model: Any, config: Any) -> _Tokens:
        ends = config.eos_token_id
        if ends is None:
            raise InvalidInput.of("eos_token_id", "be set: a text has to end", None)
        listed = tuple(ends) if isinstance(ends, list | tuple) else (int(ends),)
        pad = config.pad_token_id
        return cls(model.get_output_embeddings().weight.shape[0], listed, listed[0] if pad is None else int(pad))

    @property
    def eos_token_id(self) -> int:
        return self.ends[0]

    @property
    def bos_token_id(self) -> int:
        """The search lets no text hold it; what a decoder starts with is not banned, since BART says `<s>` itself."""
        return self.eos_token_id

    @property
    def silent(self) -> tuple[int, ...]:
        return (*self.ends, self.pad_token_id)


@dataclass(slots=True)
class _Cache:
    past: EncoderDecoderCache
    said: Tensor  # [R, T], from the decoder's start on: logits processors read it
    waiting: Tensor  # [R, ·], what the model has not read yet

    def reorder(self, rows: Tensor) -> None:
        self.past.reorder_cache(cast(torch.LongTensor, rows))
        self.said = self.said[rows]


class _Steps:
    """A model of `transformers` behind our search."""

    def __init__(self, model: Any, config: _Tokens, processors: Any, model_kwargs: dict[str, Any]) -> None:
        self.model, self.config, self.processors = model, config, processors
        left = ("past_key_values", "use_cache", "cache_position", "decoder_attention_mask")
        self.given = {name: value for name, value in model_kwargs.items() if name not in left}

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1) -> _Cache:
        """`input_ids` are what the decoder starts with."""
        prompts = input_ids.repeat_interleave(copies, 0)
        return _Cache(EncoderDecoderCache(DynamicCache(), DynamicCache()), prompts[:, :0], prompts)

    def step(self, tokens: Tensor, cache: _Cache) -> Tensor:
        fresh = cache.waiting if cache.waiting.shape[1] else tokens[:, None]
        cache.waiting = fresh[:, :0]
        cache.said = torch.cat([cache.said, fresh], 1)
        found = self.model(**self.given, decoder_input_ids=fresh, past_key_values=cache.past, use_cache=True)
        scores = torch.log_softmax(found.logits[:, -1].float(), -1)
        scores = self.processors(cache.said, scores)
        first, *others = self.config.ends
        for other in others:
            scores[:, first] = torch.maximum(scores[:, first], scores[:, other])
            scores[:, other] = -torch.inf
        return scores


def _row(found: TokenOutput, tokens: _Tokens, room: int) -> list[int]:
    """Its tokens with `</s>`, unless it was cut off."""
    return [*found.tokens, *([tokens.eos_token_id] if len(found.tokens) < room else [])]


def _padded(rows: list[list[int]], pad: int, like: Tensor) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows], device=like.device)
