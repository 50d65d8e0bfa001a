"""A result in which one exercise has been graded again and everything else is unchanged."""

from collections.abc import Mapping
from typing import Any

import nbformat

from ..author.exercises import GradedExercise
from ..notebook import OURS, grade_id, text


def with_exercise(
    old: Mapping[str, Any], fresh: Mapping[str, Any], exercise: GradedExercise
) -> dict[str, Any]:
    """Return a copy of `old` in which one exercise's cells, notes and problems come from `fresh`."""
    names = {exercise.answer, *exercise.cells}
    notebook, other = (nbformat.reads(result["notebook"], as_version=4) for result in (old, fresh))
    new = {grade_id(cell): cell for cell in other.cells if grade_id(cell) in names}
    notebook.cells = [new.get(grade_id(cell), cell) for cell in notebook.cells]
    cells = {cell["name"]: cell for cell in fresh["cells"]}
    kept = [cells[cell["name"]] if cell["name"] in names else cell for cell in old["cells"]]
    said = {
        key: [
            *(line for line in old[key] if not about(line, names)),
            *(line for line in fresh[key] if about(line, names)),
        ]
        for key in ("notes", "problems")
    }
    notebook.metadata[OURS]["notes"] = said["notes"]
    seconds = {**old["seconds"], **{name: spent for name, spent in fresh["seconds"].items() if name in names}}
    return {**old, **said, "cells": kept, "seconds": seconds, "notebook": text(notebook)}


def about(line: str, names: set[str]) -> bool:
    """Return whether a problem or note refers to one of the cells in `names`."""
    return any(line.startswith(f"cell {name}:") for name in names)
