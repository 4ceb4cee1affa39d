"""A graph of operations put together step by step, with the layers that our models are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from controldag.runtime import onnx_file
from controldag.runtime.onnx_file import Attribute, Shape

Floats = NDArray[np.float32]
Precision = Literal["float32", "int8"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
# Weights in eight bits use seven of them: AVX2 adds two products in 16 bits, and larger ones would not fit.
_LARGEST = 63
_MICROSOFT = "com.microsoft"


class Graph:
    """Values are names; every method that computes adds an operation and gives the name of what comes out."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self._nodes: list[onnx_file.Pieces] = []
        self._constants: list[onnx_file.Pieces] = []
        self._inputs: list[onnx_file.Pieces] = []
        self._made = 0

    def input(self, name: str, kind: str, shape: Shape) -> str:
        """What is given at every run."""
        self._inputs.append(onnx_file.value(name, np.dtype(kind), shape))
        return name

    def constant(self, array: ArrayLike) -> str:
        """What never changes: int64 for integers of Python, as operations take sizes."""
        name = self._name()
        self._constants.append(onnx_file.tensor(name, np.asarray(array)))
        return name

    def model(self, outputs: Mapping[str, str], numbers: Mapping[str, str] = MappingProxyType({})) -> bytes:
        """The graph as a file, with what a run may ask for by name: `outputs` in float32, `numbers` in int64."""
        described = []
        for named, kind in ((outputs, np.float32), (numbers, np.int64)):
            for name, value in named.items():
                self._nodes.append(onnx_file.node("Identity", [value], [name], {}))
                described.append(onnx_file.value(name, np.dtype(kind)))
        return onnx_file.model(self._nodes, self._constants, self._inputs, described)

    def __call__(self, kind: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """One operation of ONNX with one output."""
        return self._add(kind, inputs, 1, domain, attributes)[0]

    def split(self, x: str, sizes: Sequence[int], axis: int = -1) -> list[str]:
        """Parts of the given sizes along an axis."""
        return self._add("Split", (x, self.constant(list(sizes))), len(sizes), "", {"axis": axis})

    def largest(self, x: str, count: str) -> tuple[str, str]:
        """The `count` [1] largest numbers of every row, in falling order, and where they stand."""
        values, places = self._add("TopK", (x, count), 2, "", {"axis": -1})
        return values, places

    def linear(self, x: str, weight: Floats, bias: Floats | None = None) -> str:
        """x · weightᵀ + bias for x [N, in], `weight` [out, in]; in int8, weights are rounded by output, x by run."""
        last = [] if bias is None else [self.constant(bias)]
        if self.precision == "float32":
            return self("Gemm", x, self.constant(weight), *last, transB=1)
        scales = np.maximum(np.abs(weight).max(1), 1e-8) / _LARGEST
        rounded = np.round(weight / scales[:, None]).astype(np.int8)
        parts = (self.constant(rounded.T), self.constant(scales.astype(np.float32)), "")
        return self("DynamicQuantizeMatMul", x, *parts, *last, domain=_MICROSOFT)

    def attention(self, parts: Sequence[str], heads: int, scale: float, bias: str = "") -> str:
        """[B, T, H·D] of queries [B, T, H·D], keys and values [B, S, H·D]; `bias` [1 or B, H, T, S] is added."""
        inputs = (*parts, *(("", "", bias) if bias else ()))
        return self("MultiHeadAttention", *inputs, domain=_MICROSOFT, num_heads=heads, scale=scale)

    def _add(
        self, kind: str, inputs: Sequence[str], outputs: int, domain: str, attributes: dict[str, Any]
    ) -> list[str]:
        names = [self._name() for _ in range(outputs)]
        self._nodes.append(onnx_file.node(kind, inputs, names, attributes, domain))
        return names

    def _name(self) -> str:
        self._made += 1
        return f"v{self._made}"
