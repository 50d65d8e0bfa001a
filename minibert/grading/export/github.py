"""What the workflow does on GitHub Classroom: grades the repository's notebook for the reporter.

    python -m minibert.grading.export.github

The contract is that of classroom-resources/autograding-grading-reporter: a step's output `result`, JSON in
base64 with version, status, max_score and tests. A student can read and change all of her repository, so the
bundle in it has no hidden tests, and the points are a preview: `minibert grade` gives those that count.
"""

import base64
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle, Cell
from .one_submission import PROTECTION, by_a_person, grade_folder, protection, readable

FOLDER = ".autograder"  # in the repository


def without_hidden(bundle: Bundle) -> Bundle:
    """The bundle without hidden tests and their points, and without marks of what it left out."""

    def shown(cell: Cell) -> Cell:
        marks = {**cell.marks, "grade": False, "points": 0} if cell.hidden else cell.marks
        return replace(cell, source=cell.released, marks=marks)

    return replace(bundle, cells=tuple(map(shown, bundle.cells)))


def report(result: dict[str, Any]) -> dict[str, Any]:
    """The reporter's results of one result of `grade_submission`."""
    cells = [cell for cell in result["cells"] if not cell["manual"]]
    tests = [
        {
            "name": readable(cell["name"]),
            "score": cell["points"] or 0,
            "message": cell["hint"],
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
    """Whether a cell has all points; "error" if it has none because nothing could be graded."""
    if cell["points"] is None:
        return "error"
    return "pass" if cell["points"] >= cell["max_points"] else "fail"


def main(root: Path | None = None) -> int:
    """Grade the notebook in the repository `root`, and append the step's output; returns 1 if that failed."""
    root = root or Path.cwd()
    bundle = Bundle.from_bytes((root / FOLDER / "bundle.json").read_bytes())
    result = grade_folder(bundle, root)
    print(PROTECTION[protection()], by_a_person(result))
    for line in [result["reason"], *result["notes"]]:
        print(line)
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"result={base64.b64encode(json.dumps(report(result)).encode()).decode()}\n")
    return int(result["again"])


if __name__ == "__main__":
    sys.exit(main())
