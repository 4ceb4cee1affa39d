"""Studies, tables and readings, outside the wheel. `python -m recipes --help` lists those with options."""
