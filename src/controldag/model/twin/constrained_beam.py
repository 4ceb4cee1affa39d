"""Beam search with phrases that must be said: vectorised dynamic beam allocation (Post and Vilar 2018, Hu et al. 2019).

Each constraint is an automaton (`phrase_tables.py`), so that a hypothesis's progress is a small vector of states.
Hypotheses are kept in banks by progress; a step fills the beam from the banks in turn.

Shapes: B examples, K hypotheses each, F finished ones kept, J candidates each, Q constraints, V tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from controldag.errors import InvalidInput
from controldag.model.twin.phrase_tables import Constraint, Tables, checked_tables
from controldag.model.twin.steps import Steps, TokenOutput, Vocabulary

_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class BeamOptions:
    """`score` of a finished hypothesis of n tokens (`</s>` counted): log-probability / n^length_penalty.

    lengths: for each source, the number of tokens (`</s>` counted) that its hypotheses must have.
    keep: how many finished hypotheses of each source.
    """

    beams: int = 5
    length_penalty: float = 1.0
    max_length: int = 128
    patient: bool = (
        False  # go on until nothing can beat the best; else (as Hugging Face) until nothing does as it stands
    )
    lengths: Sequence[int] | None = None
    keep: int = 1

    def __post_init__(self) -> None:
        if self.beams < 1 or self.max_length < 2:
            raise InvalidInput.of("beams, max_length", "be at least 1 and 2", (self.beams, self.max_length))
        if not 1 <= self.keep <= self.beams:
            raise InvalidInput.of("keep", f"be from 1 to `beams` ({self.beams})", self.keep)


@torch.no_grad()
def beam_search(
    model: Steps,
    input_ids: Tensor,
    options: BeamOptions,
    constraints: Sequence[Sequence[Constraint]] | None = None,
) -> list[TokenOutput]:
    """The best hypothesis of each source [B, N]; `constraints[b]` all hold in it, where `satisfied`.

    One occurrence may serve two equal or overlapping constraints. Where no hypothesis satisfies all constraints within
    the maximal length, the one that got furthest is returned, marked as not satisfied.
    """
    return [found[0] for found in beam_lists(model, input_ids, options, constraints)]


@torch.no_grad()
def beam_lists(
    model: Steps,
    input_ids: Tensor,
    options: BeamOptions,
    constraints: Sequence[Sequence[Constraint]] | None = None,
) -> list[list[TokenOutput]]:
    """As `beam_search`, the `keep` best of each source, best first: finished ones, then those that got furthest."""
    batch = len(input_ids)
    tables = checked_tables(constraints, batch, model.config.vocab_size, input_ids.device)
    search = BeamState(model.config, options, tables)
    cache = model.start(input_ids, options.max_length, options.beams)
    for _ in range(options.max_length - 1):
        over = search.advance(model.step(search.last_tokens(), cache))
        cache.reorder(search.origins)
        if bool(over):
            break
    return search.lists()


class BeamState:
    """Hypotheses of a batch and the best finished ones, in tensors that stay the same ones from step to step."""

    def __init__(self, config: Vocabulary, options: BeamOptions, tables: Tables) -> None:
        self.config, self.options, self.tables = config, options, tables
        self.batch, self.beams = len(tables.whole), options.beams
        device, shape = tables.whole.device, (self.batch, options.beams)
        self.scores = torch.empty(shape, device=device)
        self.states = torch.empty(*shape, tables.points.shape[1], dtype=torch.int64, device=device)
        self.tokens = torch.empty(*shape, options.max_length, dtype=torch.int64, device=device)
        self.place = torch.zeros(1, dtype=torch.int64, device=device)  # of the last token
        self.origins = torch.arange(self.batch * self.beams, device=device)  # where each hypothesis was a step ago
        kept = (self.batch, options.keep)
        self.best_score = torch.empty(kept, device=device)
        self.best_logp = torch.empty(kept, device=device)
        self.best_tokens = torch.empty(*kept, options.max_length, dtype=torch.int64, device=device)
        self.best_length = torch.empty(kept, dtype=torch.int64, device=device)
        self.exact = torch.zeros(self.batch, dtype=torch.int64, device=device)
        self.constrained = tables.wanted.shape[1:] != (1, 1, 1)
        self.begin(tables, options.lengths)

    def begin(self, tables: Tables, lengths: Sequence[int] | None) -> None:
        """Starts anew, with constraints of the same shape."""
        for mine, given in zip(self.tables.parts(), tables.parts(), strict=True):
            mine.copy_(given)
        if lengths is not None:
            self.exact.copy_(torch.tensor(list(lengths)))
        self.scores.fill_(_NEVER)
        self.scores[:, 0] = 0.0
        self.tokens.fill_(self.config.pad_token_id)
        self.tokens[:, :, 0] = self.config.bos_token_id
        for part in (self.states, self.place, self.best_tokens, self.best_length):
            part.zero_()
        for part in (self.best_score, self.best_logp):
            part.fill_(_NEVER)

    def tensors(self) -> list[Tensor]:
        """All that a step changes."""
        return [
            *(self.scores, self.states, self.tokens, self.place, self.origins),
            *(self.best_score, self.best_logp, self.best_tokens, self.best_length),
        ]

    def last_tokens(self) -> Tensor:
        """[B·K]"""
        return self.tokens.index_select(2, self.place).flatten()

    def advance(self, scores: Tensor) -> Tensor:
        """One more token for every hypothesis, from log-probabilities [B·K, V]; true when nothing better can come."""
        totals = self.scores[..., None] + scores.view(self.batch, self.beams, -1)  # [B, K, V]
        points = self._points(self.states)  # [B, K]
        done = points == self.tables.whole[:, None]
        if self.options.lengths is not None:
            done = done & (self.exact == self.place + 1)[:, None]
        self._finish(totals[..., self.config.eos_token_id].masked_fill(~done, _NEVER))
        for token in (self.config.eos_token_id, self.config.pad_token_id, self.config.bos_token_id):
            totals.select(-1, token).fill_(_NEVER)
        beams, tokens, candidates = self._candidates(totals)
        self._keep(beams, tokens, candidates, self._moved(beams, tokens))
        return self._over()

    def _finish(self, totals: Tensor) -> None:
        """Takes in hypotheses that end here: `totals` [B, K] with `</s>` counted, −inf where one may not end."""
        length = self.place + 1  # tokens but `<s>`, with `</s>`
        scores = torch.cat([self.best_score, totals / length**self.options.length_penalty], 1)
        # Stable: of equals, the one found first stays.
        chosen = scores.argsort(dim=1, descending=True, stable=True)[:, : self.options.keep]  # [B, F]
        rows = torch.arange(self.batch, device=chosen.device)[:, None]
        lengths = torch.cat([self.best_length, length.expand_as(totals)], 1)
        self.best_tokens.copy_(torch.cat([self.best_tokens, self.tokens], 1)[rows, chosen])
        self.best_length.copy_(lengths.gather(1, chosen))
        self.best_logp.copy_(torch.cat([self.best_logp, totals], 1).gather(1, chosen))
        self.best_score.copy_(scores.gather(1, chosen))

    def _candidates(self, totals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Beam, token and score [B, J] of the best continuations, of each beam's best, and of wanted tokens."""
        batch, beams, vocabulary = totals.shape
        flat = totals.flatten(1)
        count = min(2 * beams, flat.shape[1])
        codes = [flat.topk(count, 1).indices]
        if self.constrained:
            offset = torch.arange(beams, device=totals.device)[None] * vocabulary
            codes.append(totals.argmax(-1) + offset)
            rows = torch.arange(batch, device=totals.device)[:, None, None]
            places = torch.arange(self.states.shape[2], device=totals.device)[None, None]
            wanted = self.tables.wanted[rows, places, self.states]  # [B, K, Q, W]
            code = torch.where(wanted >= 0, wanted + offset[:, :, None, None], codes[1][:, :, None, None])
            codes.append(code.flatten(1))
        code = torch.cat(codes, 1).sort(1).values
        scores = flat.gather(1, code)
        repeated = torch.zeros_like(code, dtype=torch.bool)
        repeated[:, 1:] = code[:, 1:] == code[:, :-1]
        return code // vocabulary, code % vocabulary, scores.masked_fill(repeated, _NEVER)

    def _moved(self, beams: Tensor, tokens: Tensor) -> Tensor:
        """States [B, J, Q] of the candidates."""
        rows = torch.arange(self.batch, device=beams.device)
        before = self.states[rows[:, None], beams]  # [B, J, Q]
        classes = self.tables.classes[rows[:, None], tokens]  # [B, J]
        places = torch.arange(before.shape[2], device=beams.device)
        return self.tables.moves[rows[:, None, None], places[None, None], before, classes[..., None]]

    def _points(self, states: Tensor) -> Tensor:
        """How far hypotheses with `states` [B, ·, Q] are: some next token always brings an unfinished one further."""
        rows = torch.arange(self.batch, device=states.device)[:, None, None]
        places = torch.arange(states.shape[2], device=states.device)[None, None]
        finished = self.tables.points[rows, places, states].sum(-1)
        # Of the constraints under way only the furthest counts: two that begin alike would else hold each other up.
        return finished + self.tables.depth[rows, places, states].amax(-1)

    def _keep(self, beams: Tensor, tokens: Tensor, scores: Tensor, states: Tensor) -> None:
        """Fills the beam: the best of every bank, the most advanced bank first, then the second best of every bank…"""
        points = self._points(states)
        # By score, then (stably) by bank: a candidate's rank in its bank is its distance from the bank's start.
        order = scores.argsort(dim=1, descending=True, stable=True)
        order = order.gather(1, points.gather(1, order).argsort(dim=1, descending=True, stable=True))
        bank, score = points.gather(1, order), scores.gather(1, order)
        place = torch.arange(bank.shape[1], device=bank.device).expand_as(bank)
        starts = torch.ones_like(bank, dtype=torch.bool)
        starts[:, 1:] = bank[:, 1:] != bank[:, :-1]
        rank = place - (place * starts).cummax(1).values
        rank = torch.where(score == _NEVER, rank + bank.shape[1], rank)
        chosen = order.gather(1, rank.argsort(dim=1, stable=True)[:, : self.beams])
        beam = beams.gather(1, chosen)
        rows = torch.arange(self.batch, device=beam.device)[:, None]
        self.place += 1
        self.tokens.copy_(self.tokens[rows, beam])
        self.tokens.index_copy_(2, self.place, tokens.gather(1, chosen)[..., None])
        self.scores.copy_(scores.gather(1, chosen))
        self.states.copy_(states[rows, chosen])
        self.origins.copy_((rows * self.beams + beam).flatten())

    def _over(self) -> Tensor:
        """Whether no live hypothesis can beat the finished ones (log-probabilities only fall as it grows)."""
        if self.options.lengths is not None:
            return (self.place + 1 > self.exact.max()).all()
        penalty = self.options.length_penalty
        # The most a live hypothesis can still reach: its log-probability over the longest (penalty > 0) length.
        patient = penalty > 0 and self.options.patient
        longest = self.options.max_length if patient else self.place + 1
        reachable = self.scores.max(1).values / longest**penalty
        return (self.best_score[:, -1] >= reachable).all()

    def results(self) -> list[TokenOutput]:
        """The best finished hypothesis of each example, or its most advanced live one."""
        return [found[0] for found in self.lists()]

    def lists(self) -> list[list[TokenOutput]]:
        """The best finished hypotheses of each example, then its most advanced live ones where these are too few."""
        points = self._points(self.states)
        advanced = points.double() * 1e6 + self.scores.double().clamp_min(-1e5)
        order = advanced.masked_fill(self.scores == _NEVER, _NEVER).argsort(dim=1, descending=True, stable=True)
        lists = []
        for b in range(self.batch):
            found = [self._finished(b, f) for f in range(self.options.keep) if float(self.best_score[b, f]) > _NEVER]
            missing = order[b, : self.options.keep - len(found)].tolist()
            lists.append([*found, *(self._live(b, k, bool(points[b, k] == self.tables.whole[b])) for k in missing)])
        return lists

    def _finished(self, b: int, f: int) -> TokenOutput:
        tokens = self.best_tokens[b, f, 1 : int(self.best_length[b, f])].tolist()
        return TokenOutput(tokens, float(self.best_logp[b, f]), True)

    def _live(self, b: int, k: int, satisfied: bool) -> TokenOutput:
        tokens = self.tokens[b, k, 1 : int(self.place) + 1].tolist()
        return TokenOutput(tokens, float(self.scores[b, k]), satisfied)
