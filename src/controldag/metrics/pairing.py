"""What every corpus metric asks of its input first: one text for each example."""

from __future__ import annotations

from collections.abc import Sequence

from controldag.errors import InvalidInput


def check_one_each(argument: str, texts: Sequence[str], examples: Sequence[object]) -> None:
    """Raises, naming `argument`, unless there is one text for each example, and one example at least."""
    if len(texts) != len(examples) or not examples:
        rule = f"have one text for each of the {len(examples)} examples" if examples else "not be empty"
        raise InvalidInput.of(argument, rule, len(texts), remedy="Check that both belong to one data file.")
