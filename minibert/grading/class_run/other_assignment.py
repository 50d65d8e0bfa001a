"""The name of the assignment to which a handed-in notebook of another assignment belongs.

A worker knows only its own assignment, so that a change to another one does not change its results. The
process that started it knows the course's folder, and looks the name up there.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle
from ..intake.repair import Other, hash_of
from ..notebook import grade_id, read
from .grade_submission import of_another

LEAST = 3  # cells that must be equal


def with_name(result: dict[str, Any], bundle: Bundle, root: str | Path) -> dict[str, Any]:
    """Return `result`; if its notebook belongs to another assignment, add that assignment's name."""
    if not result.get("other"):
        return result
    other = Other(result["other"]["name"], tuple(result["other"]["cells"]))
    name = name_of(other, bundle, root)
    return json.loads(of_another(bundle, other, name, result["notes"][:-1]))


def name_of(other: Other, bundle: Bundle, root: str | Path) -> str:
    """Return the name of the assignment in `root` that shares the most cells with a notebook, or "" if none.

    If the notebook's metadata names one of the assignments, return that one.
    """
    paths = [path for path in sorted(Path(root).glob("solutions/*/*.ipynb")) if path.stem != bundle.name]
    if other.name in {path.stem for path in paths}:
        return other.name
    counted: Mapping[str, int] = {path.stem: len(evidence(path) & set(other.cells)) for path in paths}
    best = max(counted, key=lambda name: counted[name], default="")
    return best if counted.get(best, 0) >= LEAST else ""


def evidence(path: Path) -> set[str]:
    """Return the names of a notebook's cells and the hashes of their sources."""
    cells = read(path).cells
    return {name for cell in cells if (name := grade_id(cell))} | {hash_of(cell.source) for cell in cells}
