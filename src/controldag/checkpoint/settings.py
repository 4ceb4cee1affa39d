"""How a checkpoint wants to be decoded: the content of its generation.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from controldag.data.schema import near
from controldag.errors import DataError, InvalidInput
from controldag.files import read_format, write_json

Task = Literal["acts", "triples"]
Trust = Literal["verified", "graph"]
TRUSTS: tuple[Trust, ...] = ("verified", "graph")
FORMAT = "controldag-generation/1"
_REMEDY = "See docs/generation.md for the file."
FILE = "generation.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationSettings:
    """The defaults of one checkpoint.

    task: what it reads. decoder: the one used unless another is named.
    emissions, transitions, widest: see `search.exact.Pruning`.
    ignore_case, whole_word, own_occurrence: how the phrases an input demands have to stand in the text.
    vocabulary: only words of words.txt and names of the input; genitives: names may take `'s`.
    input_numbers: only numbers of the input.
    offer_names: the tokens of all names of the input, not only of those that must be said, join every vertex.
    normalisation: β, see `Length`. length_strictness: A of Control-DAG Eq. 4 with the target of length.json; 0: none.
    length_cap: at most so many times the target of length.json, or of what the required phrases need; 0: no bound.
    say_numbers: whole numbers of categorical slots, and counts, have to be said as well.
    say_categories: so do other values of categorical slots, in upper or lower case; not yes and no.
    say_ends: of triples, every subject and object has to be said (not yes and no), not only what `rules.json` asks for.
    say_once: no required phrase more often than the input names it, unless nothing else can be said.
    patience: states of a search, at most, with the n-gram model, and twice as many with `say_once` alone: past them it
        is given up, and the result says so.
    language_model: what the checkpoint's n-gram model counts beside the graph in `control-dag`; 0: nothing.
    dfs_share: p of the paper's search (`control-dag-paper`), see `search.paper.DfsOptions`.
    beams, length_penalty: hypotheses of beam searches; the power of the length that the twin's divide by.
    trust: `verified`, texts that a verifier accepts or plain sentences (see `cascade`), unless a decoder is named;
        `graph`: what the decoder finds.
    variants: by name (`fast`, `best`), the settings that are otherwise there; `triples` of a checkpoint that reads both
        has another task.
    """

    task: Task = "acts"
    decoder: str = "control-dag"
    emissions: int = 3
    transitions: int = 3
    widest: int = 192
    ignore_case: bool = False
    whole_word: bool = True
    own_occurrence: bool = True
    vocabulary: bool = True
    genitives: bool = True
    input_numbers: bool = True
    offer_names: bool = False
    normalisation: float = 0.0
    length_strictness: float = 0.0
    length_cap: float = 0.0
    say_numbers: bool = False
    say_categories: bool = False
    say_ends: bool = False
    say_once: bool = False
    patience: int = 200_000
    language_model: float = 0.0
    dfs_share: float = 0.7
    beams: int = 5
    length_penalty: float = 1.0
    trust: Trust = "graph"
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.task not in ("acts", "triples"):
            raise InvalidInput.of("task", "be 'acts' or 'triples'", self.task)
        check_trust(self.trust)
        for name in ("emissions", "transitions", "widest", "patience", "beams"):
            if getattr(self, name) < 1:
                raise InvalidInput.of(name, "be at least 1", getattr(self, name))
        for name in ("normalisation", "length_strictness", "length_cap", "language_model", "length_penalty"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise InvalidInput.of(name, "be at least 0", getattr(self, name))
        for name, changes in self.variants.items():
            _check_variant(self, name, changes)

    def changed(self, values: Mapping[str, Any]) -> GenerationSettings:
        """These settings with others in some places; InvalidInput where there is no such setting or value."""
        for name, value in values.items():
            if name not in _KINDS_BY_NAME:
                known = ", ".join(_KINDS_BY_NAME)
                raise InvalidInput.of("setting", f"be one of {known}", name, remedy=near(name, _KINDS_BY_NAME))
            if not _is_of(value, _KINDS_BY_NAME[name]):
                raise InvalidInput.of(name, f"be of the kind {_TYPES[name]}", value)
        return replace(self, **values)

    def variant(self, name: str) -> GenerationSettings:
        """These settings as the variant of that name has them; it has no variants itself."""
        if name not in self.variants:
            known = ", ".join(self.variants)
            rule = f"be one of {known}" if known else "be left out for a checkpoint without variants"
            raise InvalidInput.of("variant", rule, name, remedy=near(name, self.variants))
        return replace(self, variants={}).changed(self.variants[name])

    def without_language_model(self) -> GenerationSettings:
        """These settings, and all variants, for a checkpoint that has no n-gram model."""
        others = {
            name: {key: value for key, value in changes.items() if key != "language_model"}
            for name, changes in self.variants.items()
        }
        return replace(self, language_model=0.0, variants=others)

    def as_dict(self) -> dict[str, Any]:
        """By name, what decoding follows: all but the variants."""
        return {name: value for name, value in asdict(self).items() if name != "variants"}

    def save(self, path: str | Path) -> None:
        """Writes the settings as JSON."""
        others = {"variants": self.variants} if self.variants else {}
        write_json(path, {"format": FORMAT, **self.as_dict(), **others})

    @classmethod
    def load(cls, path: str | Path) -> GenerationSettings:
        """The settings in a file that `save` wrote."""
        content = read_format(path, FORMAT, _REMEDY)
        _check_kinds(path, content)
        try:
            return cls(**content)
        except InvalidInput as error:
            raise _bad(path, "", error.message.rstrip(".")) from error


_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "Task": (str,),
    "Trust": (str,),
    "int": (int,),
    "bool": (bool,),
    "float": (int, float),
}


_TYPES = {each.name: str(each.type) for each in fields(GenerationSettings) if each.name != "variants"}
_KINDS_BY_NAME = {name: _KINDS[kind] for name, kind in _TYPES.items()}


def check_trust(trust: str) -> None:
    """InvalidInput where there is no such kind of trust."""
    if trust not in TRUSTS:
        raise InvalidInput.of("trust", f"be one of {', '.join(TRUSTS)}", trust, remedy=near(trust, TRUSTS))


def setting_of(text: str) -> Any:
    """The value of a setting as the command line writes it: `true`, `3`, `1.25`, or a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _check_variant(settings: GenerationSettings, name: str, changes: Mapping[str, Any]) -> None:
    try:
        if not name.isidentifier():
            raise InvalidInput.of("name", "be a word", name)
        if changes.get("task", settings.task) not in (settings.task, name):
            raise InvalidInput.of("task", "be that of the checkpoint, or the variant's name", changes["task"])
        settings.variant(name)
    except InvalidInput as error:
        raise InvalidInput(f"`variants.{name}`: {error.message}", remedy=error.remedy) from error


def _check_kinds(path: str | Path, content: dict[str, Any]) -> None:
    for name, value in content.items():
        if name == "variants":
            if not isinstance(value, dict) or not all(isinstance(changes, dict) for changes in value.values()):
                raise _bad(path, name, "must hold an object with settings for each name")
            continue
        if name not in _KINDS_BY_NAME:
            raise _bad(path, name, "is no setting of generation")
        if not _is_of(value, _KINDS_BY_NAME[name]):
            raise _bad(path, name, f"is of a wrong kind ({value!r})")


def _is_of(value: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)


def _bad(path: str | Path, where: str, reason: str) -> DataError:
    return DataError(f"{reason}.", path=path, field=where, remedy=_REMEDY)
