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


# A message in pieces: weights are copied once, when the file is put together.
Pieces = list[bytes | memoryview]


def model(
    nodes: Iterable[Pieces], constants: Iterable[Pieces], inputs: Iterable[Pieces], outputs: Iterable[Pieces]
) -> bytes:
    """A whole model from its parts."""
    graph = _text(2, "graph")
    for number, parts in ((1, nodes), (5, constants), (11, inputs), (12, outputs)):
        for part in parts:
            graph += _field(number, part)
    versions = [_field(8, _text(1, name) + _number(2, version)) for name, version in _OPERATORS.items()]
    return b"".join(_joined(_number(1, _IR_VERSION), _field(7, graph), *versions))


def node(
    kind: str, inputs: Iterable[str], outputs: Iterable[str], attributes: Mapping[str, Attribute], domain: str = ""
) -> Pieces:
    """One operation; an input named `` is left out."""
    return _joined(
        *(_text(1, name) for name in inputs),
        *(_text(2, name) for name in outputs),
        _text(4, kind),
        *(_field(5, _attribute(name, value)) for name, value in attributes.items()),
        _text(7, domain),
    )


def tensor(name: str, array: NDArray[np.generic]) -> Pieces:
    """A constant."""
    data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    shape = (_number(1, size) for size in array.shape)
    return _joined(
        *shape, _number(2, KINDS[array.dtype]), _text(8, name), _field(9, [data.reshape(-1).view(np.uint8).data])
    )


def value(name: str, kind: np.dtype[np.generic], shape: Shape | None = None) -> Pieces:
    """An input or output; sizes that are names are any, and the same wherever the name stands."""
    described = _number(1, KINDS[kind])
    if shape is not None:
        described += _field(2, _joined(*(_field(1, _size(each)) for each in shape)))
    return _text(1, name) + _field(2, _field(1, described))


def _size(size: int | str) -> Pieces:
    return _text(2, size) if isinstance(size, str) else _number(1, size)


def _attribute(name: str, value: Attribute) -> Pieces:
    named = _text(1, name)
    if isinstance(value, float):
        return [*named, _tag(2, 5), struct.pack("<f", value), *_number(20, _FLOAT)]
    if isinstance(value, int):
        return named + _number(3, value) + _number(20, _INT)
    return named + _joined(*(_number(8, each) for each in value)) + _number(20, _INTS)


def _field(number: int, content: Pieces) -> Pieces:
    return [_tag(number, 2) + _varint(sum(map(len, content))), *content]


def _text(number: int, text: str) -> Pieces:
    return _field(number, [text.encode()])


def _number(number: int, value: int) -> Pieces:
    return [_tag(number, 0) + _varint(value)]


def _joined(*parts: Pieces) -> Pieces:
    return [piece for part in parts for piece in part]


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
