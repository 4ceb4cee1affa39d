"""Sheets for blind reading, and what readers said."""
