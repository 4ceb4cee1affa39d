"""Checks on a GPU, and programs that make files of this repository."""
