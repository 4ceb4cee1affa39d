"""Slow, obvious versions of what the engine computes, and the random cases both are given."""
