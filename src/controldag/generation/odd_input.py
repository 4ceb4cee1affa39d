"""What is probably not meant about an input, though a text can be found for it: acts that nobody knows."""

from __future__ import annotations

from controldag.checkpoint.knowledge import Knowledge
from controldag.data.records import Example
from controldag.data.schema import near
from controldag.data.templates import Templates
from controldag.plain.turn import KNOWN_ACTS


def odd_acts(example: Example, knowledge: Knowledge, templates: Templates | None = None) -> tuple[str, ...]:
    """A warning for each act whose name neither plain sentences, the training data nor the user's templates know."""
    if all(act.act in KNOWN_ACTS for act in example.acts):
        return ()
    known = known_acts(knowledge)
    told = templates.services.get(example.service, {}) if templates is not None else {}
    own = {key.split("!!")[0] for key in told}
    unknown = dict.fromkeys(act.act for act in example.acts if act.act not in known | own)
    return tuple(
        f"The act {name} is unknown, and may be said as if it were another. {near(name.upper(), known)}"
        for name in unknown
    )


def known_acts(knowledge: Knowledge) -> frozenset[str]:
    """The names of acts that can be said: those of plain sentences and of the checkpoint's training data."""
    return KNOWN_ACTS if knowledge.order is None else KNOWN_ACTS | knowledge.order.acts
