"""Schema-Guided Dialogue records: official dialogues, compact turns and GEM's turns, all to `Example`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controldag.data.fields import Place, objects, required, text, texts, wrong_type
from controldag.data.records import Act, Example

GEM_ACTS = (
    "AFFIRM",
    "AFFIRM_INTENT",
    "CONFIRM",
    "GOODBYE",
    "INFORM",
    "INFORM_COUNT",
    "INFORM_INTENT",
    "NEGATE",
    "NEGATE_INTENT",
    "NOTIFY_FAILURE",
    "NOTIFY_SUCCESS",
    "OFFER",
    "OFFER_INTENT",
    "REQUEST",
    "REQUEST_ALTS",
    "REQ_MORE",
    "SELECT",
    "THANK_YOU",
)
"""The act names in the order of GEM's class labels."""

ActName = Callable[[Any, str, Place], str]


def compact_turn(record: dict[str, Any], place: Place) -> list[Example]:
    """The example of a compact record: `service` and `dialog_acts`, and where there are any, references and context."""
    return [_turn(record, text(record, "id", place), place, plain_act)]


def gem_turn(record: dict[str, Any], place: Place) -> list[Example]:
    """The example of a GEM record, whose acts are names or class labels."""
    return [_turn(record, required(record, "gem_id", str, place), place, gem_act)]


def dialogue(record: dict[str, Any], place: Place) -> list[Example]:
    """One example for each SYSTEM turn of an official dialogue; its split is the name of the file's folder."""
    name = required(record, "dialogue_id", str, place)
    examples: list[Example] = []
    said: list[str] = []
    for number, (field, turn) in enumerate(objects(required(record, "turns", list, place), "turns", place)):
        utterance = required(turn, "utterance", str, place, inside=field)
        if required(turn, "speaker", str, place, inside=field) == "SYSTEM":
            frame = _only_frame(turn, field, place)
            examples.append(
                Example(
                    id=f"{place.path.absolute().parent.name}/{name}_{number}",
                    acts=acts_of(frame.get("actions"), f"{field}.frames[0].actions", place, plain_act),
                    service=required(frame, "service", str, place, inside=f"{field}.frames[0]"),
                    references=(utterance,),
                    context=tuple(said),
                )
            )
        said.append(utterance)
    return examples


def acts_of(entries: Any, field: str, place: Place, act_name: ActName) -> tuple[Act, ...]:
    """The acts of a list of `{"act", "slot", "values"}`, of which there has to be one at least."""
    acts = tuple([_act(entry, where, place, act_name) for where, entry in objects(entries, field, place)])
    if not acts:
        raise place.error("must hold at least one act, but is empty.", field=field, remedy="Say what to express.")
    return acts


def plain_act(value: Any, field: str, place: Place) -> str:
    """The act's name, which has to be a string that is not empty."""
    if type(value) is not str:
        raise wrong_type(value, str, field, place)
    if not value:
        raise place.error("must not be empty.", field=field, remedy="Name the act, such as INFORM.")
    return value


def gem_act(value: Any, field: str, place: Place) -> str:
    """The act's name, from itself or from its class label."""
    if type(value) is not int:
        return plain_act(value, field, place)
    if not 0 <= value < len(GEM_ACTS):
        raise place.error(
            f"must be a class label from 0 to {len(GEM_ACTS) - 1}, but is {value}.",
            field=field,
            remedy="Write the act's name.",
        )
    return GEM_ACTS[value]


def _act(entry: dict[str, Any], field: str, place: Place, act_name: ActName) -> Act:
    if "act" not in entry:
        raise place.error("is missing.", field=f"{field}.act", remedy="Name the act, such as INFORM.")
    slot = text(entry, "slot", place, inside=field)
    values = texts(entry["values"], f"{field}.values", place) if "values" in entry else ()
    return Act(act_name(entry["act"], f"{field}.act", place), slot, values)


def _turn(record: dict[str, Any], name: str, place: Place, act_name: ActName) -> Example:
    service = required(record, "service", str, place)
    if "dialog_acts" not in record:
        raise place.error("is missing.", field="dialog_acts", remedy="Add the list of acts to express.")
    return Example(
        id=name or f"{place.stem}-{place.line}",
        acts=acts_of(record["dialog_acts"], "dialog_acts", place, act_name),
        service=service,
        references=_references(record, place),
        context=_context(record, place),
    )


def _references(record: dict[str, Any], place: Place) -> tuple[str, ...]:
    """`target` first, then whatever else `references` holds."""
    target = (text(record, "target", place),) if "target" in record else ()
    others = texts(record["references"], "references", place) if "references" in record else ()
    return target + tuple(each for each in others if each not in target) if target else others


def _context(record: dict[str, Any], place: Place) -> tuple[str, ...]:
    prompt = text(record, "prompt", place)
    context = texts(record["context"], "context", place) if "context" in record else ()
    return context or ((prompt,) if prompt else ())


def _only_frame(turn: dict[str, Any], field: str, place: Place) -> dict[str, Any]:
    frames = required(turn, "frames", list, place, inside=field)
    if len(frames) != 1 or type(frames[0]) is not dict:
        raise place.error(
            f"a system turn must have exactly one frame, but has {len(frames)}.",
            field=f"{field}.frames",
            remedy="Split the turn by service.",
        )
    frame: dict[str, Any] = frames[0]
    return frame
