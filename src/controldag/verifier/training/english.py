"""Training of the judge of English: `python -m controldag.verifier.training.english PREPARED OUT --preset verifier`.

Counts come from four fifths of the sound texts; the network learns from the rest, half of them broken, since nothing is
unheard in a text that was counted. Half of that rest are all texts of some services and relations: what is said of
a new one is no worse English for words that were not heard of others.
"""

from __future__ import annotations

import argparse
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from controldag.verifier.claims import FACT
from controldag.verifier.english import FEATURES, HIDDEN, WINDOWS, English, Floats, features
from controldag.verifier.heard import END, NUMBER, RARE, START, VALUE, Heard
from controldag.verifier.training.draft import Draft, World, draft_of
from controldag.verifier.training.garble import garble
from controldag.verifier.training.prepared import load
from controldag.verifier.training.presets import PRESETS
from controldag.verifier.training.records import Record
from controldag.verifier.weights import save_english
from controldag.verifier.words import is_content, stem

# Corpora of sound English, and how often the network reads each.
_SHARES = {
    "sgd": 5.0, "dart": 2.0, "rel2text": 2.0, "viggo": 1.0, "plain": 2.0, "plain_acts": 1.5, "plain_facts": 1.0,
    "plain_dart": 1.0, "star": 0.5, "multiwoz_valtest": 1.0,
}  # fmt: skip
_COUNTED = frozenset((*_SHARES, "pararel_synth", "webnlg_train_seencat", "taskmaster3_part", "wdv"))
_FOLDS = 10
_LEAST_WORD, _LEAST_RUN = 10, 4
_BATCH = 128


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text: what the network sees, whether it is broken, and where (-1: not known)."""

    seen: Floats
    broken: int
    odd: Floats


class EnglishNetwork(nn.Module):
    """What `English` computes, to learn its weights."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv1d(FEATURES, HIDDEN, WINDOWS[0], padding=WINDOWS[0] // 2)
        self.second = nn.Conv1d(HIDDEN, HIDDEN, WINDOWS[1], padding=WINDOWS[1] // 2)
        self.odd = nn.Linear(HIDDEN, 1)
        self.whole = nn.Linear(2 * HIDDEN, 1)

    def forward(self, seen: Tensor, there: Tensor) -> tuple[Tensor, Tensor]:
        """Logits that a text is broken, [B], and that a reader stumbles at each place, [B, N]."""
        mask = there[:, None, :]
        state = F.relu(self.first(seen.transpose(1, 2))) * mask
        state = (F.relu(self.second(state)) * mask).transpose(1, 2)
        odd = self.odd(state)[:, :, 0].masked_fill(~there, -30.0)
        pooled = torch.cat([state.amax(1), state.sum(1) / there.sum(1, keepdim=True)], 1)
        return odd.amax(1) + self.whole(pooled)[:, 0], odd


def heard_in(texts: Iterator[tuple[str, ...]]) -> Heard:
    """Counts of runs of one to three words; rare ones go."""
    different = set(texts)
    words = Counter(word for text in different for word in text)
    runs: Counter[tuple[str, ...]] = Counter()
    for text in different:
        spoken = [START, *(_counted(word, words) for word in text), END]
        for end in range(1, len(spoken) + 1):
            runs.update(tuple(spoken[begin:end]) for begin in range(max(0, end - 3), end))
    return Heard.of({run: count for run, count in runs.items() if count >= _LEAST_RUN or len(run) == 1})


def _counted(word: str, words: Counter[str]) -> str:
    if word == VALUE:
        return word
    return NUMBER if word[:1].isdigit() else word if words[word] >= _LEAST_WORD else RARE


def _classes(record: Record) -> tuple[str, ...]:
    return tuple(item if isinstance(item, str) else VALUE for item in record.text)


def _is_held(record: Record) -> bool:
    """Whether the network learns from it, for its text or for what it is about."""
    kinds = [claim.key if claim.head == FACT else record.service for claim in record.claims]
    return any(zlib.crc32(name.encode()) % _FOLDS == 0 for name in (*kinds, " ".join(_classes(record))))


def _row(draft: Draft, world: World, heard: Heard) -> TextRow:
    words, values = [], []
    for item in draft.text:
        words.append(item if isinstance(item, str) else VALUE)
        values.append(0 if isinstance(item, str) else item + 1)
    ways = (world.wordings.ways.get(claim.key, ()) for claim in draft.claims)
    known = {stem(w) for way in ways for name, text in way[:1] for w in (*name, *text) if is_content(w)}
    seen = features(words, values, known, heard)
    odd = np.zeros(len(seen), np.float32)
    if draft.broken == 1:
        odd[:] = -1
        if len(draft.odd) == len(seen) - 2:
            odd[1:-1] = draft.odd
    return TextRow(seen, int(draft.broken == 1), odd)


def rows(world: World, heard: Heard, count: int, chance: random.Random) -> list[TextRow]:
    """Texts that were not counted, half of them broken."""
    by_source: dict[str, list[Record]] = {}
    for record in world.records:
        if record.source in _SHARES and _is_held(record):
            by_source.setdefault(record.source, []).append(record)
    sources = list(by_source)
    made: list[TextRow] = []
    while len(made) < count:
        source = chance.choices(sources, [_SHARES[each] for each in sources])[0]
        draft = draft_of(chance.choice(by_source[source]))
        draft.broken = 0
        if chance.random() < 0.5 or garble(draft, world, chance):
            made.append(_row(draft, world, heard))
    return made


def _batch(chosen: list[TextRow]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    length = max(len(row.seen) for row in chosen)
    seen = np.zeros((len(chosen), length, FEATURES), np.float32)
    odd = np.full((len(chosen), length), -1, np.float32)
    there = np.zeros((len(chosen), length), bool)
    for number, row in enumerate(chosen):
        seen[number, : len(row.seen)], odd[number, : len(row.odd)], there[number, : len(row.seen)] = (
            row.seen,
            row.odd,
            True,
        )
    broken = torch.tensor([float(row.broken) for row in chosen])
    return torch.from_numpy(seen), torch.from_numpy(there), broken, torch.from_numpy(odd)


def learn(made: list[TextRow], epochs: int, chance: random.Random) -> tuple[dict[str, Floats], float]:
    """The network's weights, and its accuracy on rows that it did not learn from."""
    held, made = made[: len(made) // 12], made[len(made) // 12 :]
    network = EnglishNetwork()
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    for epoch in range(epochs):
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * (1 - epoch / epochs) + 1e-4
        chance.shuffle(made)
        made.sort(key=lambda row: len(row.seen) // 6)
        batches = [made[begin : begin + _BATCH] for begin in range(0, len(made), _BATCH)]
        chance.shuffle(batches)
        for chosen in batches:
            seen, there, broken, odd = _batch(chosen)
            whole, places = network(seen, there)
            known = (odd >= 0).float()
            by_place = F.binary_cross_entropy_with_logits(places, odd.clamp(min=0), reduction="none") * known
            loss = F.binary_cross_entropy_with_logits(whole, broken) + 0.3 * by_place.sum() / known.sum()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    with torch.inference_mode():
        seen, there, broken, _ = _batch(held)
        right = float(((network(seen, there)[0] > 0) == (broken > 0)).float().mean())
    return {name: each.detach().numpy() for name, each in network.state_dict().items()}, right


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prepared", type=Path, help="the file that `prepare` wrote")
    parser.add_argument("out", type=Path, help="folder of the verifier it belongs to")
    parser.add_argument("--preset", choices=sorted(PRESETS), default="verifier")
    parser.add_argument("--texts", type=int, default=60_000, help="texts that the network learns from")
    parser.add_argument("--epochs", type=int, default=6)
    given = parser.parse_args()
    preset = PRESETS[given.preset]
    torch.manual_seed(preset.seed)
    chance = random.Random(preset.seed)
    world = World.of(*load(given.prepared, left_out=preset.left_out))
    counted = (record for record in world.records if record.source in _COUNTED)
    heard = heard_in(_classes(record) for record in counted if not _is_held(record))
    weights, right = learn(rows(world, heard, given.texts, chance), given.epochs, chance)
    save_english(English(heard, weights), given.out)
    print(f"{len(heard.keys)} runs; {right:.3f} of held-out texts told rightly")


if __name__ == "__main__":
    main()
