"""`python -m recipes.training_ablation`: what parts of the training recipe are worth.

Copying, vocabulary, batch, glancing, forced emission: `configs FOLDER` writes one training config for each arm,
`sgd-mini` cut to few steps with one thing changed. Train them (`tools/on_gpu.sh train FOLDER/ARM.yaml:0 …`, or
`controldag train` one by one); `collect RUNS` reads what the runs say about dev and writes the table. Three seeds of
the unchanged arm say how much is chance.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from typing import Any

import yaml

from controldag.errors import ControlDagError, InvalidInput
from controldag.files import atomic_write_text
from controldag.run_record import write_result
from controldag.training.options import load_options, options_from, options_to

BASE = "sgd-mini"
STEPS = 600
SEEDS = (1, 2, 3)
UNCHANGED = "unchanged"

# Each arm: the options that differ from the base, by their dotted names.
ARMS: dict[str, dict[str, Any]] = {
    UNCHANGED: {},
    "no-copying": {"model.copy_source": False},
    "vocabulary-8000": {"data.vocabulary": 8000},
    "half-batch": {"batch.tokens": 32_000, "steps": 2 * STEPS},  # the same number of examples
    "no-glancing": {"glancing.start": 0.0, "glancing.end": 0.0},
    "nothing-forced": {"glancing.forced": False},
}


def config(arm: str, seed: int = SEEDS[0]) -> dict[str, Any]:
    """The options of one arm, as nested mappings."""
    values = options_to(load_options(BASE))
    changes: dict[str, Any] = {"name": run_name(arm, seed), "steps": STEPS, "seed": seed, "optimiser.warmup_steps": 200}
    changes["viterbi_betas"] = [1.15, 1.3]
    for key, value in {**changes, **ARMS[arm]}.items():
        place = values
        *path, last = key.split(".")
        for part in path:
            place = place[part]
        place[last] = value
    return options_to(options_from(values))


def run_name(arm: str, seed: int) -> str:
    """What an arm's run is called."""
    return f"ablation-{arm}" if seed == SEEDS[0] else f"ablation-{arm}-seed-{seed}"


def runs() -> list[tuple[str, int]]:
    """Arms and seeds to be trained."""
    return [(arm, SEEDS[0]) for arm in ARMS] + [(UNCHANGED, seed) for seed in SEEDS[1:]]


def write_configs(folder: Path) -> list[Path]:
    """Writes the configs of all runs; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for arm, seed in runs():
        path = folder / f"{run_name(arm, seed)}.yaml"
        with atomic_write_text(path) as file:
            yaml.safe_dump(config(arm, seed), file, sort_keys=False)
        paths.append(path)
    return paths


def collect(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Dev figures of every run in `folder`, of the unchanged arm by seed; and where they were measured."""
    by_seed = {}
    figures: dict[str, Any] = {}
    measured: dict[str, Any] = {}
    for arm, seed in runs():
        path = folder / run_name(arm, seed) / "results.json"
        if not path.is_file():
            raise InvalidInput(f"{path} is not there.", remedy="Train that arm first.")
        results = json.loads(path.read_text("utf-8"))
        measured = {key: results[key] for key in ("date", "commit", "version", "machine", "device", "torch")}
        seconds = round(results["progress"]["seconds"], 1)
        row = {"dev": results["dev"], "seconds": seconds, "examples_per_s": round(results["examples_per_s"])}
        if arm == UNCHANGED:
            by_seed[seed] = row
        else:
            figures[arm] = row
    return {UNCHANGED: {f"seed {seed}": row for seed, row in by_seed.items()}, **figures}, measured


def table(figures: dict[str, Any], decoders: tuple[str, ...] = ("greedy", "lookahead", "viterbi")) -> str:
    """Markdown: BLEU (unseen) and SER of each arm; of the unchanged one the mean and the range over its seeds."""

    def cell(rows: list[dict[str, Any]], decoder: str) -> str:
        scores = [best(row["dev"], decoder) for row in rows]
        mean = {key: statistics.mean(each[key] for each in scores) for key in ("bleu", "bleu_unseen", "ser")}
        low, high = (f(each["bleu"] for each in scores) for f in (min, max))
        spread = f" [{low:.1f} to {high:.1f}]" if len(rows) > 1 else ""
        return f"{mean['bleu']:.1f} ({mean['bleu_unseen']:.1f}), {mean['ser']:.1f}{spread}"

    lines = [f"| arm | {' | '.join(decoders)} |", "|---|" + "---|" * len(decoders)]
    for arm, row in figures.items():
        rows = list(row.values()) if arm == UNCHANGED else [row]
        lines.append(f"| {arm} | {' | '.join(cell(rows, decoder) for decoder in decoders)} |")
    return "\n".join(lines)


def best(dev: dict[str, dict[str, float]], decoder: str) -> dict[str, float]:
    """Scores of a decoder, of the best where it was run with several β."""
    found = [scores for name, scores in dev.items() if name.startswith(decoder)]
    if not found:
        raise InvalidInput.of("decoder", f"be among {', '.join(dev)}", decoder)
    return max(found, key=lambda scores: scores["bleu"])


def main() -> int:
    """Exit status of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser("configs", help="write the arms' configs")
    write.add_argument("folder", type=Path)
    gather = commands.add_parser("collect", help="read the runs' results")
    gather.add_argument("folder", type=Path, help="folder of the runs")
    gather.add_argument("--out", type=Path, default=Path("results/ablations/training.json"))
    wanted = parser.parse_args()
    try:
        if wanted.command == "configs":
            print("\n".join(map(str, write_configs(wanted.folder))))
        else:
            figures, measured = collect(wanted.folder)
            settings = {"base": BASE, "steps": STEPS, "arms": ARMS, "seeds": SEEDS}
            write_result(wanted.out, figures, settings, measured=measured)
            print(table(figures))
    except ControlDagError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
