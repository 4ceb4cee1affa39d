"""Systems, what they say of a data file, and the figures of that."""
