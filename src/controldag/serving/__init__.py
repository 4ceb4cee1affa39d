"""The HTTP service: `controldag serve`."""
