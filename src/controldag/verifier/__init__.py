"""Whether a text says what its input claims, act by act. It shares neither tokens nor weights with what generates."""
