"""Grades the one submission of a container: the same `grade_submission`, in the strongest sandbox there is.

bubblewrap keeps answers from everything, also from the network. Where a container does not allow it, answers
run under limits as another user than root (`sandbox.other_user`); where even that fails, under limits alone.
"""

import json
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
    "bwrap": "Answers ran in bubblewrap: without network, and without the hidden tests.",
    "user": "bubblewrap cannot start here. Answers ran as another user, who cannot read the hidden tests, "
    "but has the network.",
    "limits": "bubblewrap cannot start here, and answers ran as the grader's own user, under limits alone: "
    "they could read the hidden tests. Allow namespaces, or run the grader as root.",
}


def protection() -> str:
    """What keeps answers from harm here: a key of PROTECTION."""
    if not reason_unavailable("bwrap"):
        return "bwrap"
    return "user" if can_change_user() else "limits"


def handed_in(folder: Path, name: str) -> dict[str, bytes]:
    """{name: bytes} of the notebooks in a folder, or else of its Python files; `name` comes first.

    Hidden folders and links are left out.
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
    """The result of the submission in a folder, as of `grade_submission`."""
    sandbox = "bwrap" if protection() == "bwrap" else "limits"
    files = handed_in(folder, bundle.name)
    return json.loads(grade_submission(bytes(bundle), to_bytes(files), Policy(sandbox=sandbox)))


def readable(name: str) -> str:
    """The name of a cell for people: "softmax: hidden test" of "softmax-hidden"."""
    what, _, kind = name.rpartition("-")
    return {"visible": f"{what}: test", "hidden": f"{what}: hidden test"}.get(kind, name)


def by_a_person(result: dict[str, Any]) -> str:
    """The sentence about the points that a person gives; empty without such points."""
    points = sum(cell["max_points"] for cell in result["cells"] if cell["manual"])
    return f"{points:g} more points are given by a person." if points else ""
