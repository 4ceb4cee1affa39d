"""The runtime of a CPU against PyTorch."""
