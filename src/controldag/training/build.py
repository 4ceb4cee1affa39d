"""Models and optimisers from options."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from controldag.checkpoint.folder import folder_of
from controldag.errors import InvalidInput
from controldag.model.definition.config import ART5Config, DAT5Config
from controldag.model.definition.da_t5 import DAT5ForGeneration
from controldag.model.definition.layers import use_attention, use_residual
from controldag.model.definition.saving import load_model
from controldag.model.twin.network import ART5ForGeneration
from controldag.training.corpus import PreparedFolder
from controldag.training.options import OptimiserOptions, TrainingOptions

Model = DAT5ForGeneration | ART5ForGeneration


def model_config(options: TrainingOptions, prepared: PreparedFolder) -> DAT5Config | ART5Config:
    """The model's config: the options' sizes, and what the prepared data says of its tokens."""
    kind = DAT5Config if options.kind == "da" else ART5Config
    known = set(kind().to_dict())
    for key in options.model:
        if key not in known:
            raise InvalidInput(f"unknown option `model.{key}`.", remedy=f"Known here: {', '.join(sorted(known))}.")
    values: dict[str, Any] = {
        "vocab_size": prepared.vocab_size,
        "pad_token_id": prepared.pad_id,
        "eos_token_id": prepared.eos_id,
        "unk_token_id": prepared.unk_id,
        "bos_token_id": prepared.bos_id,
        "tokenizer_sha256": prepared.tokenizer_sha256,
        "lineariser": prepared.lineariser,
        "value_separator": prepared.value_separator,
        "marked": prepared.marked,
        "word_marks": prepared.word_marks,
    }
    if options.kind == "da" and prepared.length_weights:
        values["length_weights"] = prepared.length_weights
    config = kind(**(values | options.model))
    config.check()
    return config


def build_model(options: TrainingOptions, prepared: PreparedFolder) -> Model:
    """The model with fresh weights, the same for the same seed, or with those of the checkpoint it starts from."""
    model = _loaded(options.init, prepared) if options.init else _fresh(options, prepared)
    if isinstance(model, ART5ForGeneration):
        model.label_smoothing = options.label_smoothing
    use_attention(model, options.attention)
    use_residual(model, options.residual)
    return model


def _fresh(options: TrainingOptions, prepared: PreparedFolder) -> Model:
    config = model_config(options, prepared)
    torch.manual_seed(options.seed)
    return DAT5ForGeneration(config) if isinstance(config, DAT5Config) else ART5ForGeneration(config)


def _loaded(init: str, prepared: PreparedFolder) -> Model:
    model = load_model(folder_of(init))
    if model.config.tokenizer_sha256 != prepared.tokenizer_sha256:
        remedy = "Remove the prepared folder: it is of another checkpoint."
        raise InvalidInput.of("prepared data", f"be cut with the tokenizer of {init}", prepared.name, remedy=remedy)
    if prepared.length_weights and isinstance(model, DAT5ForGeneration):
        # Graphs are sized by what this data expects, in training and after it.
        model.config.length_weights = prepared.length_weights
    return model


def build_optimiser(model: nn.Module, options: OptimiserOptions) -> tuple[torch.optim.AdamW, list[str]]:
    """AdamW, and the names of its parameters in its order. Norms, biases and tables are not decayed."""
    decayed: dict[str, nn.Parameter] = {}
    others: dict[str, nn.Parameter] = {}
    for name, parameter in model.named_parameters():
        (others if parameter.ndim < 2 or "embedding" in name or "positions" in name else decayed)[name] = parameter
    groups = [
        {"params": list(decayed.values()), "weight_decay": options.weight_decay},
        {"params": list(others.values()), "weight_decay": 0.0},
    ]
    on_gpu = next(model.parameters()).is_cuda
    optimiser = torch.optim.AdamW(groups, lr=options.learning_rate, betas=(0.9, 0.98), fused=on_gpu)
    return optimiser, [*decayed, *others]
