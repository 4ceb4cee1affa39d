"""The best settings of a checkpoint."""
