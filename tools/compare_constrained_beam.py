"""Our constrained beam search beside that of transformers 4.56.2, the last release that had one.

Needs an environment with transformers 4.56.2. Both search a small random T5 with the same weights; for each source it
compares whether every phrase is said and the score log P / length^PENALTY of what was found. Run:

    python tools/compare_constrained_beam.py dump DIR      # where controldag and the current transformers are
    python tools/compare_constrained_beam.py theirs DIR    # where transformers 4.56.2 is
    python tools/compare_constrained_beam.py compare DIR   # again the first
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import torch

SIZES: dict[str, Any] = {"vocab_size": 16, "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4}
CASES, BEAMS, LONGEST, PENALTY = 60, 5, 24, 1.0


def cases() -> list[dict[str, Any]]:
    """Random sources with one to three phrases of one to three tokens."""
    chance = random.Random(1)
    return [
        {
            "source": [chance.randrange(4, 16) for _ in range(chance.randrange(3, 9))] + [1],
            "phrases": [
                [chance.randrange(4, 16) for _ in range(chance.randrange(1, 4))] for _ in range(chance.randrange(1, 4))
            ],
        }
        for _ in range(CASES)
    ]


def dump(folder: Path) -> None:
    """Writes weights in Hugging Face's names, and the cases."""
    from safetensors.torch import save_file
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(3)
    model = T5ForConditionalGeneration(T5Config(**SIZES, num_decoder_layers=2, dropout_rate=0.0))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.25)
    folder.mkdir(parents=True, exist_ok=True)
    save_file({name: p.detach().clone() for name, p in model.named_parameters()}, folder / "weights.safetensors")
    (folder / "cases.json").write_text(json.dumps(cases()), "utf-8")


def theirs(folder: Path) -> None:
    """Searches with `generate(force_words_ids=…)` and writes what it found."""
    from safetensors.torch import load_file
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(**SIZES, num_decoder_layers=2, dropout_rate=0.0, decoder_start_token_id=3)  # type: ignore[call-arg]
    model = T5ForConditionalGeneration(config).eval()
    model.load_state_dict(load_file(folder / "weights.safetensors"), strict=False)
    found = []
    for case in json.loads((folder / "cases.json").read_text("utf-8")):
        output = model.generate(
            torch.tensor([case["source"]]),
            force_words_ids=case["phrases"],
            num_beams=BEAMS,
            max_length=LONGEST,
            length_penalty=PENALTY,
            bad_words_ids=[[0], [3]],
            do_sample=False,
        )
        tokens = output[0].tolist()[1:]
        found.append(tokens[: tokens.index(1)] if 1 in tokens else [t for t in tokens if t])
    (folder / "theirs.json").write_text(json.dumps(found), "utf-8")


def compare(folder: Path) -> None:
    """Searches with ours and prints both, in figures."""
    from safetensors.torch import load_file

    from controldag.model.definition.config import ART5Config
    from controldag.model.twin.constrained_beam import BeamOptions, beam_search
    from controldag.model.twin.network import ART5ForGeneration

    config = ART5Config(**SIZES, num_decoder_layers=2, bos_token_id=3)
    model = ART5ForGeneration(config).eval()
    _copy(load_file(folder / "weights.safetensors"), model)
    read = json.loads((folder / "cases.json").read_text("utf-8"))
    others = json.loads((folder / "theirs.json").read_text("utf-8"))
    rows = []
    for case, other in zip(read, others, strict=True):
        source = torch.tensor([case["source"]])
        constraints = [[[phrase] for phrase in case["phrases"]]]
        ours = beam_search(model, source, BeamOptions(BEAMS, PENALTY, LONGEST), constraints)[0]
        rows.append(
            (said(ours.tokens, case), said(other, case), score(model, source, ours.tokens), score(model, source, other))
        )
    both = [row for row in rows if row[0] and row[1]]
    ours_better = sum(row[2] > row[3] + 1e-4 for row in both)
    theirs_better = sum(row[3] > row[2] + 1e-4 for row in both)
    means = [sum(row[i] for row in both) / len(both) for i in (2, 3)]
    print(f"cases {len(rows)}; every phrase said: ours {sum(r[0] for r in rows)}, theirs {sum(r[1] for r in rows)}")
    print(f"score: ours higher {ours_better}, theirs {theirs_better}, equal {len(both) - ours_better - theirs_better}")
    print(f"mean score: ours {means[0]:.4f}, theirs {means[1]:.4f}")


def said(tokens: list[int], case: dict[str, Any]) -> bool:
    """Whether every phrase of the case stands in `tokens`."""
    return all(any(tokens[i : i + len(p)] == p for i in range(len(tokens))) for p in case["phrases"])


def score(model: Any, source: torch.Tensor, tokens: list[int]) -> float:
    """log P(tokens, </s>) / length^PENALTY, from one full pass."""
    sequence = torch.tensor([[3, *tokens, 1]])
    mask = source != 0
    with torch.no_grad():
        scaled, weight = model.head_inputs(model.features(sequence[:, :-1], model.encode(source, mask), mask))
        scores = torch.log_softmax(scaled @ weight.T, -1)[0]
    return float(scores.gather(1, sequence[0, 1:, None]).sum()) / (len(tokens) + 1) ** PENALTY


def _copy(weights: dict[str, torch.Tensor], model: Any) -> None:
    """Puts Hugging Face's T5 weights into our twin."""
    model.embedding.weight.data = weights["shared.weight"]
    for side, positions, blocks, norm in (
        ("encoder", model.encoder.positions, model.encoder.blocks, model.encoder.norm),
        ("decoder", model.decoder_positions, model.decoder_blocks, model.decoder_norm),
    ):
        positions.table.weight.data = weights[f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        norm.weight.data = weights[f"{side}.final_layer_norm.weight"]
        for number, block in enumerate(blocks):
            base = f"{side}.block.{number}.layer"
            parts = [("0", block.self_norm, block.self_attention, "SelfAttention")]
            if side == "decoder":
                parts.append(("1", block.cross_norm, block.cross_attention, "EncDecAttention"))
            for place, before, attention, name in parts:
                before.weight.data = weights[f"{base}.{place}.layer_norm.weight"]
                for letter in "qkvo":
                    getattr(attention, letter).weight.data = weights[f"{base}.{place}.{name}.{letter}.weight"]
            last = str(len(parts))
            block.ffn_norm.weight.data = weights[f"{base}.{last}.layer_norm.weight"]
            block.ffn.wi.weight.data = weights[f"{base}.{last}.DenseReluDense.wi.weight"]
            block.ffn.wo.weight.data = weights[f"{base}.{last}.DenseReluDense.wo.weight"]


if __name__ == "__main__":
    {"dump": dump, "theirs": theirs, "compare": compare}[sys.argv[1]](Path(sys.argv[2]))
