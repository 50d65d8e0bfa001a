"""Find `assert` statements in a student's test that can never fail."""

import ast
import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from textwrap import dedent
from typing import Any

REASONS = {
    "none": "your test contains no `assert`, so it can never fail. Computing or printing a condition checks "
    "nothing: write `assert` before it",
    "tuple": "an `assert` with parentheses around both the condition and the message can never fail: in "
    '`assert (x > 0, "no")`, Python sees a tuple, which is always true. Remove the parentheses: '
    '`assert x > 0, "no"`',
    "constant": "an `assert` of a value that is always true, such as a string, can never fail. Assert a "
    "condition on the function's result",
    "uncalled": "an `assert` of a method without `()` can never fail: `assert x.any` only asks whether the "
    "method exists. Write `assert x.any()`",
    "itself": "an `assert` that compares a value with itself can never fail. Compare the result with a value "
    "that you know to be correct",
    "swallowed": "your test catches the error that a failed `assert` raises, so it can never fail there. "
    "Remove the `try` and `except`, or the `suppress`, that catches it",
    "unused": "an `assert` is in a nested function that your test never calls, so it never runs. Call that "
    "function, or move the `assert` out of it",
    "unreachable": "an `assert` is never reached: it comes after a `return`, or its loop or `if` is never "
    "entered. Move it to a place that is always executed",
}
CATCHING = {"AssertionError", "Exception", "BaseException"}


def weaknesses(test: Callable) -> list[str]:
    """Return the reasons, as keys of REASONS, why some asserts in a student's test can never fail.

    The list is empty if the source of the test is unavailable.
    """
    with contextlib.suppress(OSError, TypeError, SyntaxError, IndexError):
        function = ast.parse(dedent(inspect.getsource(test))).body[0]
        called = {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        kinds = [*reasons(getattr(function, "body", []), "", called)]
        return sorted({kind for kind in kinds if kind}) if kinds else ["none"]
    return []


def reasons(block: Iterable[ast.stmt], why: str, called: set[str]) -> Iterator[str]:
    """Yield, for each assert or raise in the block, the reason why it can never fail, or "" if it can.

    why: a reason that applies to all of them, or "". called: the names that the test uses.
    """
    for statement in block:
        if isinstance(statement, (ast.Assert, ast.Raise)):
            yield why or (always_true(statement.test) if isinstance(statement, ast.Assert) else "")
        elif isinstance(statement, ast.Expr) and "assert" in ast.unparse(statement.value).partition("(")[0]:
            yield why  # np.testing.assert_allclose(...)
        for inner, own in blocks(statement, called):
            yield from reasons(inner, why or own, called)
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            why = why or "unreachable"


def blocks(statement: ast.stmt, called: set[str]) -> Iterator[tuple[list, str]]:
    """Yield (block, reason) for each block of a compound statement, such as the body of an `if`.

    The reason explains why no assert in it can fail, or is "". called: the names that the test uses.
    """
    if isinstance(statement, ast.Try):
        yield statement.body, "swallowed" if any(map(swallows, statement.handlers)) else ""
        for handler in statement.handlers:
            yield handler.body, ""
        yield statement.orelse, ""
        yield statement.finalbody, ""
    elif isinstance(statement, (ast.With, ast.AsyncWith)):
        entered = " ".join(ast.unparse(item.context_expr) for item in statement.items)
        caught = "suppress(" in entered and any(name in entered for name in CATCHING)
        yield statement.body, "swallowed" if caught else ""
    elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield statement.body, "" if statement.name in called else "unused"
    elif isinstance(statement, (ast.If, ast.While, ast.For)):
        entry = statement.iter if isinstance(statement, ast.For) else statement.test
        yield statement.body, "unreachable" if is_empty(entry) else ""
        yield statement.orelse, ""


def swallows(handler: ast.ExceptHandler) -> bool:
    """Return True if an `except` clause catches the error of a failed assert and hides it."""
    caught = handler.type is None or any(
        isinstance(node, ast.Name) and node.id in CATCHING for node in ast.walk(handler.type)
    )
    tells = (ast.Raise, ast.Assert, ast.Return)
    return caught and not any(isinstance(node, tells) for part in handler.body for node in ast.walk(part))


def is_empty(value: ast.expr) -> bool:
    """Return True if an expression is a literal false or empty value, such as False, 0, [] or range(0)."""
    with contextlib.suppress(ValueError, TypeError, SyntaxError):
        return not ast.literal_eval(value)
    return ast.unparse(value) == "range(0)"


def always_true(condition: ast.expr) -> str:
    """Return the reason ("tuple", "constant", "uncalled", "itself") why a condition is always true, or ""."""
    if isinstance(condition, ast.Tuple) and condition.elts:
        return "tuple"
    if (
        isinstance(condition, (ast.JoinedStr, ast.Lambda))
        or isinstance(condition, ast.Constant)
        and bool(condition.value)
    ):
        return "constant"
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.Or):
        return next(filter(None, map(always_true, condition.values)), "")
    if isinstance(condition, ast.Attribute) and condition.attr in ("any", "all"):
        return "uncalled"
    return "itself" if compares_with_itself(condition) else ""


def compares_with_itself(condition: Any) -> bool:
    """Return True for a condition such as `x == x`, `(x == x).all()` or `np.allclose(x, x)`."""
    if isinstance(condition, ast.Compare) and len(condition.ops) == 1:
        pair = [condition.left, *condition.comparators]
        return isinstance(condition.ops[0], ast.Eq) and ast.dump(pair[0]) == ast.dump(pair[1])
    if not isinstance(condition, ast.Call):
        return False
    if isinstance(condition.func, ast.Attribute) and condition.func.attr == "all" and not condition.args:
        return compares_with_itself(condition.func.value)
    close = ast.unparse(condition.func).rpartition(".")[2] in ("allclose", "array_equal", "isclose")
    return close and len(condition.args) > 1 and ast.dump(condition.args[0]) == ast.dump(condition.args[1])


def told(codes: Any) -> str:
    """Return sentences that explain the first two reasons to the student.

    codes: usually keys of REASONS, but a student's decorator may return anything.
    """
    known = (
        [REASONS[code] for code in codes if isinstance(code, str) and code in REASONS]
        if isinstance(codes, (list, tuple))
        else []
    )
    return "".join(f" {reason[0].upper()}{reason[1:]}." for reason in known[:2])
