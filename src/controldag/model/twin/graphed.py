"""The twin's decoding with static shapes: one step, its choice of a token included, is a CUDA graph.

On a CPU the same code runs step by step, which is what tests see.

Shapes: R rows, N source tokens, T positions, V tokens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from controldag.model.definition.config import T5Sizes
from controldag.model.inference.buckets import rounded
from controldag.model.inference.cuda_graph import captured
from controldag.model.twin.constrained_beam import BeamOptions, BeamState
from controldag.model.twin.forward import FastTwin, StaticCache
from controldag.model.twin.phrase_tables import Constraint, checked_tables
from controldag.model.twin.steps import TokenOutput

_SOURCES = (16, 32, 64, 128, 256, 512, 1024)
# Outputs of this many tokens have room; longer ones get a cache of their own.
_ROOM = 128
_ASKED_EVERY = 4  # steps on a GPU before the program waits to hear whether all rows are done


@dataclass(slots=True)
class Decoding(StaticCache):
    """One batch's cache and what its steps read and write; the same tensors serve every batch of a shape."""

    tokens: Tensor = field(kw_only=True)  # [R] the last tokens
    rows: Tensor = field(kw_only=True)  # [R] where each row's past lies
    finished: Tensor = field(kw_only=True)  # [R]
    totals: Tensor = field(kw_only=True)  # [R] log-probabilities
    exact: Tensor = field(kw_only=True)  # [R] wanted number of tokens, `</s>` counted; 0: any
    said: Tensor = field(kw_only=True)  # [T, R]
    input_ids: Tensor = field(kw_only=True)  # [B, N]
    read: Callable[[], Tensor] = field(kw_only=True)  # has the encoder read them
    replays: dict[tuple[str, int], Callable[[], Tensor]] = field(default_factory=dict, kw_only=True)

    def reorder(self, rows: Tensor) -> None:
        """Rows `rows` take the places 0, 1, …; the next step moves them."""
        self.rows.copy_(rows)


