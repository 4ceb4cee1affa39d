"""Checkpoints of the Hugging Face Hub: fetched when such an id is asked for, and only files that are plain data."""

from __future__ import annotations

import re
from pathlib import Path

from controldag.errors import InvalidInput, MissingDependency

FILES = ("*.safetensors", "*.json", "*.jsonl", "*.txt", "*.model", "*.npz", "README.md")
"""What is fetched, from the top of the repository: never code, never pickles. The checksums count the card, too."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")


def is_hub_id(name: str | Path) -> bool:
    """Whether `name` is written `owner/name` and nothing of that name is here: what is here wins."""
    return isinstance(name, str) and _ID.fullmatch(name) is not None and not Path(name).exists()


def fetched(name: str, revision: str = "") -> Path:
    """The folder that holds the repository's checkpoint at a branch, tag or commit (default: its main branch).

    What was fetched before is taken from huggingface_hub's cache. Raises InvalidInput where it cannot be had.
    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingDependency.of("huggingface_hub", "hub", "A checkpoint of the Hub") from error
    try:
        folder = snapshot_download(name, revision=revision or None, allow_patterns=list(FILES), ignore_patterns=["*/*"])
    except LocalEntryNotFoundError as error:
        raise _not_had(name, "the Hub cannot be reached", "Connect to the network, or name a folder.") from error
    except (HfHubHTTPError, HFValidationError) as error:
        at = f" at {revision!r}" if revision else ""
        reason = f"the Hub does not give it{at} ({type(error).__name__})"
        raise _not_had(name, reason, "Check owner, name, revision and your access to it.") from error
    return Path(folder)


def _not_had(name: str, reason: str, remedy: str) -> InvalidInput:
    return InvalidInput(f"No folder {name} is here, and {reason}.", remedy=remedy)
