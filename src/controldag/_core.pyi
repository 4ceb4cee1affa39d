"""Typed face of the C++ extension."""

def fold_case(text: bytes) -> bytes:
    """UTF-8 text with each letter in lower case, as the engine's ignore-case automata read it."""
