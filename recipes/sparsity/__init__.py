"""How sparse graphs are."""
