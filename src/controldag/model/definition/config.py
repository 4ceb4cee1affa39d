"""The models' sizes and options as Hugging Face configs."""

from __future__ import annotations

from transformers import PretrainedConfig

from controldag.runtime.sizes import DAG, TWIN, DagOptions, T5Options


class T5Sizes(T5Options, PretrainedConfig):
    """What DA-T5 and its autoregressive twin share."""


class DAT5Config(DagOptions, T5Sizes):
    """The directed acyclic T5. The defaults are the paper's DA-T5-small: 79,326,728 parameters."""

    model_type = DAG


class ART5Config(T5Sizes):
    """The autoregressive twin: T5's encoder and decoder, from scratch, on the same data."""

    model_type = TWIN

    vocab_size: int = 32128
    is_encoder_decoder: bool = True
