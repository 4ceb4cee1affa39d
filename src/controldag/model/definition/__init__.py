"""DA-T5 as a network: sizes, layers, loss, and how it is saved."""
