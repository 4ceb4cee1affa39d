"""Which model, and how it is loaded: plain values, so that another process or machine can load the same one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from controldag.checkpoint.folder import bundled, folder_of
from controldag.checkpoint.hub import is_hub_id
from controldag.data.schema import Schema
from controldag.data.templates import Templates
from controldag.files import sha256_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """The arguments of `ControlDag.from_pretrained`, with schema and templates as the files they are read from."""

    name: str = ""
    device: str = "cpu"
    precision: str = ""
    like: str = ""
    schema: tuple[Path, ...] = ()
    templates: Path | None = None
    variant: str = ""

    def read_schema(self) -> Schema | None:
        """The services to talk about instead of the checkpoint's; None: its own."""
        return Schema.load(*self.schema) if self.schema else None

    def read_templates(self) -> Templates | None:
        """The user's templates, where a folder is named."""
        return Templates.load(self.templates) if self.templates else None

    def absolute(self) -> ModelChoice:
        """The same for a process that runs in another folder."""
        return replace(
            self,
            name=_absolute(self.name),
            like=_absolute(self.like) if self.like else "",
            schema=tuple(path.absolute() for path in self.schema),
            templates=self.templates.absolute() if self.templates else None,
        )

    def sha256(self) -> str:
        """Of all files it is loaded from: another value means that texts may differ."""
        digest = hashlib.sha256()
        for path in self._files():
            digest.update(f"{path.name} {sha256_of(path)}\n".encode())
        return digest.hexdigest()

    def _files(self) -> Iterator[Path]:
        folders = [folder_of(self.name), *([folder_of(self.like, weights=False)] if self.like else [])]
        folders += [self.templates] if self.templates else []
        for folder in folders:
            yield from sorted(path for path in folder.iterdir() if path.is_file())
        yield from self.schema


def _absolute(name: str) -> str:
    return name if name in bundled() or is_hub_id(name) else str(Path(name).absolute())
