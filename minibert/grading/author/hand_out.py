"""The course as a zip for students: without solutions, hidden tests and the project's own tests."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .exercises import assignment_named

ROOM = "minibert-course"  # the top-level folder in the zip
FILES = (
    *("pyproject.toml", "constraints.txt", "Makefile", "CITATION.cff", "LICENSE*", "scripts/setup_env.py"),
    *("docs/command_line.md", "docs/english_model.md", "docs/generated_language.md"),
)
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}
WHEN = (2020, 1, 1, 0, 0, 0)  # of every file: the same course gives the same zip


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
        raise ValueError(f"{root} has no exercises: `minibert build` makes them")
    chosen = sorted({assignment_named(root, unit) for unit in units}) or known
    partial = Path(out).with_name(Path(out).name + ".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _contents(root, chosen):
            file = zipfile.ZipInfo(f"{ROOM}/{name}", WHEN)
            file.external_attr = 0o644 << 16  # readable for all, as on a shared server
            archive.writestr(file, data, zipfile.ZIP_DEFLATED)
    partial.replace(out)
    return chosen


def _contents(root: Path, assignments: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (name, bytes) for each file in the zip, sorted by name within each kind of file."""
    yield "README.md", readme(root).encode()
    patterns = [*FILES, "minibert/**/*"]
    for assignment in assignments:
        number = assignment.partition("_")[0]
        patterns += [f"exercises/{assignment}/*", f"lessons/{number}_*.ipynb"]
    patterns.append("lessons/glossary.md")
    for pattern in patterns:
        for path in sorted(root.glob(pattern)):
            if path.is_file() and not LEFT_OUT.intersection(path.parts):
                yield path.relative_to(root).as_posix(), path.read_bytes()


def readme(root: Path) -> str:
    """Return docs/students.md with its links adapted to the zip's top-level folder."""
    page = (root / "docs" / "students.md").read_text(encoding="utf-8")
    page = re.sub(r"\]\(\.\./", "](", page)
    return re.sub(r"\]\((?=[\w-]+\.md)", "](docs/", page)
