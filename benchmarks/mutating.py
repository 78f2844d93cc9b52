"""Finds the possible mutants of a file, and puts one into the running program."""

import ast
import copy
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

OPPOSITE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
NEGATED = ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
NOT_MUTATED = ast.arguments | ast.Raise | ast.Assert | ast.JoinedStr
NOT_VISITED = {"annotation", "returns", "decorator_list", "targets", "pattern"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: the code in the file, and the code that replaces it."""

    file: str
    line: int
    function: str
    operator: str
    before: str
    after: str
    at: int
    """The offset in the file, in bytes."""


@dataclass(frozen=True, slots=True)
class Site:
    """A mutant, and where it is in the program."""

    mutant: Mutant
    lines: tuple[range, range]
    """The lines of the mutated expression, and the lines of its statement, for expressions without coverage data."""
    outermost: str
    """The qualified name of the outermost function around the fault. The code object of this function is replaced."""


def apply_mutant(source: bytes, mutant: Mutant) -> bytes:
    return source[: mutant.at] + mutant.after.encode() + source[mutant.at + len(mutant.before.encode()) :]


def find_sites(file: str, source: bytes) -> Iterator[Site]:
    """Yield all mutants of a file. Annotations, decorators, raise, assert and logging are not mutated."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def walk(node: ast.AST, names: list[str], outermost: str, statement: ast.stmt) -> Iterator[Site]:
        if isinstance(node, NOT_MUTATED) or _is_logging(node):
            return
        statement = node if isinstance(node, ast.stmt) else statement
        for operator, changed, after in _list_faults(node) if outermost else ():
            last = changed.end_lineno or changed.lineno
            at = starts[changed.lineno - 1] + changed.col_offset
            before = source[at : starts[last - 1] + (changed.end_col_offset or 0)].decode()
            first, until = statement.lineno, (statement.end_lineno or statement.lineno) + 1
            if body := getattr(statement, "body", None):  # of a compound statement, only the head
                until = max(body[0].lineno, first + 1)
            mutant = Mutant(file, changed.lineno, ".".join(names), operator, before, after, at)
            yield Site(mutant, (range(changed.lineno, last + 1), range(first, until)), outermost)
        if isinstance(node, FUNCTION | ast.ClassDef):
            names = [*names, node.name]
        if isinstance(node, FUNCTION):
            outermost = outermost or ".".join(names)
        for name, value in ast.iter_fields(node):
            if name not in NOT_VISITED:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from walk(child, names, outermost, statement)

    for statement in ast.parse(source).body:
        yield from walk(statement, [], "", statement)


def _list_faults(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """Yield the faults at a node: the name of the operator, the node to replace, and its replacement."""

    def other(operator: str, **fields: Any) -> tuple[str, ast.expr, str]:
        assert isinstance(node, ast.expr)
        changed = copy.copy(node)
        for name, value in fields.items():
            setattr(changed, name, value)
        return operator, node, f"({ast.unparse(changed)})"

    match node:
        case ast.Compare(ops=ops):
            for at, op in enumerate(ops):
                yield other("comparison", ops=[*ops[:at], OPPOSITE[type(op)](), *ops[at + 1 :]])
        case ast.BoolOp(op=op):
            yield other("and, or", op=OPPOSITE[type(op)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", node, f"({ast.unparse(operand)})"
        case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right) if not _is_text(left) and not _is_text(
            right
        ):
            yield other("arithmetic", op=OPPOSITE[type(op)]())
        case ast.Constant(value=bool(value)):
            yield "constant", node, repr(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield other("constant", value=value + 1)
            yield other("constant", value=value - 1)
        case ast.Return(value=ast.expr() as given) if ast.unparse(given) != "None":
            yield "return", node, "return None"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield "statement", node, "pass"
        case ast.Call(keywords=keywords):
            for at, keyword in enumerate(keywords):
                # The operator for constants inverts flags.
                if keyword.arg is not None and ast.unparse(keyword.value) not in ("True", "False"):
                    yield other("keyword", keywords=keywords[:at] + keywords[at + 1 :])
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            match test:
                case ast.UnaryOp(op=ast.Not()) | ast.Constant():
                    pass
                case ast.Compare(ops=[op]) if isinstance(op, NEGATED):
                    pass  # the operator for comparisons does the same
                case _:
                    yield "condition", test, f"(not ({ast.unparse(test)}))"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _is_logging(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    return isinstance(call, ast.Call) and ast.unparse(call.func).split(".")[0] in ("log", "logger", "logging")


def replace_code(site: Site, source: bytes) -> None:
    """Put the fault into the function that this process has imported."""
    path = str(Path(site.mutant.file).resolve())

    def matches(code: CodeType) -> bool:
        same_name = code.co_filename == path and code.co_qualname == site.outermost
        return same_name and code.co_firstlineno <= site.mutant.line

    gc.unfreeze()  # tests/conftest.py freezes objects, and gc.get_objects() does not list frozen objects.
    # Several functions can have the same name, such as the getter and the setter of a property.
    functions = (it for it in gc.get_objects() if isinstance(it, FunctionType) and matches(it.__code__))
    codes = _list_codes(compile(apply_mutant(source, site.mutant), path, "exec", dont_inherit=True))
    function = max(functions, key=lambda it: it.__code__.co_firstlineno)
    function.__code__ = max(filter(matches, codes), key=lambda code: code.co_firstlineno)


def _list_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _list_codes(inner)
