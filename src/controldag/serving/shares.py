"""How much time each client has had: who had least comes first, and who asks for more waits for itself."""

from __future__ import annotations

# Clients that are remembered because they had more than others; beyond it those that had least of that are forgotten.
_REMEMBERED = 4096


class Shares:
    """Fair queueing by start times: a client's time runs on by what was spent on it, and never lags behind the others.

    So a client that comes anew is not owed what it did not ask for, and one that had much waits until the others
    have had as much. Not for several threads at once.
    """

    def __init__(self) -> None:
        self._had: dict[str, float] = {}
        self._now = 0.0  # what the client served last had had

    def had(self, client: str) -> float:
        """Seconds, to be compared with those of other clients."""
        return max(self._now, self._had.get(client, 0.0))

    def charge(self, client: str, seconds: float) -> None:
        """Notes what was spent on the client."""
        self._had[client] = self.had(client) + seconds

    def serve(self, client: str) -> None:
        """The client's turn has come: nobody is owed more than that from now on."""
        self._now = self.had(client)
        ahead = {each: had for each, had in self._had.items() if had > self._now}
        if len(ahead) > _REMEMBERED:
            ahead = dict(sorted(ahead.items(), key=lambda each: -each[1])[:_REMEMBERED])
        self._had = ahead
