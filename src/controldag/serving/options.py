"""What a service is told when it starts: how it batches, how long it lets people wait, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field

from controldag.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """What one request may ask for at most.

    body_bytes: of the request. items: texts a request. parts: acts or triples an item. phrases: of all kinds an item,
    patterns with them. patterns: an item. characters: of one string. n_best, length: as the item asks. engine_states,
    engine_bytes: of one search.
    """

    body_bytes: int = 256 * 1024
    items: int = 64
    parts: int = 32
    phrases: int = 32
    patterns: int = 4
    characters: int = 1_000
    n_best: int = 20
    length: int = 400
    engine_states: int = 300_000
    engine_bytes: int = 1 << 28

    def __post_init__(self) -> None:
        _at_least_one(self, "body_bytes", "items", "parts", "phrases", "patterns", "characters", "n_best", "length")
        _at_least_one(self, "engine_states", "engine_bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """How the service works.

    batch: items that go through the model together. wait_ms: how long the first of them waits for others.
    queue: items accepted and not answered yet, at most; beyond it requests get 503. deadline_ms: the longest a request
    may take, unless it asks for less. body_seconds: the longest a client may take to send its request.
    threads: that search. token: what clients must show (empty: nothing). log_text: write what users send and get into
    the log.
    """

    batch: int = 32
    wait_ms: float = 4.0
    queue: int = 256
    deadline_ms: int = 10_000
    body_seconds: float = 10.0
    threads: int = 2
    token: str = ""
    log_text: bool = False
    limits: ServiceLimits = field(default_factory=ServiceLimits)

    def __post_init__(self) -> None:
        _at_least_one(self, "batch", "queue", "deadline_ms", "threads")
        if not 0 <= self.wait_ms <= 1000:
            raise InvalidInput.of("wait_ms", "be between 0 and 1000", self.wait_ms)
        if not 0 < self.body_seconds < float("inf"):
            raise InvalidInput.of("body_seconds", "be more than 0", self.body_seconds)
        if self.limits.items > self.queue:
            raise InvalidInput.of("queue", f"hold a whole request ({self.limits.items} items)", self.queue)
        if not self.token.isascii() or (self.token and not self.token.isprintable()):
            raise InvalidInput("`token` must be printable ASCII.", remedy="Choose another.")


def _at_least_one(options: object, *names: str) -> None:
    for name in names:
        if getattr(options, name) < 1:
            raise InvalidInput.of(name, "be at least 1", getattr(options, name))
