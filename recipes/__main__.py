"""`python -m recipes`: the studies behind the figures, one command each."""

from __future__ import annotations

from controldag.cli.console import run_words
from controldag.cli.lazy_group import lazy_app

COMMANDS = {
    "reproduce": "recipes.reproduce.command:reproduce",
    "tune": "recipes.tune.command:tune_command",
    "sparsity": "recipes.sparsity.command:sparsity_command",
    "stress": "recipes.stress.command:stress",
    "reading": "recipes.reading.command:app",
    "wordings": "recipes.wordings.command:wordings",
    "differ": "recipes.differ.command:differ",
    "distil": "recipes.distil.command:distil",
    "teach": "recipes.teach.command:teach",
    "training-record": "recipes.training_record.command:record",
}

app = lazy_app("recipes", "Studies, tables and readings: what the figures of this repository were made with.", COMMANDS)


if __name__ == "__main__":
    run_words(app, "python -m recipes")
