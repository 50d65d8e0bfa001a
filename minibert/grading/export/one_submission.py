"""Grade one submission in a container, in the strongest sandbox that works there.

bubblewrap isolates answers completely, including from the network. If the container does not allow it,
answers run as a user other than root (`sandbox.other_user`) or, failing that, under limits alone.
"""

import json
import secrets
from pathlib import Path
from typing import Any

from ..author.assignment_bundle import Bundle
from ..class_run.grade_submission import grade_submission
from ..intake.archives import FILE_LIMIT
from ..intake.as_bytes import to_bytes
from ..intake.submissions import NOTEBOOKS
from ..sandbox.availability import reason_unavailable
from ..sandbox.limits import Policy
from ..sandbox.other_user import can_change_user

PROTECTION = {
    "bwrap": "Answers ran in bubblewrap, without access to the network or the hidden tests.",
    "user": "bubblewrap cannot start here. Answers ran as another user, who cannot read the hidden tests "
    "but can use the network.",
    "limits": "bubblewrap cannot start here, and answers ran as the grader's own user, protected by limits "
    "only, so they could read the hidden tests. Allow namespaces, or run the grader as root.",
}


def protection() -> str:
    """Return the strongest protection that works here, as a key of PROTECTION."""
    if not reason_unavailable("bwrap"):
        return "bwrap"
    return "user" if can_change_user() else "limits"


def handed_in(folder: Path, name: str) -> dict[str, bytes]:
    """Read the notebooks in a folder, as a dict that maps names to bytes.

    If there are none, read Python files instead. The file `name` (without its ending) comes first. Hidden
    files, links and files that are too large are skipped.
    """
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.stat().st_size <= FILE_LIMIT
    ]
    for suffix in (".ipynb", ".py"):
        found = sorted((path for path in files if path.suffix == suffix), key=lambda path: path.stem != name)
        if found:
            return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found[:NOTEBOOKS]}
    return {}


def grade_folder(bundle: Bundle, folder: Path) -> dict[str, Any]:
    """Grade the submission in a folder and return the result of `grade_submission`.

    The inputs of hidden tests are drawn for each grading, so that nobody can learn them by submitting again.
    """
    sandbox = "bwrap" if protection() == "bwrap" else "limits"
    files = handed_in(folder, bundle.name)
    policy = Policy(sandbox=sandbox, hidden_seed=secrets.randbelow(2**53) + 1)
    return json.loads(grade_submission(bytes(bundle), to_bytes(files), policy))


def readable(name: str) -> str:
    """Return a label for a cell, such as "softmax: hidden test" for "softmax-hidden"."""
    what, _, kind = name.rpartition("-")
    return {"visible": f"{what}: test", "hidden": f"{what}: hidden test"}.get(kind, name)


def by_a_person(result: dict[str, Any]) -> str:
    """Return a sentence about the points that a person still has to award, or "" if there are none."""
    waiting = [cell for cell in result["cells"] if cell["manual"] and cell["points"] is None]
    points = sum(cell["max_points"] for cell in waiting) if result["status"] == "graded" else 0
    return f"A person will award up to {points:g} more points." if points else ""
