"""The template baseline as a system: it says requests as a model does, without one."""

from __future__ import annotations

from collections.abc import Sequence

from controldag.data.templates import Templates
from controldag.errors import ControlDagError
from controldag.generation.request import Request
from controldag.generation.result import Result, Stopwatch
from controldag.generation.template_backend import TEMPLATES


class TemplateSystem:
    """Templates, one sentence an act, put one after another."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates

    def generate_batch(self, requests: Sequence[Request]) -> list[Result | ControlDagError]:
        """By request its text, or the error that it met."""
        return [self._said(request) for request in requests]

    def _said(self, request: Request) -> Result | ControlDagError:
        watch = Stopwatch()
        try:
            with watch.stage(TEMPLATES):
                example = request.example()
                text = self.templates.text(example)
        except ControlDagError as error:
            return error
        return Result(text, TEMPLATES, 0.0, 0.0, 0, ms=watch.ms, id=request.id or example.id, origin="templates")