class GraphedTwin:
    """A FastTwin whose steps are replayed; made for batches of equal shape, one at a time."""

    def __init__(self, fast: FastTwin) -> None:
        self.fast = fast
        self.on_gpu = fast.device.type == "cuda"
        self._kept: dict[tuple[int, int, int, int], Decoding] = {}
        self._beams: dict[tuple[object, ...], BeamState] = {}

    @property
    def config(self) -> T5Sizes:
        return self.fast.config

    def start(self, input_ids: Tensor, max_length: int, copies: int = 1) -> Decoding:
        """A cache for decoding `input_ids` [B, N] with `copies` hypotheses each, rows b·copies + k."""
        width = rounded(input_ids.shape[1], _SOURCES)
        padded = torch.nn.functional.pad(input_ids, (0, width - input_ids.shape[1]), value=self.config.pad_token_id)
        key = (len(input_ids), copies, width, max(max_length, _ROOM))
        if key not in self._kept:
            self._kept[key] = self._decoding(padded, key[3], copies)
        cache = self._kept[key]
        cache.input_ids.copy_(padded)
        cache.read()
        cache.place.zero_()
        cache.length = 0
        torch.arange(len(input_ids) * copies, out=cache.rows)
        return cache

    def _decoding(self, input_ids: Tensor, max_length: int, copies: int) -> Decoding:
        fresh = self.fast.start(input_ids, max_length, copies, masked=True)
        given, bias = input_ids.clone(), fresh.source_bias
        assert bias is not None

        def read() -> Tensor:
            found, hidden = self.fast.read(given, copies, masked=True)
            for (keys, values), (new_keys, new_values) in zip(fresh.source, found, strict=True):
                keys.copy_(new_keys)
                values.copy_(new_values)
            assert hidden is not None
            return bias.copy_(hidden)

        device, rows = self.fast.device, len(input_ids) * copies
        return Decoding(
            fresh.own,
            fresh.source,
            fresh.source_bias,
            fresh.place,
            tokens=torch.zeros(rows, dtype=torch.int64, device=device),
            rows=torch.arange(rows, device=device),
            finished=torch.zeros(rows, dtype=torch.bool, device=device),
            totals=torch.zeros(rows, device=device),
            exact=torch.zeros(rows, dtype=torch.int64, device=device),
            said=torch.zeros(fresh.own[0][0].shape[2], rows, dtype=torch.int64, device=device),
            input_ids=given,
            read=captured(read) if self.on_gpu else read,
        )

    def step(self, tokens: Tensor, cache: Decoding) -> Tensor:
        """Log-probabilities [R, V] of the next token after `tokens` [R]; the cache grows by one position."""
        cache.tokens.copy_(tokens)
        return self._replay("scores", cache, self._scores)

    def greedy(
        self, input_ids: Tensor, max_length: int = 128, *, lengths: Sequence[int] | None = None
    ) -> list[TokenOutput]:
        """As `steps.greedy`, but finished rows stay, and a step comes back with nothing but whether all are done.

        A GPU is asked for that after every few steps only: waiting for the answer costs more than a step too many.
        """
        cache = self.start(input_ids, max_length)
        cache.tokens.fill_(self.config.bos_token_id)
        cache.finished.zero_()
        cache.totals.zero_()
        if lengths is not None:
            cache.exact.copy_(torch.tensor(list(lengths)))
        run = self._greedy_step if lengths is None else self._exact_step
        asked = _ASKED_EVERY if self.on_gpu else 1
        for place in range(1, max_length):
            going = self._replay("any" if lengths is None else "exact", cache, run)
            if place % asked == 0 and not bool(going):
                break
        count = len(input_ids)
        said, totals = cache.said[: cache.length, :count].T.tolist(), cache.totals[:count].tolist()
        silent = (self.config.eos_token_id, self.config.pad_token_id)
        outputs = [[token for token in row if token not in silent] for row in said]
        return [TokenOutput(output, total, True) for output, total in zip(outputs, totals, strict=True)]

    def beam(
        self, input_ids: Tensor, options: BeamOptions, constraints: Sequence[Sequence[Constraint]] | None = None
    ) -> list[TokenOutput]:
        """As `beam_search`, with the step, its choice of hypotheses included, in one graph."""
        tables = checked_tables(constraints, len(input_ids), self.config.vocab_size, self.fast.device)
        cache = self.start(input_ids, options.max_length, options.beams)
        anew = replace(options, lengths=None if options.lengths is None else ())
        key = (id(cache), anew, tuple(tables.moves.shape), tuple(tables.wanted.shape))
        if key not in self._beams:
            self._beams[key] = BeamState(self.config, options, tables)
        search = self._beams[key]
        search.begin(tables, options.lengths)

        def step(cache: Decoding, width: int) -> Tensor:
            cache.tokens.copy_(search.last_tokens())
            over = search.advance(self._scores(cache, width))
            cache.rows.copy_(search.origins)
            return over

        for _ in range(options.max_length - 1):
            if bool(self._replay(f"beam {id(search)}", cache, step, search.tensors())):
                break
        return search.results()

    def bare_step_ms(self, input_ids: Tensor, steps: int = 32) -> float:
        """Milliseconds of one greedy step and nothing else: what decoding cannot be faster than, times its steps."""
        with torch.inference_mode():
            self.greedy(input_ids, steps + 1, lengths=[steps + 1] * len(input_ids))  # every graph is there from now on
            cache = self.start(input_ids, steps + 1)
            self._wait()
            began = time.perf_counter()
            for _ in range(steps):
                self._replay("exact", cache, self._exact_step)
            self._wait()
        return 1000 * (time.perf_counter() - began) / steps

    def _wait(self) -> None:
        if self.on_gpu:
            torch.cuda.synchronize()

    def _replay(
        self, kind: str, cache: Decoding, run: Callable[[Decoding, int], Tensor], more: Sequence[Tensor] = ()
    ) -> Tensor:
        """One step; `more` are the tensors it changes beside those of the cache."""
        width = cache.width
        if (kind, width) not in cache.replays:

            def action() -> Tensor:
                return run(cache, width)

            if self.on_gpu:
                changed = [*_state(cache), *more]
                state = [part.clone() for part in changed]
                cache.replays[kind, width] = captured(action)
                for part, old in zip(changed, state, strict=True):
                    part.copy_(old)  # the runs before a capture moved on
            else:
                cache.replays[kind, width] = action
        found = cache.replays[kind, width]()
        cache.length += 1
        return found

    def _scores(self, cache: Decoding, width: int) -> Tensor:
        for keys, values in cache.own:
            keys[:, :, :width] = keys[:, :, :width].index_select(0, cache.rows)
            values[:, :, :width] = values[:, :, :width].index_select(0, cache.rows)
        scores = self.fast.pass_on(cache.tokens, cache, width)
        cache.place += 1
        return scores

    def _greedy_step(self, cache: Decoding, width: int) -> Tensor:
        return self._choose(cache, self.fast.pass_on(cache.tokens, cache, width))

    def _exact_step(self, cache: Decoding, width: int) -> Tensor:
        scores = self.fast.pass_on(cache.tokens, cache, width)
        scores.select(1, self.config.eos_token_id).fill_(-torch.inf)
        ends = (cache.exact == cache.place + 1)[:, None]
        # At its end a row says `</s>`, whatever its probability.
        scores = scores.masked_fill(ends, -torch.inf)
        eos = scores[:, self.config.eos_token_id : self.config.eos_token_id + 1]
        eos.masked_fill_(ends, 0.0)
        return self._choose(cache, scores)

    def _choose(self, cache: Decoding, scores: Tensor) -> Tensor:
        best, token = scores.max(-1)
        token = token.masked_fill(cache.finished, self.config.pad_token_id)
        cache.totals += best.masked_fill(cache.finished, 0.0)
        cache.said.index_copy_(0, cache.place, token[None])
        cache.finished |= token == self.config.eos_token_id
        cache.tokens.copy_(token)
        cache.place += 1
        return (~cache.finished).any()


def _state(cache: Decoding) -> list[Tensor]:
    own = [part for pair in cache.own for part in pair]
    return [*own, cache.tokens, cache.finished, cache.totals, cache.said, cache.place, cache.rows]
