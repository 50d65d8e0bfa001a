"""Pack the course for students into a zip, without solutions, hidden tests or teacher's pages."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..author.exercises import assignment_named
from ..notebook import read, text
from ..report.gradebook import write
from ..report.zipped import zipped
from .autograder import package

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)]*)?\)")
TEACHER = "<details><summary><b>For the teacher</b>"
ROOM = "minibert-course"  # the top-level folder in the zip
FILES = (
    *("Makefile", "CITATION.cff", "scripts/setup_env.py", "lessons/glossary.md"),
    *("docs/command_line.md", "docs/english_model.md", "docs/generated_language.md"),
    *("docs/english.svg", "docs/learning.svg"),
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
    for path in paths:
        if path.stem.endswith("in_class"):
            files[f"{ROOM}/{path.relative_to(root).as_posix()}"] = without_teachers_page(path)
    files = {**package(ROOM), **files, f"{ROOM}/README.md": readme(root).encode()}
    for name in [name for name in files if name.endswith(".md")]:
        files[name] = without_dead_links(files, name).encode()
    write(Path(out).resolve(), zipped(files))
    return chosen


def without_teachers_page(path: Path) -> bytes:
    """Return an in-class notebook without its last cell, the minute plan and the answers to expect."""
    notebook = read(path)
    notebook.cells = [cell for cell in notebook.cells if not cell.source.startswith(TEACHER)]
    return text(notebook).encode()


def without_dead_links(files: Mapping[str, bytes], name: str) -> str:
    """Return the text of the Markdown page `name`, with links to files not in `files` made plain text."""

    def kept(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
        there = target in files or any(path.startswith(f"{target}/") for path in files)
        return link[0] if there else link[1]

    return LINK.sub(kept, files[name].decode("utf-8"))


def readme(root: Path) -> str:
    """Return docs/students.md with its links adapted to the zip's top-level folder."""
    page = (root / "docs" / "students.md").read_text(encoding="utf-8")
    page = re.sub(r"\]\(\.\./", "](", page)
    return re.sub(r"\]\((?=[\w-]+\.md)", "](docs/", page)
