"""Training data in the words of a twin."""
