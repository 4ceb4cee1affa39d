"""Triton kernels of attention, emissions and the loss, and their plain forms."""
