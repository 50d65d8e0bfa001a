"""All that grading must know of an assignment, as bytes: cells, points, hidden tests, checksums, data files.

A bundle is made once, from solutions/, and goes to every worker: apart from the package, nothing else of the
repository is needed. The same solution and the same package give the same bytes; any change of a test, of a
check, of what these import or of a library changes them, and no change of other files does (`dependencies`).
"""

import ast
import base64
import functools
import hashlib
import json
import platform
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from dataclasses import field as default
from importlib import metadata
from pathlib import Path
from typing import Any

from ..notebook import OURS, SUFFIX, field, from_source, grade_id, marked, read, text
from .dependencies import PACKAGE, used_files
from .temporary_course import course

LIBRARIES = ("numpy", "torch", "nbgrader", "ipykernel")  # a grade may depend on their versions


@dataclass(frozen=True)
class Cell:
    """One cell of the instructor's notebook.

    id: of nbformat. kind: "code" or "markdown". source: with hidden tests, answers replaced by stubs.
    released: the source that students got. marks: nbgrader's metadata, empty for an unmarked cell.
    """

    id: str
    kind: str
    source: str
    released: str
    marks: dict[str, Any] = default(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of a marked cell, empty for other cells."""
        return self.marks.get("grade_id", "")

    @property
    def key(self) -> str:
        """A unique name: that of a marked cell; for others "#" and the id, which no marked cell is called."""
        return self.name or f"#{self.id}"

    @property
    def answer(self) -> bool:
        """Whether a student writes here."""
        return bool(self.marks.get("solution"))

    @property
    def given(self) -> bool:
        """Whether a student must leave this as it is."""
        return bool(self.name) and not self.answer

    @property
    def scored(self) -> bool:
        """Whether the cell gives points."""
        return bool(self.marks.get("grade") or self.marks.get("task"))

    @property
    def hidden(self) -> bool:
        """Whether it holds tests that a student must not read."""
        return self.source != self.released

    @property
    def points(self) -> float:
        """The most points that the cell gives."""
        return float(self.marks.get("points", 0))

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions and classes that an answer here has to define."""
        return defined_names(self.released) if self.answer and self.kind == "code" else ()


@dataclass(frozen=True)
class Bundle:
    """An assignment: its notebook's name, its cells in order, its data files, the versions of the code."""

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
        """The bundle that `bytes(bundle)` gave."""
        record = json.loads(data)
        cells = tuple(Cell(**cell) for cell in record.pop("cells"))
        files = {path: base64.b64decode(coded) for path, coded in record.pop("files").items()}
        return cls(cells=cells, files=files, **record)

    @property
    def max_points(self) -> float:
        """The points of all cells together."""
        return sum(cell.points for cell in self.cells if cell.scored)


def make_bundle(root: str | Path, assignment: str) -> Bundle:
    """The bundle of an assignment in the repository `root`.

    Raises ValueError for an unknown assignment, or one whose notebook must be built first.
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
        versions(cell.source for cell in cells if cell.kind == "code"),
    )


def solution_of(root: str | Path, assignment: str) -> Path:
    """The path of an assignment's one solution notebook; raises ValueError if it must be built first."""
    root = Path(root)
    notebooks = sorted(root.glob(f"solutions/{assignment}/*.ipynb"))
    if len(notebooks) != 1:
        known = ", ".join(sorted(path.parent.name for path in root.glob(f"solutions/*/*{SUFFIX}"))) or "none"
        raise ValueError(
            f"solutions/{assignment}: {len(notebooks)} notebooks, one is needed; the assignments are {known}"
        )
    source = notebooks[0].with_name(notebooks[0].stem + SUFFIX)
    if (
        source.exists()
        and text(from_source(source.read_text("utf-8"), source.name)).encode() != notebooks[0].read_bytes()
    ):
        raise ValueError(
            f"{notebooks[0].relative_to(root)}: {source.name} has changed; run `minibert build {assignment}`"
        )
    return notebooks[0]


def versions(cells: Iterable[str], package: str | Path = PACKAGE) -> dict[str, str]:
    """What a grade depends on besides the assignment: Python, libraries, the files of the package in use.

    cells: sources of the assignment's code cells.
    """
    digest = hashlib.sha256()
    for path in used_files(cells, package):
        name = path.relative_to(Path(package).resolve()).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return {"minibert": digest.hexdigest(), "python": platform.python_version()} | {
        name: metadata.version(name) for name in LIBRARIES
    }


@functools.lru_cache(maxsize=512)
def defined_names(source: str) -> tuple[str, ...]:
    """Names of the functions and classes at the top level of a cell; () if it is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of an odd escape in somebody's text
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )
