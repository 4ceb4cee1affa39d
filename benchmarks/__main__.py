"""`python -m benchmarks`, or `controldag bench`: how fast the parts are, on this machine."""

from __future__ import annotations

from controldag.cli.console import run_words
from controldag.cli.lazy_group import lazy_app

COMMANDS = {
    "data": "benchmarks.data:bench_data",
    "engine": "benchmarks.engine.command:bench_engine",
    "end-to-end": "benchmarks.end_to_end.command:bench_end_to_end_command",
    "first-text": "benchmarks.end_to_end.first_text:bench_first_text",
    "runtime": "benchmarks.runtime.command:bench_runtime_command",
    "training": "benchmarks.training.command:bench_training",
    "serving": "benchmarks.serving.command:bench_serving",
}

app = lazy_app("bench", "Measure speed and memory on this machine.", COMMANDS)


if __name__ == "__main__":
    run_words(app, "python -m benchmarks")
