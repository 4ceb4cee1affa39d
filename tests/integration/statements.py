"""What pages state as facts, said again from the code and from kept figures: by page, each as it has to stand there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import Any

import controldag
from controldag.checkpoint.settings import GenerationSettings
from controldag.data.read import FORMATS
from controldag.generation.decoders import DECODERS
from controldag.generation.result import Result
from controldag.metrics.bootstrap import BootstrapOptions
from controldag.metrics.origins import ORIGIN_FIGURES
from controldag.metrics.suite import NAMES
from controldag.search import Limits
from controldag.serving import http, slow_lane
from controldag.serving.options import ServiceOptions

ROOT = Path(__file__).resolve().parents[2]


def figures(path: str) -> Any:
    """The figures of a result file."""
    return json.loads((ROOT / path).read_text("utf-8"))["figures"]


def benchmarks() -> Iterator[str]:
    """Those of docs/benchmarks.md."""
    engine = figures("benchmarks/results/engine.json")
    yield f"**{engine['speedup_vs_paper']:.0f}× the paper's pipeline, {engine['speedup_vs_tuned']:.0f}× the tuned one**"
    yield f"`worse_cost` is {engine['worse_cost']} of {engine['cases']}"
    for cell in engine["cells"]:
        yield f"| {cell['name']} | {cell['ours']['median_ms']:.2f} |"
        yield f"| {cell['speedup_vs_paper']:.0f}× | {cell['speedup_vs_tuned']:.0f}× |"
    batch = engine["sweeps"]["batch"]
    yield f"*Two threads*: {batch['speedup']:.2f}× one thread on a batch of {batch['size']:,}"
    yield f"200 vertices, {engine['options']['words']:,} words, three"
    cpu = figures("benchmarks/results/end-to-end-cpu.json")
    yield f"{cpu['turns']} dev turns, batch 1, one thread"
    yield f"Control-DAG p50 {cpu['p50_ms']:.0f} ms, p99 {cpu['p99_ms']:.0f} ms"
    yield f"search {cpu['search_share'] * 100:.0f} % of p50"


def readme() -> Iterator[str]:
    """Those of README.md."""
    engine = figures("benchmarks/results/engine.json")
    yield f"exact search took 1/{engine['speedup_vs_paper']:.0f} of the paper's pipeline in pynini"
    yield f"and 1/{engine['speedup_vs_tuned']:.0f} of the fastest exact one"
    yield f"{engine['options']['words']:,} words, length control"
    times = [cell["ours"]["median_ms"] for cell in engine["cells"]]
    yield f"A request took {min(times):.2f} to {max(times):.1f} ms"
    yield f"neither pipeline ever found a lower cost in {engine['cases']} cases"
    yield f"Two threads did {engine['sweeps']['batch']['speedup']:.2f} times the work of one"
    for peer in ("speedup_vs_paper", "speedup_vs_tuned"):
        ratios = [cell[peer] for cell in engine["cells"]]
        yield f"{min(ratios):.0f}× to {max(ratios):.0f}×"


def serving() -> Iterator[str]:
    """Those of docs/serving.md."""
    serving = figures("benchmarks/results/serving.json")
    yield f"{serving['batching_gain']:.2f} times the throughput at {serving['at_clients']} clients"
    for cell in serving["cells"]:
        yield f"{cell['per_second']:.1f}, {cell['p50_ms']:,.0f} / {cell['p99_ms']:,.0f} |"
    soak = figures("benchmarks/results/soak.json")
    yield f"It answers {soak['saturation']:.1f} texts a second at most"
    yield f"{soak['offered']:.1f} requests a second were sent"
    sent = sum(soak["outcomes"].values())
    yield f"| {sent:,} | {soak['outcomes']['ok']:,} ({soak['outcomes']['ok'] / soak['minutes'] / 60:.1f} a second)"
    yield f"{soak['recovery_seconds']:.1f} seconds after the last request"
    abuse = figures("benchmarks/results/soak-abuse.json")
    beside, alone = abuse["beside"]["p99_ms"] / 1000, abuse["alone"]["p99_ms"] / 1000
    answered, asked = abuse["outcomes"]["ok"], sum(abuse["outcomes"].values())
    yield f"{answered:,} of {asked:,} requests of nine honest clients were answered"
    yield f"between {min(abuse['memory_mib']):.0f} and {max(abuse['memory_mib']):.0f} MiB from the first half minute"
    yield f"within {beside:.2f} s, against {alone:.2f} s without it ({beside / alone:.2f} times)"
    options = ServiceOptions()
    assert (options.deadline_ms, slow_lane.FIRST_SHARE, http.HEADER_BYTES) == (10_000, 0.5, 16 * 1024)
    yield "(deadline 10 s)"
    yield "A search gets half a second."
    assert slow_lane.UNUSUAL_SHARE == 0.1
    yield "One that asks for more than its input gets a tenth of a second."
    yield "First line and headers have 16 KiB"
    most = signature(http.Connections).parameters["most"].default
    yield f"{most:,} at a time, {most // 2} from one address"


def engine() -> Iterator[str]:
    """Those of docs/engine.md."""
    limits = Limits()
    yield f"({limits.max_states:,} states, {limits.max_bytes >> 20} MiB in all)"
    yield f"`Limits.max_seconds` ({limits.max_seconds}, of its processor)"
    yield f"Should there be more than {limits.closure_states:,} of them"
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for kind, cases in {"small": 100_000, "large": 2_000, "hostile": 20_000}.items():
        assert f"tests.fuzz {kind} --cases {cases}" in makefile
        yield f"{cases:,} {'small lattices' if kind == 'small' else 'larger' if kind == 'large' else 'hostile inputs'}"
    for case, now in figures("benchmarks/results/slow-cases.json").items():
        if case in SLOW:
            yield f"{now['processor_seconds']:.1f} s, {now['peak_mb']:.0f} MB |"


SLOW = ("12 preferences: 200 vertices, K = 8", "16 phrases: 200 vertices, K = 8", "24 phrases: 200 vertices, K = 8")


def generation() -> Iterator[str]:
    """Those of docs/generation.md."""
    for decoder in DECODERS:
        yield f"`{decoder}`"
    assert GenerationSettings(task="acts").patience == 200_000
    yield "a search under it that passes `patience` states (200,000;"
    for variant in ("fast", "default", "best"):
        found = figures(f"results/tuning/variants-sgd-mini-{variant}.json")
        yield f"| {found['bleu']:.2f} | {found['splits']['unseen']['bleu']:.2f} | 0 |"


def data() -> Iterator[str]:
    """Those of docs/data.md."""
    for name in FORMATS:
        yield f"| `{name}` |"
    found = figures("benchmarks/results/data.json")
    yield f"| `sgd/train` ✓ | {found['records']:,} |"
    yield f"{found['records_per_second']:,.0f} records/s and {found['peak_memory_mb']:.0f} MB at the peak"


def metrics() -> Iterator[str]:
    """Those of docs/metrics.md."""
    for name in NAMES:
        yield f"`{name}`"
    options = BootstrapOptions()
    yield f"Intervals are percentiles of {options.draws:,} bootstrap draws"
    yield f"Seed {options.seed} and a generator"
    stress = figures("results/stress.json")
    yield f"{stress['n']} texts of `sgd-mini`"
    for name in stress["variants"]:
        yield f"{name.removeprefix('schema: ')}" if " values" not in name else "`0 values` to `10 values`"


def ablations() -> Iterator[str]:
    """Those of docs/ablations.md."""
    for cell in figures("results/ablations/words.json")["cells"]:
        yield f"| {cell['listed']:,} |" if cell["words"] != "share-0.7" else f"| words | {cell['listed']} |"
    for cell in figures("results/ablations/strictness.json")["cells"]:
        yield f"{cell['bleu']:.1f} ({cell['bleu_unseen']:.1f})"
    for cell in figures("results/ablations/pruning.json")["cells"]:
        yield f"{cell['bleu']:.1f} ({cell['bleu_unseen']:.1f})"
    for model in ("sgd-mini", "sgd-small", "dart-mini"):
        found = figures(f"results/ablations/sparsity-{model}.json")
        means = f"{found['transitions']['above']:.2f} | {found['emissions']['above']:.2f}"
        yield f"| `{model}` ({found['vertices_a_graph']:.0f} vertices) | {means} |"


def training() -> Iterator[str]:
    """Those of docs/training.md."""
    found = figures("benchmarks/results/training.json")
    epochs = found["whole epochs"]
    yield f"| {epochs['paper-sgd, attention fused, step 8']['examples_per_s']:,.0f} |"
    yield f"| {epochs['the same, residual bf16']['examples_per_s']:,.0f} |"
    yield f"| {epochs['sgd-small, attention fused']['examples_per_s']:,.0f} |"
    yield f"take {found['paper-sgd, loss']['loss_speedup']:.1f} times less"
    yield f"{found['sgd-small']['loss_speedup']:.1f} for `sgd-small`"


def tutorial() -> Iterator[str]:
    """Those of docs/tutorial.md."""
    found = figures("results/fewshot.json")
    for old, new in zip(found["published"], found["new-services"], strict=True):
        if old["shots"]:
            yield f"| {old['shots']} | {old['examples']:,}, {old['epochs']:.1f}, {old['bleu']:.1f} ("
            yield f"| {new['examples']:,}, {new['epochs']:.1f}, {new['bleu']:.1f} ("


def scaling() -> Iterator[str]:
    """Those of docs/scaling.md that no other test has."""
    cpu = figures("benchmarks/results/end-to-end-cpu.json")
    yield f"| one core | sgd-mini, {cpu['precision']}, batch 1 | {cpu['utterances_per_s']:.1f} |"


def glossary() -> Iterator[str]:
    """Those of docs/glossary.md."""
    assert {"greedy", "control-dag"} <= set(DECODERS)
    yield "`greedy`, `control-dag`, …"
    origins = [name.removeprefix("origin_") for name in ORIGIN_FIGURES]
    yield "where a text is from: " + ", ".join(f"`{origin}`" for origin in origins)
    yield ", ".join(f"`{each}`" for each in ("contains", "any_of", "in_order", "pattern", "vocabulary", "words"))
    assert all(
        hasattr(controldag, each) for each in ("contains", "any_of", "in_order", "pattern", "vocabulary", "words")
    )


def api() -> Iterator[str]:
    """Those of docs/api.md that tests/unit/test_public_names.py leaves."""
    for field in fields(Result):
        yield f"`{field.name}`"


def security() -> Iterator[str]:
    """Those of SECURITY.md."""
    for limited in ("items", "phrases", "characters", "patterns", "length"):
        assert hasattr(ServiceOptions().limits, limited)
        yield limited


def transformers() -> Iterator[str]:
    """Those of docs/transformers.md; its program is that of examples, which tests run."""
    adapter = (ROOT / "src/controldag/adapters/transformers.py").read_text("utf-8")
    for argument in ("by_source", "force_words_ids", "num_return_sequences", "length_penalty", "early_stopping"):
        assert argument in adapter
        yield f"`{argument}"
    yield (ROOT / "examples/forced_words.py").read_text("utf-8")


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "README.md": readme,
    "SECURITY.md": security,
    "docs/api.md": api,
    "docs/ablations.md": ablations,
    "docs/benchmarks.md": benchmarks,
    "docs/data.md": data,
    "docs/engine.md": engine,
    "docs/generation.md": generation,
    "docs/glossary.md": glossary,
    "docs/metrics.md": metrics,
    "docs/scaling.md": scaling,
    "docs/serving.md": serving,
    "docs/training.md": training,
    "docs/transformers.md": transformers,
    "docs/tutorial.md": tutorial,
}
