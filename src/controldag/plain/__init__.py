"""Plain sentences: right by construction, from a schema or from relation names alone."""

from controldag.plain.text import plain_text

__all__ = ["plain_text"]
