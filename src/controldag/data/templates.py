"""Utterance templates (T2G2): one written sentence for each act, filled with values and put one after another.

They make a baseline without any learning, and the input of the template-guided linearisation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controldag.data.records import Act, Example
from controldag.data.schema import near
from controldag.errors import DataError, InvalidInput

_ORDER = ("SELECT", "INFORM_COUNT", "NOTIFY_SUCCESS", "NOTIFY_FAILURE", "INFORM", "REQUEST", "CONFIRM")
_RANK = {act: rank for rank, act in enumerate(_ORDER)}
# Acts about a call to the service: their templates are kept by intent, which the act mostly does not tell.
_BY_INTENT = frozenset({"INFORM_COUNT", "NOTIFY_SUCCESS", "NOTIFY_FAILURE", "OFFER_INTENT"})


@dataclass(frozen=True, slots=True)
class Templates:
    """Templates by service, then by key: `ACT`, `ACT!!slot`, `ACT!!slot!!@` (a `@` for each value), `ACT!!intent`."""

    services: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, folder: str | Path) -> Templates:
        """The templates of a folder of `<service>.tsv` files, a key, a tab and a sentence on each line."""
        files = sorted(Path(folder).glob("*.tsv"))
        if not files:
            raise DataError("the folder holds no *.tsv templates.", path=folder, remedy="Name the templates' folder.")
        return cls({file.stem: _templates_of(file) for file in files})

    def sentence(self, service: str, act: Act) -> str:
        """What to say for one act; where no template fits, a plain sentence that still says every value."""
        if service not in self.services:
            raise InvalidInput.of("service", "have templates", service, remedy=near(service, self.services))
        return self.fitting(service, act) or generic_sentence(act)

    def fitting(self, service: str, act: Act) -> str | None:
        """What to say for one act by a template that fits it; None where none does."""
        templates = self.services.get(service, {})
        for key in _keys(act):
            template = templates.get(key)
            if template is not None and template.count("@") in (0, len(act.values)):
                return _filled(template, act.values)
        if act.act in _BY_INTENT:
            prefix = f"{act.act}!!"
            for key, template in templates.items():
                if key.startswith(prefix) and template.count("@") == len(act.values):
                    return _filled(template, act.values)
        return None

    def text(self, example: Example) -> str:
        """The sentences of all acts, joined by blanks.

        SELECT, INFORM_COUNT, NOTIFY_*, INFORM, REQUEST and CONFIRM come first, in this order; the other acts follow,
        and within each kind the given order stays.
        """
        acts = sorted(example.acts, key=lambda act: _RANK.get(act.act, len(_RANK)))
        return " ".join([self.sentence(example.service, act) for act in acts])


def generic_sentence(act: Act) -> str:
    """A sentence for an act that no template covers: clumsy, but with every value in it."""
    slot = act.slot.replace("_", " ")
    values = " and ".join(act.values)
    if act.act == "REQUEST" and slot:
        return f"What is the {slot}: {values}?" if values else f"What is the {slot}?"
    if slot and values:
        return f"The {slot} is {values}."
    return f"{act.act.replace('_', ' ').capitalize()}{f' {slot or values}' if slot or values else ''}."


def _keys(act: Act) -> list[str]:
    """The keys to look up, most specific first."""
    if not act.slot:
        return [act.act]
    stem = f"{act.act}!!{act.slot}"
    if not act.values:
        return [stem]
    # A template that spells its value out (`True`, an intent) fits that value only.
    spelled = [f"{stem}!!{''.join(act.values)}"]
    if act.act in _BY_INTENT and len(act.values) == 1:
        spelled.append(f"{act.act}!!{act.values[0]}")
    return [*spelled, f"{stem}!!{'@' * len(act.values)}"]


def _filled(template: str, values: tuple[str, ...]) -> str:
    """The template with each `@` replaced by its value; a `@` inside a value is left alone."""
    pieces = template.split("@")
    if len(pieces) == 1:
        return template
    return "".join(piece + value for piece, value in zip(pieces, (*values, ""), strict=True))


def _templates_of(path: Path) -> dict[str, str]:
    templates: dict[str, str] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise DataError(f"byte {error.start + 1} is not UTF-8.", path=path, remedy="Save it as UTF-8.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        key, tab, sentence = line.partition("\t")
        if not tab or not key or not sentence.strip():
            message = "a template must be a key, a tab and a sentence."
            raise DataError(message, path=path, line=number, remedy="Write ACT!!slot!!@<tab>sentence with @.")
        if key.count("@") != sentence.count("@"):
            message = f"the key has {key.count('@')} values, but the sentence {sentence.count('@')}."
            raise DataError(message, path=path, line=number, remedy="Write one @ in the sentence for each in the key.")
        templates.setdefault(key, sentence)
    return templates
