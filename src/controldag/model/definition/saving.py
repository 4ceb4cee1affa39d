"""Models on disk: safetensors with checksums, config, tokenizer and card; read back only when all of it fits."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModel, GenerationConfig
from transformers.utils import logging as hf_logging

from controldag.data.schema_words import FILE as WORDS
from controldag.data.schema_words import SchemaWords
from controldag.errors import InvalidInput
from controldag.files import sha256_of, write_json
from controldag.model.definition.config import ART5Config, DAT5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.weights_check import check_weights, has_scales
from controldag.model.twin.network import ART5ForGeneration
from controldag.runtime.eight_bits import widened
from controldag.runtime.folder import CHECKSUMS, TOKENIZER, check_files, check_tokenizer, read_config
from controldag.runtime.tensors import REMEDY, read_tensors

Model = DAT5ForGeneration | ART5ForGeneration


def register_auto_classes() -> None:
    """Makes `AutoConfig` and `AutoModel` know both models."""
    for config, model in ((DAT5Config, DAT5ForGeneration), (ART5Config, ART5ForGeneration)):
        AutoConfig.register(config.model_type, config, exist_ok=True)
        AutoModel.register(config, model, exist_ok=True)


def save_model(
    model: Model,
    folder: str | Path,
    tokenizer: bytes | None,
    *,
    half: bool = False,
    shard: str = "14MB",
    origin: str = "",
    schema_words: SchemaWords | None = None,
) -> None:
    """Writes the model into `folder`, in fp16 where `half`, in shards of at most `shard`.

    `origin`: the checkpoint it was fine-tuned from, for its card.

    All is written beside `folder` first and takes its name at the end: what stood there stays until then.
    """
    folder = Path(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        state = {name: (v.half() if half else v).cpu() for name, v in model.state_dict().items()}
        with _without_bars():
            model.save_pretrained(temporary, state_dict=state, max_shard_size=shard)
        _generation_config(model).save_pretrained(temporary)
        (temporary / "README.md").write_text(card(model, origin), "utf-8")
        if tokenizer is not None:
            (temporary / TOKENIZER).write_bytes(tokenizer)
        if schema_words is not None:
            schema_words.save(temporary / WORDS)
        for path in temporary.iterdir():
            path.chmod(0o644)  # the weights come out private
        write_json(temporary / CHECKSUMS, {path.name: sha256_of(path) for path in sorted(temporary.iterdir())})
        if folder.exists():
            shutil.rmtree(folder)
        temporary.rename(folder)
        folder.chmod(0o755)
    except (OSError, SafetensorError) as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise InvalidInput(f"{folder} could not be written: {error}.", remedy="Free some disk space.") from error
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def load_model(folder: str | Path, *, tokenizer: bytes | None = None) -> Model:
    """The model in `folder`, in float32, with every file checked first.

    `tokenizer` is the SentencePiece model to be used with it; it has to be the one it was trained with.
    """
    folder = Path(folder)
    config = load_config(folder)
    check_files(folder)
    kind = DAT5ForGeneration if isinstance(config, DAT5Config) else ART5ForGeneration
    check_weights(folder, kind, config)
    try:
        with _without_bars():
            model: Model = _in_eight_bits(folder, config) or kind.from_pretrained(
                folder, use_safetensors=True, dtype=torch.float32
            )
    except (OSError, SafetensorError, RuntimeError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InvalidInput(f"the weights in {folder} cannot be read: {error}.", remedy=REMEDY) from error
    if tokenizer is not None:
        check_tokenizer(model.config, tokenizer)
    return model


def _in_eight_bits(folder: Path, config: DAT5Config | ART5Config) -> Model | None:
    """The model of a folder whose weights are in eight bits, which transformers cannot read; None for others."""
    if not has_scales(folder):
        return None
    model = DAT5ForGeneration(config) if isinstance(config, DAT5Config) else ART5ForGeneration(config)
    tensors = widened(read_tensors(folder))
    model.load_state_dict({name: torch.from_numpy(np.asarray(each, np.float32)) for name, each in tensors.items()})
    return model.eval()


def load_config(folder: str | Path) -> DAT5Config | ART5Config:
    """The config of the model in `folder`."""
    values = read_config(Path(folder))
    kind = DAT5Config if values["model_type"] == DAT5Config.model_type else ART5Config
    try:
        config: DAT5Config | ART5Config = kind.from_dict(values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # transformers reads fields of its own
        raise InvalidInput(f"{folder}/config.json cannot be read: {error}.", remedy=REMEDY) from error
    config.check()
    return config


@contextmanager
def _without_bars() -> Iterator[None]:
    """transformers draws a bar for every load and save, even of a model that takes a blink."""
    was_on = hf_logging.is_progress_bar_enabled()
    hf_logging.disable_progress_bar()
    try:
        yield
    finally:
        if was_on:
            hf_logging.enable_progress_bar()


def card(model: Model, origin: str = "") -> str:
    """A model card; `origin` is the checkpoint it was fine-tuned from."""
    config = model.config
    count = sum(p.numel() for p in model.parameters())
    begun = f"Fine-tuned from {Path(origin).name}" if origin else "Trained from scratch"
    kind = "directed acyclic T5 (DA-T5)" if isinstance(model, DAT5ForGeneration) else "autoregressive T5"
    return (
        "---\nlibrary_name: controldag\ntags: [text-generation, data-to-text]\n---\n\n"
        f"# A {kind}\n\n{count:,} parameters, {config.vocab_size:,} tokens, width {config.d_model}, "
        f"{config.num_layers} encoder and {config.num_decoder_layers} decoder layers. {begun} by "
        f"controldag on inputs linearised as `{config.lineariser}`.\n\nUse it with the `{TOKENIZER}` beside it.\n"
    )


def _generation_config(model: Model) -> GenerationConfig:
    config = model.config
    return GenerationConfig(
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
        decoder_start_token_id=config.bos_token_id,
    )
