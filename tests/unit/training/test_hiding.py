"""Source hiding: marks, padding and the end stay, the rest goes with the share asked for, and a run resumes with it."""

from __future__ import annotations

from pathlib import Path

import torch

from controldag.text.mark_tokens import MarkTokens
from controldag.text.tokenizer import Tokenizer
from controldag.training.hiding import SourceHiding
from controldag.training.loop import Trainer
from controldag.training.options import DataOptions, load_options
from controldag.training.prepare import prepare
from controldag.training.run_options import RunOptions
from tests.unit.training.tiny_run import tiny_yaml


def test_what_is_hidden() -> None:
    corpus = prepare(DataOptions(dataset="toy", lineariser="naive", vocabulary=360, value_marks=2), None)
    prepared = corpus.prepared
    kept = [prepared.pad_id, prepared.eos_id, *sorted(MarkTokens(Tokenizer(corpus.tokenizer_model)).ids)]
    assert len(kept) == 6
    sources = torch.arange(prepared.vocab_size).repeat(200, 1)
    torch.manual_seed(1)
    hidden = SourceHiding(0.25, corpus, torch.device("cpu"))(sources)
    changed = hidden != sources
    assert (hidden[changed] == prepared.unk_id).all()
    assert not changed[:, kept].any()
    others = [i for i in range(prepared.vocab_size) if i not in {*kept, prepared.unk_id, prepared.bos_id}]
    assert abs(float(changed[:, others].float().mean()) - 0.25) < 0.01


def test_a_run_hides_in_training_only_and_does_the_same_twice(tmp_path: Path) -> None:
    options = load_options(str(tiny_yaml(tmp_path, hidden_source=0.3, steps=4)))
    corpus = prepare(options.data, None)
    losses = []
    for name in ("a", "b"):
        trainer = Trainer(options, corpus, RunOptions(tmp_path / name, device="cpu", say=lambda _: None))
        losses.append([float(trainer.step(0.0)[0]) for _ in range(4)])
    assert losses[0] == losses[1]
    plain = load_options(str(tiny_yaml(tmp_path, steps=4)))
    trainer = Trainer(plain, corpus, RunOptions(tmp_path / "c", device="cpu", say=lambda _: None))
    assert [float(trainer.step(0.0)[0]) for _ in range(4)] != losses[0]
