"""The one record type: what to say, and how people said it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Act:
    """One dialogue act: `INFORM(city=San Jose)`. `slot` is empty, `count`, `intent` or a slot of the service."""

    act: str
    slot: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """One fact of DART: subject, relation, object."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Example:
    """One input (dialogue acts of a service, or triples) with its references, whatever file it came from.

    `references` may be empty (nothing to compare with); `sources[i]` is the origin of `references[i]` where the
    data set tells; `context` holds the utterances before a dialogue turn, oldest first; `speaker` says them.
    """

    id: str
    acts: tuple[Act, ...] = ()
    triples: tuple[Triple, ...] = ()
    service: str = ""
    references: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    speaker: str = "system"

    @property
    def target(self) -> str:
        """The first reference, or an empty string."""
        return self.references[0] if self.references else ""
