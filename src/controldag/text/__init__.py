"""Tokenizers, word lists and lengths: text as the model and the constraints see it."""
