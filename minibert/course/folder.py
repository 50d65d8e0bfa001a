"""A student's own copy of the course: functions that create, update and find it.

The copy contains `lessons/` and `exercises/`. Its file `RECORD` stores a digest of each file as it was first
written, so that an update knows which files the student has changed.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from nbformat import NotebookNode

from ..grading.notebook import field, fill, grade_id, is_in_class, marked, read, text
from ..readers.writing import write_text
from ..spelling import did_you_mean

RECORD = ".minibert-course.json"
KINDS = ("lessons", "exercises")
GUIDE = """# Your copy of the course

Open a lesson, an exercise, or the 45-minute lesson for a class:

    minibert lab 02
    minibert lab 02 --exercise
    minibert lab 07 --in-class

Check an exercise before you hand it in, and see how far you are:

    minibert doctor 02
    minibert progress

Get corrections of the course; your answers are kept:

    minibert course . --update

To start a notebook over, delete it and run the last command, which also restores deleted cells.
"""


def lay_out(folder: str | Path, root: str | Path) -> list[str]:
    """Copy the course from `root` to `folder`, which must be new, empty or an earlier copy.

    Existing files are left unchanged, and missing files are added. Returns one line of text for each file
    that was added to an earlier copy. Raises ValueError if `folder` contains anything else.
    """
    folder = Path(folder)
    if not is_copy(folder):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(
                f"{folder} is not a copy of the course: give a new or empty folder, such as my_course"
            )
        folder.mkdir(parents=True, exist_ok=True)
        _record(folder, {name: content_of(path) for name, path in files(root)})
        write_text(folder / "README.md", GUIDE)
        for name, path in files(root):
            _copy(path, folder / name)
        return []
    missing = [(name, path) for name, path in files(root) if not (folder / name).exists()]
    for name, path in missing:
        _copy(path, folder / name)
    return [f"{name}: written again" for name, _ in missing]


def update(folder: str | Path, root: str | Path) -> list[str]:
    """Bring a copy of the course up to date with `root`, and keep the student's work.

    A file that the student has not changed is replaced. In an exercise, the student's answers and added cells
    move to the new version. Any other changed file is renamed and kept next to the new one. Returns one line
    of text for each file that was written. Raises ValueError if `folder` is not a copy of the course.
    """
    folder = Path(folder)
    if not is_copy(folder):
        raise ValueError(f"{folder} is not a copy of the course: `minibert course {folder}` makes one")
    laid_out = json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"]
    released = {name: content_of(path) for name, path in files(root)}
    lines = []
    for name, path in files(root):
        target = folder / name
        mine = content_of(target) if target.exists() else None
        if mine is None:
            _copy(path, target)
            lines.append(f"{name}: new")
        elif released[name] in (laid_out.get(name), mine) and not _lacks_cells(target, path):
            continue
        elif mine == laid_out.get(name):
            _copy(path, target)
            lines.append(f"{name}: updated")
        else:
            kept = _set_aside(target)
            merged = name.startswith("exercises/") and _merge(kept, path, target)
            if not merged:
                _copy(path, target)
            done = "updated, with your answers in it" if merged else "updated"
            lines.append(f"{name}: {done}; your version is {kept.relative_to(folder).as_posix()}")
    _record(folder, released)
    return lines


def with_work_of(mine: NotebookNode, released: NotebookNode) -> NotebookNode:
    """Return the exercise `released` with the answers and added cells of the student's notebook `mine`."""
    known = {name for name, cell in marked(released).items() if field(cell, "solution")}
    answers = {name: cell.source for name, cell in marked(mine).items() if name in known}
    new = fill(released, answers)
    given = {cell.source for cell in released.cells}
    at = 0  # where her next cell goes
    for cell in mine.cells:
        if grade_id(cell):
            at = next((n for n, other in enumerate(new.cells, 1) if grade_id(other) == grade_id(cell)), at)
        elif cell.source.strip() and cell.source not in given:
            new.cells.insert(at, cell)
            at += 1
    return new


def _merge(mine: Path, released: Path, target: Path) -> bool:
    """Write an exercise with the student's work in it; return False if the student's notebook is broken."""
    try:
        notebook = with_work_of(read(mine), read(released))
    except ValueError:
        return False
    write_text(target, text(notebook))
    return True


def _lacks_cells(mine: Path, released: Path) -> bool:
    """Return whether a student deleted cells of an exercise that grading needs."""
    try:
        return bool(marked(read(released)).keys() - marked(read(mine)).keys())
    except ValueError:  # not a notebook, or a broken one
        return False


def find(start: str | Path) -> Path | None:
    """Return the copy of the course that contains the folder `start`, or None."""
    start = Path(start).resolve()
    return next((folder for folder in (start, *start.parents) if is_copy(folder)), None)


def is_copy(folder: str | Path) -> bool:
    """Return whether this folder is a student's copy of the course, as made by `lay_out`."""
    return Path(folder, RECORD).is_file()


def files(root: str | Path) -> Iterator[tuple[str, Path]]:
    """Yield (name in the student's copy, path in `root`) for each file of the course, in sorted order."""
    for kind in KINDS:
        for path in sorted(Path(root, kind).rglob("*")):
            if path.is_file() and path.suffix in (".ipynb", ".md") and ".ipynb_checkpoints" not in path.parts:
                yield path.relative_to(root).as_posix(), path


def content_of(path: Path) -> str:
    """Return a hash of a file, or of the cell sources of a notebook, which do not change when it is run."""
    if path.suffix == ".ipynb":
        try:
            data = json.dumps([cell.source for cell in read(path).cells]).encode()
        except ValueError:  # a student can break the file
            data = path.read_bytes()
    else:
        data = path.read_bytes()
    return sha256(data).hexdigest()


def notebook_of(root: str | Path, unit: str | None, exercise: bool = False, in_class: bool = False) -> str:
    """Return the file name of a unit's lesson, relative to the student's copy of the course.

    root: the folder of the course. unit: the unit's number or part of its name, by default unit 1. exercise:
    return the exercise instead. in_class: return the short lesson for use in class instead. Raises ValueError
    if there is no such notebook.
    """
    kind = KINDS[exercise]
    known = [
        name
        for name, path in files(root)
        if name.startswith(kind) and path.suffix == ".ipynb" and is_in_class(path) == in_class
    ]
    wanted = unit or "1"
    found = [
        name
        for name in known
        if (stem := Path(name).stem).partition("_")[0] == wanted.zfill(2)
        or not wanted.isdigit()
        and wanted in stem
    ]
    if unit is None and in_class:
        found = known
    if not found:
        what = "exercise" if exercise else "lesson for a class" if in_class else "lesson"
        raise ValueError(
            f"there is no {what} {unit!r}; there are {', '.join(Path(name).stem for name in known)}"
            f"{did_you_mean(unit, [Path(name).stem for name in known])}"
        )
    return found[0]


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    write_text(target, path.read_text(encoding="utf-8"))


def _set_aside(path: Path) -> Path:
    """Rename a file to the first unused name such as `02_attention_mine.ipynb`."""
    numbers = ("", *range(2, 1000))
    free = (path.with_name(f"{path.stem}_mine{number}{path.suffix}") for number in numbers)
    return path.rename(next(name for name in free if not name.exists()))


def _record(folder: Path, contents: dict[str, str]) -> None:
    write_text(folder / RECORD, json.dumps({"files": contents}, indent=1) + "\n")
