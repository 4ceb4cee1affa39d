"""Systems by name: a checkpoint with a decoder, or a baseline without weights."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controldag.checkpoint.choice import ModelChoice
from controldag.checkpoint.settings import FILE as SETTINGS
from controldag.checkpoint.settings import GenerationSettings
from controldag.constraints import WordList
from controldag.data.occurrence import OccurrenceRules
from controldag.data.read import read_examples
from controldag.data.schema import Schema
from controldag.errors import InvalidInput
from controldag.evaluation.decode_run import Generator
from controldag.evaluation.nearest_template import NAME as NEAREST
from controldag.evaluation.nearest_template import NearestTemplate
from controldag.evaluation.template_system import TemplateSystem
from controldag.files import json_text, read_json
from controldag.generation.cascade import CASCADE
from controldag.generation.decoders import decoder as named_decoder
from controldag.generation.template_backend import TEMPLATES
from controldag.pipeline import ControlDag
from controldag.runtime.folder import CHECKSUMS


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """model: without a name for baselines. decoder: by name; empty: the checkpoint's. train: for `nearest-template`."""

    model: ModelChoice = field(default_factory=ModelChoice)
    decoder: str = ""
    train: Path | None = None


@dataclass(frozen=True, slots=True)
class System:
    """What was loaded, how to call its decoder, and what identifies it in reports.

    rules, schema: the checkpoint's own, where it has such.
    """

    generator: Generator
    decoder: str
    description: dict[str, Any]
    rules: OccurrenceRules | None = None
    schema: Schema | None = None

    @property
    def model(self) -> ControlDag:
        """The model; InvalidInput for a baseline."""
        if not isinstance(self.generator, ControlDag):
            raise InvalidInput.of("decoder", "be one of a model", self.decoder, remedy="Name a model.")
        return self.generator

    def knowing(self, schema: Schema | None) -> System:
        """The same system, which also knows the services of `schema` that its own lacks."""
        if schema is None or self.schema is None or not isinstance(self.generator, ControlDag):
            return self
        missing = {name: each for name, each in schema.services.items() if name not in self.schema.services}
        if not missing:
            return self
        joined = Schema({**self.schema.services, **missing})
        return dataclasses.replace(self, generator=self.generator.with_schema(joined), schema=joined)

    def decoded_by(self, decoder: str, changes: Mapping[str, Any] | None = None) -> System:
        """The same weights under another decoder, some settings changed."""
        model = self.model
        if changes:
            model = model.with_settings(model.settings.changed(changes))
        about = {"decoder": decoder, "settings": model.settings.as_dict()}
        return dataclasses.replace(self, generator=model, decoder=decoder, description=self.description | about)

    def with_words(self, words: WordList) -> System:
        """The same weights under another list of allowed words."""
        model = copy(self.model)
        model.knowledge = dataclasses.replace(model.knowledge, words=words)
        about = {"words": len(words)}
        return dataclasses.replace(self, generator=model, description=self.description | about)


def load_system(options: SystemOptions) -> System:
    """The system that the options name, ready to generate."""
    if options.decoder == TEMPLATES:
        templates = options.model.read_templates()
        if templates is None:
            raise InvalidInput.of("templates", "be given for this decoder", None, remedy="Name their folder.")
        return System(TemplateSystem(templates), TEMPLATES, {"model": "", "decoder": TEMPLATES})
    if options.decoder == NEAREST:
        if options.train is None:
            raise InvalidInput.of("train", "be given for this decoder", None, remedy="Name training data.")
        return System(NearestTemplate(read_examples(options.train)), NEAREST, {"model": "", "decoder": NEAREST})
    if not options.model.name:
        raise InvalidInput("Give a model, or outputs to score.", remedy="See `controldag evaluate --help`.")
    if options.decoder and options.decoder != CASCADE:
        named_decoder(options.decoder)  # a misspelled name should not cost a load
    model = ControlDag.from_choice(options.model)
    decoder = options.decoder or model.settings.decoder
    description = {
        "model": model.checkpoint.name,
        "decoder": decoder,
        "variant": options.model.variant or "default",
        "settings": model.settings.as_dict(),
        "checkpoint_sha256": checkpoint_digest(model.checkpoint.folder),
        "device": options.model.device,
        "precision": options.model.precision or "default",
        "like": options.model.like,
    }
    return System(model, decoder, description, model.knowledge.rules, model.knowledge.schema)


def variants(system: System, wanted: Sequence[tuple[str, Mapping[str, Any]]]) -> list[System]:
    """The same weights by decoder and changed settings; the n-gram model is read once for each of its weights."""
    weighed: dict[float, System] = {}
    made = []
    for decoder, changes in wanted:
        weight = changes.get("language_model", system.model.settings.language_model)
        if weight not in weighed:
            weighed[weight] = system.decoded_by(decoder, {"language_model": weight})
        made.append(weighed[weight].decoded_by(decoder, changes))
    return made


def checkpoint_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of a checkpoint's files.

    Its card (and that file's checksum) and its variants are left out: they change no output of the checkpoint as it is.
    """
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md"):
        digest.update(file.name.encode() + b"\0" + _told(file))
    return digest.hexdigest()


def _told(file: Path) -> bytes:
    if file.name == SETTINGS:
        return _without_variants(file)
    if file.name == CHECKSUMS:
        return json_text({name: each for name, each in read_json(file).items() if not name.endswith(".md")}).encode()
    return file.read_bytes()


def _without_variants(file: Path) -> bytes:
    """The settings as the file held them before it got variants."""
    if not GenerationSettings.load(file).variants:
        return file.read_bytes()
    settings = json.loads(file.read_text("utf-8"))
    del settings["variants"]
    return json_text(settings).encode()
