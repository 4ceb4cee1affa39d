"""What this package can do, for models and programs of others."""
