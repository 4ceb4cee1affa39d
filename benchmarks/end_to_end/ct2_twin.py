"""The twin in CTranslate2, int8 on a CPU: the fastest engine that is made for such models."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from benchmarks.end_to_end.hf_twin import to_transformers
from controldag.errors import InvalidInput, MissingDependency
from controldag.model.twin.network import ART5ForGeneration
from controldag.model.twin.predict import Saying
from controldag.model.twin.steps import TokenOutput


class Ct2Speaker:
    """Greedy and beam search by CTranslate2; it knows no phrases that must be said."""

    def __init__(self, model: ART5ForGeneration, precision: str = "int8") -> None:
        try:
            import ctranslate2
        except ImportError as error:
            raise MissingDependency.of("ctranslate2", "bench", "The twin in CTranslate2") from error
        config = model.config
        names = [str(token) for token in range(config.vocab_size)]
        with tempfile.TemporaryDirectory() as folder:
            spec = _spec(model)
            for register in (spec.register_source_vocabulary, spec.register_target_vocabulary):
                register(names)
            spec.config.bos_token = spec.config.decoder_start_token = str(config.bos_token_id)
            spec.config.eos_token, spec.config.unk_token = str(config.eos_token_id), str(config.unk_token_id)
            spec.config.add_source_bos = spec.config.add_source_eos = False
            spec.validate()
            spec.optimize(quantization=precision)
            spec.save(str(Path(folder)))
            self._translator: Any = ctranslate2.Translator(
                folder, device="cpu", compute_type=precision, inter_threads=1, intra_threads=torch.get_num_threads()
            )

    def say(self, ids: Sequence[Sequence[int]], how: Saying) -> list[TokenOutput]:
        """An output for each source, its log-probability not told (NaN).

        With `lengths`, all are as long as the longest: it has one length a batch.
        """
        if how.constraints is not None:
            raise InvalidInput.of("constraints", "be left out with CTranslate2", how.constraints)
        longest = how.max_length - 1 if how.lengths is None else max(how.lengths) - 1
        found = self._translator.translate_batch(
            [[str(token) for token in each] for each in ids],
            beam_size=how.beams,
            max_decoding_length=longest,
            min_decoding_length=1 if how.lengths is None else longest,
            max_input_length=0,
            length_penalty=how.length_penalty,
        )
        return [TokenOutput([int(token) for token in each.hypotheses[0]], float("nan"), True) for each in found]


def _spec(model: ART5ForGeneration) -> Any:
    from ctranslate2.converters.transformers import T5Loader

    with torch.no_grad():
        spec = T5Loader().get_model_spec(to_transformers(model))
    scaled = model.head is None and model.config.scaled_head
    spec.decoder.scale_outputs = model.config.d_model**-0.5 if scaled else 1.0
    return spec
