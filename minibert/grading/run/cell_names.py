"""Find the names that a cell uses and defines, even if it contains IPython magics."""

import ast
import builtins
import contextlib

from IPython.core.inputtransformer2 import TransformerManager

HIDDEN = "### BEGIN HIDDEN TESTS"  # nbgrader's marker in a cell with hidden tests


def parsed(source: str) -> ast.Module:
    """Return a cell's syntax tree, with magics as plain calls, or an empty tree for invalid Python."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.parse(TransformerManager().transform_cell(source))
    return ast.Module([], [])


def used_names(tree: ast.AST) -> set[str]:
    """Return the names that a piece of code uses, except Python's built-in names."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - set(dir(builtins))


def assigned_names(tree: ast.AST) -> set[str]:
    """Return the names that a piece of code assigns, defines or imports, at any depth."""
    nodes = [*ast.walk(tree)]
    names = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    names |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = [
        alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names
    ]
    return names | {(alias.asname or alias.name).partition(".")[0] for alias in imports}
