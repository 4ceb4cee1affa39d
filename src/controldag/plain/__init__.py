"""Plain sentences: right by construction, from a schema or from relation names alone."""
