"""What a training run came to, as files of results."""
