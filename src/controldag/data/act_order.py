"""The order in which training data names acts: inputs in another order are put into it before a model reads them.

SGD names the acts of a turn in nearly always the same order, and a model learns from the place of a value what it is:
`OFFER(temperature)` before `OFFER(precipitation)` made it swap the two. What an input means does not depend on its
order, so for services that the training data knows, it is read in the order the model was trained on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from controldag.data.records import Act, Example
from controldag.errors import DataError
from controldag.files import read_json, write_json

FILE = "order.json"
FORMAT = "controldag-act-order/1"


@dataclass(frozen=True, slots=True)
class ActOrder:
    """By service, each `ACT slot` and its usual place in a turn, from 0 (first) to 1 (last)."""

    places: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def learn(cls, examples: Iterable[Example]) -> ActOrder:
        """The mean relative places in the given examples."""
        sums: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
        for example in examples:
            last = max(1, len(example.acts) - 1)
            for place, act in enumerate(example.acts):
                total = sums[example.service][_key(act)]
                total[0] += place / last
                total[1] += 1
        return cls(
            {
                service: {key: round(total / count, 4) for key, (total, count) in sorted(keys.items())}
                for service, keys in sorted(sums.items())
            }
        )

    @property
    def acts(self) -> frozenset[str]:
        """The names of all acts that the examples held."""
        return frozenset().union(*map(self.acts_of, self.places))

    def acts_of(self, service: str) -> frozenset[str]:
        """The names of the acts that the examples of a service held."""
        return frozenset(key.partition(" ")[0] for key in self.places.get(service, ()))

    def sort(self, example: Example) -> Example:
        """The example with its acts in the usual order; as it is where the service or one of its acts is unknown."""
        known = self.places.get(example.service, {})
        if len(example.acts) < 2 or any(_key(act) not in known for act in example.acts):
            return example
        return replace(example, acts=tuple(sorted(example.acts, key=lambda act: known[_key(act)])))

    def save(self, path: str | Path) -> None:
        """Writes the order as JSON."""
        write_json(path, {"format": FORMAT, "places": self.places})

    @classmethod
    def load(cls, path: str | Path) -> ActOrder:
        """The order in a file that `save` wrote."""
        remedy = "Package the model again."
        try:
            content = read_json(path)
            written, places = content["format"], content["places"]
            found = {str(name): {str(key): float(place) for key, place in at.items()} for name, at in places.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"holds no order of acts ({error}).", path=path, remedy=remedy) from error
        if written != FORMAT:
            raise DataError(f"holds no order of acts (format {written!r}).", path=path, remedy=remedy)
        return cls(found)


def _key(act: Act) -> str:
    return f"{act.act} {act.slot}"
