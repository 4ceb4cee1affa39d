"""Texts from the user's templates: no model is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from controldag.errors import InvalidInput
from controldag.generation.backend import Placed, caught, warned
from controldag.generation.demands import verdicts
from controldag.generation.reading import Reading
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch

TEMPLATES = "templates"
"""The decoder that reads no graph."""


@dataclass(frozen=True, slots=True)
class TemplateBackend:
    """One sentence an act, put one after another."""

    reading: Reading

    def outcomes(self, requests: Sequence[Request]) -> Iterator[Placed]:
        yield [(place, caught(partial(self._said, request))) for place, request in enumerate(requests)]

    def _said(self, request: Request) -> Result:
        reading = self.reading
        if reading.templates is None:
            raise InvalidInput.of("templates", "be given for this decoder", None, remedy="Name their folder.")
        watch = Stopwatch(reading.clock)
        example = request.example()
        demands = reading.demands(request, example)
        with watch.stage(TEMPLATES):
            text = reading.templates.text(example)
        length = reading.tokens(text)
        met = verdicts(demands, request.bounds, text, length)
        result = Result(text, TEMPLATES, 0.0, 0.0, length, met, ms=watch.ms, id=request.id or example.id)
        return warned(result, reading.oddities(example))
