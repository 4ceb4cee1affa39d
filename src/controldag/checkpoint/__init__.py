"""A model's folder: its settings, what it knows, where it comes from, and how it is put together."""
