"""DA-T5 fast: forward passes arranged for a CPU or as CUDA graphs, from tokens to Dags."""
