"""Find the instructor's ungraded set-up cells, and the modules that they import."""

import ast
import contextlib
from collections.abc import Sequence

from nbformat import NotebookNode

from ..notebook import field


def is_setup(cell: NotebookNode) -> bool:
    """Return whether a cell is a set-up cell: locked and not graded, with names for the tests to use."""
    return bool(field(cell, "locked")) and not field(cell, "grade") and not field(cell, "solution")


def setup_modules(cells: Sequence[NotebookNode]) -> list[str]:
    """Return the modules that the set-up cells import; they are loaded before the trusted process forks."""
    found = []
    for cell in filter(is_setup, cells):
        with contextlib.suppress(SyntaxError):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import):
                    found += [name.name for name in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    return found
