"""One accepted item on its way through the service."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import dataclass, field

from controldag.errors import ControlDagError
from controldag.generation.request import Request
from controldag.generation.result import Result
from controldag.inspection.inspection import Inspection
from controldag.inspection.view import View

Outcome = Result | Inspection | ControlDagError


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What is asked for, until when (`time.monotonic()`), and the promise of an outcome.

    view: for an inspection, how to look at it; None asks for a result. client: who asks, for its share.
    Cancelling `outcome` gives the job up, if nobody has begun it.
    """

    request: Request
    deadline: float
    view: View | None = None
    client: str = ""
    outcome: Future[Outcome] = field(default_factory=Future)
    arrived: float = field(default_factory=time.monotonic)

    @property
    def unusual(self) -> bool:
        """Whether it asks for more than its input: all slow searches do."""
        return self.request.constraint is not None or self.request.length is not None or self.request.n_best > 1
