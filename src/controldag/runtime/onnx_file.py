"""ONNX models as bytes: the few messages of the format that our graphs need, written field by field.

The format is a protocol buffer. Its own library would weigh more than all else that running a model needs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Attribute = int | float | tuple[int, ...]
Shape = Sequence[int | str]
# Numbers of the kinds of elements, and of the kinds of attributes, in the format.
KINDS = {np.dtype(name): number for name, number in (("float32", 1), ("int8", 3), ("int64", 7), ("bool", 9))}
_FLOAT, _INT, _INTS = 1, 2, 7
_IR_VERSION = 10
_OPERATORS = {"": 21, "com.microsoft": 1}


def model(
    nodes: Iterable[bytes], constants: Iterable[bytes], inputs: Iterable[bytes], outputs: Iterable[bytes]
) -> bytes:
    """A whole model from its parts."""
    graph = b"".join(
        _field(number, part)
        for number, parts in ((1, nodes), (2, [b"graph"]), (5, constants), (11, inputs), (12, outputs))
        for part in parts
    )
    versions = (_field(1, name.encode()) + _number(2, version) for name, version in _OPERATORS.items())
    return _number(1, _IR_VERSION) + _field(7, graph) + b"".join(_field(8, each) for each in versions)


def node(
    kind: str, inputs: Iterable[str], outputs: Iterable[str], attributes: Mapping[str, Attribute], domain: str = ""
) -> bytes:
    """One operation; an input named `` is left out."""
    return b"".join(
        (
            *(_field(1, name.encode()) for name in inputs),
            *(_field(2, name.encode()) for name in outputs),
            _field(4, kind.encode()),
            *(_field(5, _attribute(name, value)) for name, value in attributes.items()),
            _field(7, domain.encode()),
        )
    )


def tensor(name: str, array: NDArray[np.generic]) -> bytes:
    """A constant."""
    shape = b"".join(_number(1, size) for size in array.shape)
    data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    return shape + _number(2, KINDS[array.dtype]) + _field(8, name.encode()) + _field(9, data)


def value(name: str, kind: np.dtype[np.generic], shape: Shape | None = None) -> bytes:
    """An input or output; sizes that are names are any, and the same wherever the name stands."""
    described = _number(1, KINDS[kind])
    if shape is not None:
        described += _field(2, b"".join(_field(1, _size(each)) for each in shape))
    return _field(1, name.encode()) + _field(2, _field(1, described))


def _size(size: int | str) -> bytes:
    return _field(2, size.encode()) if isinstance(size, str) else _number(1, size)


def _attribute(name: str, value: Attribute) -> bytes:
    named = _field(1, name.encode())
    if isinstance(value, float):
        return named + _tag(2, 5) + struct.pack("<f", value) + _number(20, _FLOAT)
    if isinstance(value, int):
        return named + _number(3, value) + _number(20, _INT)
    return named + b"".join(_number(8, each) for each in value) + _number(20, _INTS)


def _field(number: int, content: bytes) -> bytes:
    return _tag(number, 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _tag(number, 0) + _varint(value)


def _tag(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers are written as 64 bits
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
