"""Small faults for a module: each differs from it in one place, so a good test should notice it.

Comparisons, arithmetic, `and`/`or`, `not`, conditions, numbers, strings, True and False, `break`/`continue`, and a few
names that stand for each other (`any`/`all`, `min`/`max`) change. What is read by people only does not: docstrings,
annotations, the words of errors; nor do guards of calls (`strict=`, `check_one_each`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the changed module, the line of the change, and that line's expression before and after."""

    tree: ast.Module
    line: int
    was: str
    now: str


def mutants(source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    for place, node in enumerate(_nodes(tree)):
        for changed in _changes(node):
            other = copy.deepcopy(tree)
            _replace(other, _nodes(other)[place], changed)
            yield Mutant(ast.fix_missing_locations(other), node.lineno, ast.unparse(node), ast.unparse(changed))


def _nodes(tree: ast.Module) -> list[ast.expr | ast.stmt]:
    """All places that may change, in source order: no docstrings, annotations, types or words of errors."""
    found: list[ast.expr | ast.stmt] = []

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom) or _is_docstring(node) or _is_guard(node):
            return
        if isinstance(node, ast.expr | ast.stmt):
            found.append(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "pattern") or isinstance(node, ast.JoinedStr):
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    walk(each)

    walk(tree)
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_guard(node: ast.AST) -> bool:
    match node:
        case ast.keyword(arg="strict") | ast.Call(func=ast.Name("check_one_each")) | ast.Assign([ast.Name("remedy")]):
            return True
    return False


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    other = copy.deepcopy(node)
    match other:
        case ast.Compare():
            for number, operator in enumerate(other.ops):
                compared = copy.deepcopy(other)
                compared.ops[number] = _OPERATORS[type(operator)]()  # type: ignore[call-overload]
                yield compared
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign() if type(other.op) in _OPERATORS:
            other.op = _OPERATORS[type(other.op)]()  # type: ignore[assignment]
            yield other
        case ast.Break():
            yield ast.copy_location(ast.Continue(), node)
        case ast.Continue():
            yield ast.copy_location(ast.Break(), node)
        case ast.UnaryOp(op=ast.Not()):
            yield other.operand
        case ast.UnaryOp(op=ast.USub()):
            yield other.operand
        case ast.Name(id=name) if name in _NAMES:
            yield ast.copy_location(ast.Name(_NAMES[name], ast.Load()), node)
        case ast.Constant(value=value):
            yield from (ast.copy_location(ast.Constant(each), node) for each in _values(value))
        case ast.If() | ast.While() | ast.IfExp() if not isinstance(other.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            other.test = ast.copy_location(ast.UnaryOp(ast.Not(), other.test), node)
            yield other
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for number, part in enumerate(other.generators):
                if part.ifs:
                    unfiltered = copy.deepcopy(other)
                    unfiltered.generators[number].ifs = []
                    yield unfiltered


def _values(value: object) -> Iterator[str | bytes | bool | int | float]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield value + 1
    elif isinstance(value, str | bytes):
        yield f"XX{value}" if isinstance(value, str) else b"XX" + value


def _replace(tree: ast.Module, old: ast.AST, new: ast.AST) -> None:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list) and any(each is old for each in value):
                setattr(node, name, [new if each is old else each for each in value])
