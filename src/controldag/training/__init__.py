"""Training of DA-T5 and its autoregressive twin. Importing this needs torch (the extra `model`)."""
