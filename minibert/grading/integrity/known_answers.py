"""Collect known answers for comparison: solutions, package functions and the course's test answers."""

import ast
import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import PACKAGE, Bundle, solution_of
from ..notebook import marked, read

PARTS = (  # without subfolders, because a unit's views and experiments are not answers to an exercise
    *(
        "course/checks",
        "course/unit[0-9][0-9]",
        "reference",
        "data",
        "analysis",
        "model",
        "model/checkpoints",
    ),
    *("objectives", "tasks", "tokenizer", "training"),
)
SMALLEST = 3  # lines of the shortest function that is worth comparing


def solutions(root: str | Path, bundle: Bundle) -> dict[str, str]:
    """Return a dict that maps the names of answer cells to the sources of their solutions."""
    cells = marked(read(solution_of(root, bundle.assignment)))
    return {cell.name: cells[cell.name].source for cell in bundle.cells if cell.functions}


@cache
def package_functions() -> dict[tuple[str, str], str]:
    """Return {("package", "file:line name"): source} for each definition that may serve as an answer."""
    found = {}
    for part in PARTS:
        for path in sorted(PACKAGE.glob(f"{part}/*.py")):
            text = path.read_text("utf-8")
            for node in ast.walk(ast.parse(text)):
                if (
                    isinstance(node, ast.FunctionDef | ast.ClassDef)
                    and (node.end_lineno or 0) - node.lineno + 1 >= SMALLEST
                ):
                    name = f"{path.relative_to(PACKAGE.parent).as_posix()}:{node.lineno} {node.name}"
                    found["package", name] = "\n".join(
                        line[node.col_offset :]
                        for line in text.split("\n")[node.lineno - 1 : node.end_lineno]
                    )
    return found


def bank(root: str | Path, bundle: Bundle) -> dict[str, Any]:
    """Return a dict that maps each function to right and wrong answers from the course's tests.

    The result is empty if this clone of the course has no such answers for the unit.
    """
    tests, name = Path(root, "tests").resolve(), f"unit{bundle.assignment[:2]}"
    if not (tests / "banks" / f"{name}.py").is_file():
        return {}
    sys.path.insert(0, str(tests))
    try:
        return importlib.import_module(f"banks.{name}").BANK
    finally:
        sys.path.remove(str(tests))
