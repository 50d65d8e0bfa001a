"""Pack the course for students into a zip, without solutions, hidden tests and the project's tests."""

import re
from collections.abc import Sequence
from pathlib import Path

from ..author.exercises import assignment_named
from ..report.gradebook import write
from ..report.zipped import zipped
from .autograder import package

ROOM = "minibert-course"  # the top-level folder in the zip
FILES = (
    *("Makefile", "CITATION.cff", "scripts/setup_env.py", "lessons/glossary.md"),
    *("docs/command_line.md", "docs/english_model.md", "docs/generated_language.md"),
)


def hand_out(root: str | Path, out: str | Path, units: Sequence[str] = ()) -> list[str]:
    """Write a zip of the course for students, and return the names of its exercises.

    It contains lessons, exercises, the package, pinned versions, a set-up script and a README for students.

    Args:
        root: path of the repository
        out: path of the zip; an existing file is replaced
        units: names or numbers of the units to hand out; by default all

    Raises ValueError for an unknown unit, or if `root` has no exercises.
    """
    root = Path(root)
    known = sorted(path.parent.name for path in root.glob("exercises/*/*.ipynb"))
    if not known:
        raise ValueError(f"{root} has no exercises; run `minibert build` to make them")
    chosen = sorted({assignment_named(root, unit) for unit in units}) or known
    paths = [root / name for name in FILES]
    for assignment in chosen:
        paths += root.glob(f"lessons/{assignment.partition('_')[0]}_*.ipynb")
        paths += (path for path in root.glob(f"exercises/{assignment}/*") if path.is_file())
    files = {f"{ROOM}/{path.relative_to(root).as_posix()}": path.read_bytes() for path in paths}
    write(Path(out).resolve(), zipped({**package(ROOM), **files, f"{ROOM}/README.md": readme(root).encode()}))
    return chosen


def readme(root: Path) -> str:
    """Return docs/students.md with its links adapted to the zip's top-level folder."""
    page = (root / "docs" / "students.md").read_text(encoding="utf-8")
    page = re.sub(r"\]\(\.\./", "](", page)
    return re.sub(r"\]\((?=[\w-]+\.md)", "](docs/", page)
