"""Runs whose figures are kept, each with the settings and the machine that made it."""
