"""Answers that are known before a class hands in: solution, package's functions, bank of answers."""

import ast
import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle, solution_of
from ..author.dependencies import PACKAGE
from ..notebook import marked, read

PARTS = (  # folders without those in them: views and experiments of a unit answer no exercise
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
SMALLEST = 3  # lines of a function that is worth a comparison


def solutions(root: str | Path, bundle: Bundle) -> dict[str, str]:
    """Name of an answer cell -> its solution."""
    cells = marked(read(solution_of(root, bundle.assignment)))
    return {cell.name: cells[cell.name].source for cell in bundle.cells if cell.functions}


@cache
def package_functions() -> dict[tuple[str, str], str]:
    """("package", file:line name) -> source of each function of the package that could be an answer."""
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
    """Function -> its Bank of right and wrong answers; empty where the clone has none for the unit."""
    tests, name = Path(root, "tests").resolve(), f"unit{bundle.assignment[:2]}"
    if not (tests / "banks" / f"{name}.py").is_file():
        return {}
    sys.path.insert(0, str(tests))
    try:
        return importlib.import_module(f"banks.{name}").BANK
    finally:
        sys.path.remove(str(tests))
