"""Benchmarks and the peers they compare with; outside the wheel. `python -m benchmarks --help` lists them."""
