"""Long runs of what `make test` does for a short while: `make fuzz`."""
