"""Everything that grading an assignment needs, in one file: cells, points, hidden tests, checksums and data.

A bundle is made once, from solutions/, and sent to every worker, which needs only the bundle and the
installed package. It changes only if the assignment, the package or a library in LIBRARIES changes.
"""

import ast
import base64
import functools
import hashlib
import json
import platform
import re
import warnings
from dataclasses import asdict, dataclass
from dataclasses import field as default
from importlib import metadata
from pathlib import Path
from typing import Any

import minibert

from ..notebook import OURS, SUFFIX, field, grade_id, marked, read
from .shared_texts import notebook_text
from .temporary_course import course

PACKAGE = Path(minibert.__file__).resolve().parent
LIBRARIES = ("numpy", "torch", "nbgrader", "ipykernel")  # libraries whose versions may affect a grade
SOURCES = (".py", ".html", ".css", ".js")  # the package's files that count: code, and templates of pages
DEFINITION = re.compile(r"^(?:async\s+def|def|class)[ \t]+(\w+)", re.M)  # also in invalid Python


@dataclass(frozen=True)
class Cell:
    """One cell of the instructor's notebook.

    `id` is the cell's nbformat id, and `kind` is "code" or "markdown". `source` contains the hidden tests,
    with stubs in place of answers; `released` is the source that students receive. `marks` is nbgrader's
    metadata, which is empty for an unmarked cell.
    """

    id: str
    kind: str
    source: str
    released: str
    marks: dict[str, Any] = default(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the cell's name in nbgrader, or an empty string if it has none."""
        return self.marks.get("grade_id", "")

    @property
    def key(self) -> str:
        """Return the cell's name in nbgrader or, if it has none, "#" plus its id; no name begins with "#"."""
        return self.name or f"#{self.id}"

    @property
    def answer(self) -> bool:
        """Return whether students write their answer in this cell."""
        return bool(self.marks.get("solution"))

    @property
    def given(self) -> bool:
        """Return whether students must leave this cell unchanged."""
        return bool(self.name) and not self.answer

    @property
    def scored(self) -> bool:
        """Return whether the cell is worth points."""
        return bool(self.marks.get("grade") or self.marks.get("task"))

    @property
    def hidden(self) -> bool:
        """Return whether the cell contains tests that students must not read."""
        return self.source != self.released

    @property
    def points(self) -> float:
        """Return the maximum number of points for the cell."""
        return float(self.marks.get("points", 0))

    @property
    def functions(self) -> tuple[str, ...]:
        """Return the names of the functions and classes that an answer in this cell must define.

        In a notebook that has not been handed in, `released` is the student's current source, so it may
        contain a syntax error.
        """
        if not self.answer or self.kind != "code":
            return ()
        return defined_names(self.released) or tuple(DEFINITION.findall(self.released))


@dataclass(frozen=True)
class Bundle:
    """An assignment: the notebook's name, its cells in order, data files and software versions."""

    assignment: str
    name: str
    cells: tuple[Cell, ...]
    files: dict[str, bytes] = default(default_factory=dict)  # path in the assignment's folder -> bytes
    versions: dict[str, str] = default(default_factory=dict)

    def __bytes__(self) -> bytes:
        record = {
            **asdict(self),
            "files": {path: base64.b64encode(data).decode() for path, data in self.files.items()},
        }
        return json.dumps(record, sort_keys=True).encode()

    @classmethod
    @functools.lru_cache(maxsize=2)
    def from_bytes(cls, data: bytes) -> "Bundle":
        """Load a bundle from the result of `bytes(bundle)`."""
        record = json.loads(data)
        cells = tuple(Cell(**cell) for cell in record.pop("cells"))
        files = {path: base64.b64decode(coded) for path, coded in record.pop("files").items()}
        return cls(cells=cells, files=files, **record)

    @property
    def max_points(self) -> float:
        """Return the total points of all cells."""
        return sum(cell.points for cell in self.cells if cell.scored)


def make_bundle(root: str | Path, assignment: str) -> Bundle:
    """Build the bundle for an assignment in the repository `root`.

    Raises ValueError if the assignment is unknown, or if its notebook is out of date.
    """
    path = solution_of(root, assignment)
    with course(root, [assignment]) as temporary:
        folder = temporary.generate(assignment, gradebook=False, hidden=True)
        kept = {
            name: (cell.source, field(cell, "checksum"))
            for name, cell in marked(read(folder / path.name)).items()
        }
        exercise = read(temporary.generate(assignment, gradebook=False) / path.name)
        files = {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.suffix != ".ipynb"
        }
    cells = []
    for cell in exercise.cells:
        marks = dict(cell.metadata.get("nbgrader", {}))
        source, marks["checksum"] = kept.get(grade_id(cell) or "", (cell.source, None))
        cells.append(Cell(cell.id, cell.cell_type, source, cell.source, marks if grade_id(cell) else {}))
    return Bundle(
        assignment,
        exercise.metadata.get(OURS, {}).get("name", path.stem),
        tuple(cells),
        files,
        versions(),
    )


def solution_of(root: str | Path, assignment: str) -> Path:
    """Return the path of an assignment's solution notebook.

    Raises ValueError if there is not exactly one such notebook, or if it is out of date.
    """
    root = Path(root)
    notebooks = sorted(root.glob(f"solutions/{assignment}/*.ipynb"))
    if len(notebooks) != 1:
        known = ", ".join(sorted(path.parent.name for path in root.glob(f"solutions/*/*{SUFFIX}"))) or "none"
        raise ValueError(
            f"solutions/{assignment}: expected one notebook, found {len(notebooks)}; "
            f"the assignments are {known}"
        )
    source = notebooks[0].with_name(notebooks[0].stem + SUFFIX)
    if source.exists() and notebook_text(source, root, assignment).encode() != notebooks[0].read_bytes():
        raise ValueError(
            f"{notebooks[0].relative_to(root)}: {source.name} has changed; run `minibert build {assignment}`"
        )
    return notebooks[0]


def versions(package: Path = PACKAGE) -> dict[str, str]:
    """Return the versions of Python and the libraries that affect a grade, and a hash of the package's files.

    `package` is the folder of this package.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*") if path.suffix in SOURCES):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return {"minibert": digest.hexdigest(), "python": platform.python_version()} | {
        name: metadata.version(name) for name in LIBRARIES
    }


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of source code, or None if it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about invalid escapes in a student's strings
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@functools.lru_cache(maxsize=512)
def defined_names(source: str) -> tuple[str, ...]:
    """Return the names of a cell's top-level functions and classes, or () if it is not valid Python."""
    tree = parsed(source)
    return tuple(
        node.name
        for node in (tree.body if tree else ())
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )
