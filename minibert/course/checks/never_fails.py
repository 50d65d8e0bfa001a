"""Find the asserts of a student's test that can never fail, by reading its source."""

import ast
import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from textwrap import dedent
from typing import Any

REASONS = {
    "none": "there is no `assert` in your test, so it can never fail. A condition that is only computed, or "
    "printed, stops nothing: write `assert` before it",
    "tuple": 'an assert with brackets around condition and message can never fail: `assert (x > 0, "no")` '
    'asks whether the brackets hold anything. Leave them out: `assert x > 0, "no"`',
    "constant": "an assert of something that is always true, such as a text, can never fail. Assert a "
    "condition on the result",
    "uncalled": "an assert of a method without `()` can never fail: `assert x.any` only asks whether there "
    "is such a method. Write `assert x.any()`",
    "itself": "an assert that compares something with itself can never fail. Compare with what you know",
    "swallowed": "your `except` catches what an `assert` raises, so the test can never fail there. Let the "
    "error through: leave out `try` and `except`",
    "unused": "an assert in a function inside your test never runs, because nothing calls that function",
    "unreachable": "an assert is never reached. What stands behind a `return`, or in a loop or an `if` that "
    "is never entered, does not run",
}
CATCHING = {"AssertionError", "Exception", "BaseException"}


def weaknesses(test: Callable) -> list[str]:
    """The keys of REASONS that hold of some assert of the test; empty if its source is not to be had."""
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
    """For each assert or raise in the block: why it can never fail, or "" if it can.

    why: a reason that holds of the whole block. called: the names that the test uses.
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
    """The blocks inside a statement, each with the reason why no assert in it can fail, or ""."""
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
    """True if the handler catches a failed assert and lets nobody know."""
    caught = handler.type is None or any(
        isinstance(node, ast.Name) and node.id in CATCHING for node in ast.walk(handler.type)
    )
    tells = (ast.Raise, ast.Assert, ast.Return)
    return caught and not any(isinstance(node, tells) for part in handler.body for node in ast.walk(part))


def is_empty(value: ast.expr) -> bool:
    """True for what is false, or holds nothing, as it is written: False, 0, [], range(0)."""
    with contextlib.suppress(ValueError, TypeError, SyntaxError):
        return not ast.literal_eval(value)
    return ast.unparse(value) == "range(0)"


def always_true(condition: ast.expr) -> str:
    """Why a condition is always true ("tuple", "constant", "uncalled", "itself"), or "" if it need not be."""
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
    """True for `x == x`, `(x == x).all()` and `np.allclose(x, x)`."""
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
    """The reasons in a sentence, for keys that come from the student's side; others are left out."""
    known = (
        [REASONS[code] for code in codes if isinstance(code, str) and code in REASONS]
        if isinstance(codes, (list, tuple))
        else []
    )
    return "".join(f" {reason[0].upper()}{reason[1:]}." for reason in known[:2])
