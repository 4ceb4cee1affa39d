"""Many texts: JSON lines through a model, in one process or on a cluster."""
