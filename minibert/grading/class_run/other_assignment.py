"""Find out which other assignment a notebook belongs to.

A worker knows only its own assignment, so its results do not depend on the others. The main process looks up
the name in the course's folder.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle
from ..intake.repair import Other, hash_of
from ..notebook import grade_id, read
from .grade_submission import of_another

LEAST = 3  # cells that must match


def with_name(result: dict[str, Any], bundle: Bundle, root: str | Path) -> dict[str, Any]:
    """Return `result`, updated with the assignment's name if the notebook belongs to another assignment."""
    if not result.get("other"):
        return result
    other = Other(result["other"]["name"], tuple(result["other"]["cells"]))
    name = name_of(other, bundle, root)
    return json.loads(of_another(bundle, other, name))


def name_of(other: Other, bundle: Bundle, root: str | Path) -> str:
    """Return the name of the assignment in `root` that shares the most cells with a notebook, or "".

    A name in the notebook's metadata takes precedence.
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
