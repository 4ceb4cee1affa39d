"""The verifier's weights in a folder: eight bits a number, with a scale a row, in safetensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from controldag.errors import DataError
from controldag.files import atomic_write_text, write_json
from controldag.verifier.lexicon import Lexicon
from controldag.verifier.network import NetworkOptions, VerifierNetwork

FORMAT = "controldag-verifier/1"
WEIGHTS, WORDS, CONFIG = "model.safetensors", "words.txt", "config.json"
_SCALE = ".scale"
# Smaller tensors stay as they are: they weigh nothing.
_SMALL = 4096


def save_network(network: VerifierNetwork, lexicon: Lexicon, folder: Path, *, about: Mapping[str, Any]) -> None:
    """Writes weights, vocabulary and sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors: dict[str, Tensor] = {}
    for name, tensor in network.state_dict().items():
        full = tensor.detach().float().cpu()
        if full.dim() == 2 and full.numel() >= _SMALL:
            scale = full.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            tensors[name] = (full / scale).round().clamp(-127, 127).to(torch.int8)
            tensors[name + _SCALE] = scale.half()
        else:
            tensors[name] = full.half()
    save_file(tensors, folder / WEIGHTS)
    with atomic_write_text(folder / WORDS) as file:
        file.write("\n".join(lexicon.vocabulary) + "\n")
    write_json(folder / CONFIG, {"format": FORMAT, "network": network.options.as_dict(), "about": dict(about)})


def load_network(folder: Path) -> tuple[VerifierNetwork, Lexicon]:
    """What `save_network` wrote, in float32."""
    try:
        config = json.loads((folder / CONFIG).read_text("utf-8"))
        words = (folder / WORDS).read_text("utf-8").removesuffix("\n").split("\n")
        stored = load_file(folder / WEIGHTS)
    except FileNotFoundError as error:
        missing = Path(str(error.filename)).name if error.filename else WEIGHTS
        raise DataError(f"there is no {missing}.", path=folder, remedy="Name a folder with a verifier.") from None
    if config.get("format") != FORMAT:
        raise DataError(f"must be {FORMAT!r}.", path=folder / CONFIG, field="format", remedy="Use another folder.")
    network = VerifierNetwork(NetworkOptions(**config["network"]))
    full = {
        name: (tensor.float() * stored[name + _SCALE].float() if name + _SCALE in stored else tensor.float())
        for name, tensor in stored.items()
        if not name.endswith(_SCALE)
    }
    network.load_state_dict(full)
    return network.eval(), Lexicon(words, network.options.buckets)
