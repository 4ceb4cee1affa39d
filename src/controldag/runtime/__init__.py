"""Models on a CPU without torch: graphs made from a folder's config and weights, computed by ONNX Runtime."""
