"""What a service can be asked to say, as plain values: its slots, intents and acts."""

from __future__ import annotations

from typing import Any

from controldag.checkpoint.knowledge import Knowledge
from controldag.data.schema import Service
from controldag.generation.odd_input import known_acts


def acts_of(service: str, knowledge: Knowledge) -> list[str]:
    """The acts that the training data holds for the service; of a new one, all that can be said."""
    learnt = knowledge.order.acts_of(service) if knowledge.order is not None else frozenset()
    return sorted(learnt or known_acts(knowledge))


def service_card(service: Service, knowledge: Knowledge) -> dict[str, Any]:
    """The service for a person to look at, or for JSON."""
    return {
        "name": service.name,
        "description": service.description,
        "learnt": service.name in knowledge.learnt,
        "acts": acts_of(service.name, knowledge),
        "slots": [
            {
                "name": slot.name,
                "description": slot.description,
                "is_categorical": slot.is_categorical,
                "possible_values": list(slot.possible_values),
            }
            for slot in service.slots.values()
        ],
        "intents": [{"name": intent.name, "description": intent.description} for intent in service.intents],
    }
