"""Every public function says what it takes and what it returns; `make check` has mypy hold the types
together.
"""

import ast

import pytest
from conftest import ROOT

FILES = sorted((ROOT / "minibert").rglob("*.py"))
TYPING = {"List", "Dict", "Tuple", "Set", "Optional", "Union"}  # one dialect: list[int], X | None


def public_functions(body):
    """The functions and methods of a module that others may call: no nested ones, no leading underscore."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from public_functions(node.body)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def untyped(function):
    """What lacks a type: names of arguments, and "return"."""
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    missing = [
        argument.arg
        for argument in named
        if argument.annotation is None and argument.arg not in ("self", "cls")
    ]
    return missing + ["return"] * (function.returns is None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_public_functions_are_typed_in_one_dialect(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    missing = {
        f"{function.name}:{function.lineno}": names
        for function in public_functions(tree.body)
        if (names := untyped(function))
    }
    assert not missing
    assert not [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in TYPING]


def test_a_function_without_types_is_found():
    (function,) = public_functions(ast.parse("def f(x: int, y, *, z=1):\n    return x").body)
    assert untyped(function) == ["y", "z", "return"]
