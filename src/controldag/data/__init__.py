"""Everything between raw data sets and what a model or a metric consumes."""
