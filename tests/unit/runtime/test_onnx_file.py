"""The writer of ONNX files, read back by the runtime itself."""

from __future__ import annotations

import numpy as np

from controldag.runtime.graph import Graph
from controldag.runtime.session import Session


def test_constants_attributes_and_shapes_arrive_as_they_were_given() -> None:
    graph = Graph("float32")
    x = graph.input("x", "float32", ["N", 300])
    turned = graph("Transpose", x, perm=(1, 0))
    table = np.arange(300 * 7, dtype=np.float32).reshape(300, 7) / 7
    first, rest = graph.split(graph("MatMul", x, graph.constant(table)), [3, 4])
    picked = graph("Gather", rest, graph.constant([-1, 0]), axis=0)
    sharp = graph("LeakyRelu", first, alpha=0.25)
    top, places = graph.largest(x, graph.constant([2]))
    file = graph.model({"turned": turned, "picked": picked, "sharp": sharp, "top": top}, {"places": places})
    given = np.random.default_rng(1).normal(size=(5, 300)).astype(np.float32)
    product = given @ table
    outputs = Session(file).run(("turned", "picked", "sharp", "top", "places"), {"x": given})
    wanted = [
        given.T,
        product[[-1, 0], 3:],
        np.where(product < 0, 0.25 * product, product)[:, :3],
        np.sort(given)[:, :-3:-1],
        np.argsort(given)[:, :-3:-1],
    ]
    for found, each in zip(outputs, wanted, strict=True):
        np.testing.assert_allclose(found, each, rtol=1e-3, atol=1e-3)


def test_rounded_weights_do_not_overflow_where_all_is_as_large_as_can_be() -> None:
    """AVX2 adds two products in 16 bits: weights of all eight bits would be cut off there."""
    graph = Graph("int8")
    x = graph.input("x", "float32", ["N", 64])
    file = graph.model({"y": graph.linear(x, np.ones((16, 64), np.float32), np.full(16, 2, np.float32))})
    (found,) = Session(file).run(("y",), {"x": np.ones((3, 64), np.float32)})
    np.testing.assert_allclose(found, 66.0, rtol=0.01)
