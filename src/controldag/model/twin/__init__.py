"""The autoregressive twin: its network, its steps, beams and phrases."""
