"""The search alone, against pynini and the paper's composition."""
