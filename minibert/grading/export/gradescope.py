"""Grade a submission on Gradescope: read /autograder, and write results/results.json.

python -m minibert.grading.export.gradescope

The file formats are described at gradescope-autograders.readthedocs.io, under "Specifications" and
"Submission Metadata". Students see hidden tests only once the grades are published. If the grader fails, it
writes no results; Gradescope reports the failure, and the submission gets no score, not even 0.
"""

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle
from ..class_run.grade_submission import LATE
from ..report.gradebook import write
from ..report.sanitize import without_paths
from .one_submission import PROTECTION, by_a_person, grade_folder, protection, readable

ROOT = Path("/autograder")  # given by Gradescope


def results(bundle: Bundle, result: dict[str, Any]) -> dict[str, Any]:
    """Convert a result of `grade_submission` to Gradescope's format.

    Until the grades are published, students see nothing that depends on a hidden test: neither its result nor
    a problem during the run, which an answer could cause for some inputs only.
    """
    hidden = {cell.name for cell in bundle.cells if cell.hidden}
    tests = [
        test(cell, cell["name"] in hidden)
        for cell in result["cells"]
        if not cell["manual"] and cell["points"] is not None
    ]
    ran = [note for note in result["notes"] if note == LATE or note.rstrip(".?") in problems(result)]
    if tests and ran:
        about = {"name": "problems during the run", "score": 0, "max_score": 0, "output": "\n".join(ran)}
        tests.append({**about, "output_format": "text", "visibility": "after_published"})
    notes = [result["reason"], *(note for note in result["notes"] if note not in ran), by_a_person(result)]
    made = {
        "output": "\n".join(filter(None, notes)),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"flags": result["flags"]},
    }
    return {**made, "tests": tests} if tests else {**made, "score": 0.0}


def problems(result: dict[str, Any]) -> set[str]:
    """Return the problems during the run, as they begin in the notes."""
    return {without_paths(problem).rstrip(".?") for problem in result["problems"]}


def test(cell: dict[str, Any], hidden: bool) -> dict[str, Any]:
    """Convert a graded cell to a test in Gradescope's format."""
    passed = cell["points"] >= cell["max_points"]
    return {
        "name": readable(cell["name"]),
        "score": cell["points"],
        "max_score": cell["max_points"],
        "status": "passed" if passed else "failed",
        "output": cell["hint"],
        "output_format": "text",
        "visibility": "after_published" if hidden else "visible",
    }


def about(path: Path) -> str:
    """Return a sentence about who submitted and how late, read from the metadata file `path`.

    Returns an empty string if the file is missing or incomplete.
    """
    try:
        told = json.loads(path.read_text("utf-8"))
        who = ", ".join(user["name"] for user in told["users"])
        due, sent = (
            datetime.fromisoformat(text) for text in (told["assignment"]["due_date"], told["created_at"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    hours = (sent - due).total_seconds() / 3600
    return f"{who}: {f'{hours:.1f} hours late' if hours > 0 else 'on time'}."


def main(root: Path = ROOT) -> int:
    """Grade the submission in `root` and return the exit status, 1 if the grader failed."""
    bundle = Bundle.from_bytes((root / "source" / "bundle.json").read_bytes())
    place = root / "results" / "results.json"
    place.unlink(missing_ok=True)
    result = grade_folder(bundle, root / "submission")
    print(PROTECTION[protection()], about(root / "submission_metadata.json"))
    for flag in result["flags"]:
        print(f"flag: {flag['cell']}, line {flag['line']}: {flag['why']}: {flag['text']}")
    if result["again"]:
        print(result["reason"])
        return 1
    write(place, json.dumps(results(bundle, result), indent=1).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
