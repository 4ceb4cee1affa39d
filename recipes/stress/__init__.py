"""Stress suite: development turns changed in ways that training data never shows, and what a system makes of them."""
