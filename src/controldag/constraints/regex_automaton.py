"""From a regular expression's syntax tree to a nondeterministic automaton over UTF-8 bytes (Thompson)."""

from __future__ import annotations

from dataclasses import dataclass, field

from controldag.constraints.code_points import Ranges, complement, ignoring_case, utf8_sequences
from controldag.constraints.regex_syntax import Assertion, Characters, Choice, Guard, Node, Repeat, Sequence
from controldag.errors import InvalidInput

MAX_STATES = 20_000
"""Of one expression; counted repetitions multiply."""


@dataclass(slots=True)
class Automaton:
    """A builder: every `add_*` goes on from a state and returns the one it leads to."""

    ignore_case: bool = False
    states: int = 0
    edges: list[tuple[int, int, int, int]] = field(default_factory=list)  # from, low, high, to
    epsilons: list[tuple[int, int, int]] = field(default_factory=list)  # from, to, guard
    _steps: int = 0
    _sets: dict[Characters, Ranges] = field(default_factory=dict)

    def state(self) -> int:
        self.states += 1
        return self.states - 1

    def add(self, node: Node, start: int) -> int:
        # Steps are counted, not only states: empty groups repeated many times make none.
        self._steps += 1
        if max(self.states, self._steps) > MAX_STATES:
            raise InvalidInput(
                f"`regex` must need at most {MAX_STATES:,} automaton states, but needs more.",
                remedy="Use smaller counts in nested repetitions.",
            )
        match node:
            case Characters():
                return self.add_characters(node, start)
            case Assertion(guard):
                return self.add_epsilon(start, self.state(), guard)
            case Sequence(parts):
                for part in parts:
                    start = self.add(part, start)
                return start
            case Choice(parts):
                end = self.state()
                for part in parts:
                    self.add_epsilon(self.add(part, start), end)
                return end
            case Repeat():
                return self.add_repeat(node, start)

    def add_epsilon(self, start: int, end: int, guard: Guard = Guard.NONE) -> int:
        self.epsilons.append((start, end, int(guard)))
        return end

    def add_repeat(self, node: Repeat, start: int) -> int:
        for _ in range(node.least):
            start = self.add(node.part, start)
        if node.most is None:
            loop = self.add_epsilon(start, self.state())
            return self.add_epsilon(self.add(node.part, loop), loop)
        end = self.state()
        for _ in range(node.most - node.least):
            self.add_epsilon(start, end)
            start = self.add(node.part, start)
        return self.add_epsilon(start, end)

    def add_characters(self, node: Characters, start: int) -> int:
        if node not in self._sets:
            members = ignoring_case(node.members) if self.ignore_case else node.members
            self._sets[node] = complement(members) if node.negated else members
        end = self.state()
        # Sequences that end alike share their last states.
        shared: dict[tuple[tuple[int, int], ...], int] = {(): end}
        for sequence in utf8_sequences(self._sets[node]):
            here = start
            for at, (low, high) in enumerate(sequence):
                rest = sequence[at + 1 :]
                known = rest in shared
                if not known:
                    shared[rest] = self.state()
                self.edges.append((here, low, high, shared[rest]))
                if known:  # its way to the end is there already
                    break
                here = shared[rest]
        return end

    def add_any_text(self, start: int) -> int:
        """Any bytes at all: no match begins inside a character, whose bytes are all word bytes."""
        loop = self.add_epsilon(start, self.state())
        self.edges.append((loop, 0, 255, loop))
        return loop
