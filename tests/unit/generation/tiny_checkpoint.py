"""A checkpoint folder with a tiny random model: it knows nothing, so that only the constraints make its texts right."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import torch

from controldag.checkpoint.settings import GenerationSettings
from controldag.data.linearise import LinearisationOptions, make_lineariser
from controldag.model.definition.config import ART5Config, DAT5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.saving import save_model
from controldag.model.twin.network import ART5ForGeneration
from controldag.text.length import LengthModel
from controldag.text.tokenizer_training import TokenizerOptions, train_tokenizer
from controldag.text.words import WordFile
from controldag.training.toy import SCHEMA, toy_examples

WORDS = ("How", "about", "There", "is", "in", "serves", "They", "serve", "which", "city", "In", "a", "the", "of")


def make_checkpoint(folder: Path, marks: int = 0) -> Path:
    """Writes the checkpoint: weights, tokenizer (with so many value marks), settings, schema, words, length model."""
    examples = toy_examples(200, 1)
    linearise = make_lineariser(LinearisationOptions("schema-guided"), schema=SCHEMA)
    lines = [text for example in examples for text in (linearise(example), example.target)]
    tokenizer = train_tokenizer(lines, TokenizerOptions(size=340, marks=marks))
    torch.manual_seed(3)
    config = DAT5Config(
        vocab_size=340,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_decoder_layers=1,
        num_heads=2,
        link_heads=2,
        bos_token_id=3,
        decoder_vocab_size=0,
        vertices_per_token=1.0,
        min_vertices=16,
        max_vertices=80,
        max_positions=96,
        copy_source=True,
        lineariser="schema-guided",
        value_separator=" ",
        tokenizer_sha256=hashlib.sha256(tokenizer).hexdigest(),
    )
    save_model(DAT5ForGeneration(config), folder, tokenizer)
    GenerationSettings(normalisation=1.0).save(folder / "generation.json")
    WordFile(kind="ours", words=frozenset(WORDS)).save(folder / "words.txt")
    WordFile(kind="paper", words=frozenset(WORDS)).save(folder / "paper_words.txt")
    LengthModel(0.3, 4.0).save(folder / "length.json")
    (folder / "schema.json").write_text(json.dumps(schema_as_json()))
    return folder


def make_twin(folder: Path, like: Path) -> Path:
    """Writes a random autoregressive twin of a checkpoint: weights and tokenizer alone, as training leaves them."""
    tokenizer = (like / "tokenizer.model").read_bytes()
    torch.manual_seed(4)
    config = ART5Config(
        vocab_size=340,
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_decoder_layers=1,
        num_heads=2,
        bos_token_id=3,
        tied_head=False,
        lineariser="schema-guided",
        value_separator=" ",
        tokenizer_sha256=hashlib.sha256(tokenizer).hexdigest(),
    )
    save_model(ART5ForGeneration(config), folder, tokenizer)
    return folder


def schema_as_json() -> list[dict[str, object]]:
    """The toy schema as a schema.json holds it."""
    return [
        {
            "service_name": service.name,
            "description": service.description,
            "slots": [
                {"name": slot.name, "description": slot.description, "is_categorical": slot.is_categorical}
                for slot in service.slots.values()
            ],
            "intents": [],
        }
        for service in SCHEMA.services.values()
    ]
