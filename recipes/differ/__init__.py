"""Where two systems differ."""
