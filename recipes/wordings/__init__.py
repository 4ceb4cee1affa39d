"""How a model does when the same services are described in other words (SGD-X)."""
