"""Grade the notebook in a GitHub Classroom repository, and report the points.

python -m minibert.grading.export.github

The workflow runs this command. The output `result` has the format of
classroom-resources/autograding-grading-reporter: JSON in base64 with version, status, max_score and tests.
Students can read and change everything in their repository, so it has no hidden tests, and the points are
only a preview. `minibert grade` gives the final points.
"""

import base64
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle, Cell, parsed
from .one_submission import PROTECTION, by_a_person, grade_folder, protection, readable

FOLDER = ".autograder"  # the grader's folder in the repository
PREVIEW = "These points are a preview: they come from the visible tests."


def without_hidden(bundle: Bundle) -> Bundle:
    """Return a copy of the bundle without the hidden tests.

    A cell that also has visible tests keeps its points. One that has nothing else is not graded; its points
    stay in its marks, because they are in the students' notebooks too.
    """

    def shown(cell: Cell) -> Cell:
        tree = parsed(cell.released) if cell.hidden else None
        nothing_left = tree is not None and not tree.body
        marks = {**cell.marks, "grade": False} if nothing_left else cell.marks
        return replace(cell, source=cell.released, marks=marks)

    return replace(bundle, cells=tuple(map(shown, bundle.cells)))


def report(result: dict[str, Any]) -> dict[str, Any]:
    """Convert a result of `grade_submission` to the format that GitHub Classroom's reporter reads."""
    cells = [cell for cell in result["cells"] if not cell["manual"]]
    tests = [
        {
            "name": readable(cell["name"]),
            "score": cell["points"] or 0,
            "message": cell["hint"] if result["status"] == "graded" else result["reason"],
            "status": status(cell),
            "line_no": None,
            "execution_time": "",
        }
        for cell in cells
    ]
    states = {test["status"] for test in tests}
    return {
        "version": 1,
        "status": next((s for s in ("error", "fail") if s in states), "pass"),
        "max_score": sum(cell["max_points"] for cell in cells),
        "tests": tests,
    }


def status(cell: dict[str, Any]) -> str:
    """Return "pass" for full points, "error" if the cell could not be graded, and "fail" otherwise."""
    if cell["points"] is None:
        return "error"
    return "pass" if cell["points"] >= cell["max_points"] else "fail"


def main(root: Path | None = None) -> int:
    """Grade the notebook in the repository `root`, and append the result to the workflow step's output.

    Returns the exit status, 1 if grading failed.
    """
    root = root or Path.cwd()
    bundle = Bundle.from_bytes((root / FOLDER / "bundle.json").read_bytes())
    result = grade_folder(bundle, root)
    print(PROTECTION[protection()])
    print("\n".join(filter(None, [PREVIEW, by_a_person(result), result["reason"], *result["notes"]])))
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"result={base64.b64encode(json.dumps(report(result)).encode()).decode()}\n")
    return int(result["again"])


if __name__ == "__main__":
    sys.exit(main())
