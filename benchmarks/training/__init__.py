"""Steps of training."""
