"""From inputs to texts: this package and its peers."""
