"""Create, update and find a student's own copy of the course.

The copy contains `lessons/` and `exercises/`. A record in the file `RECORD` stores a digest of each file as
first written, so that an update knows which files the student has changed, and digests of the notebooks from
which answers have been imported.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ..grading.intake.stubs import is_unanswered
from ..grading.notebook import OURS, field, fill, grade_id, is_in_class, marked, read, text
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
    """Copy the course from `root` to `folder`, which must be new, empty or an earlier copy of the course.

    Existing files stay unchanged, and missing files are added. Returns a line of text for each file added to
    an earlier copy. Raises ValueError if `folder` contains anything else.
    """
    folder = Path(folder)
    if not is_copy(folder):
        if around := find(folder):
            raise ValueError(
                f"{folder} is inside your copy of the course: to update that, write {_updating(around)}"
            )
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(
                f"{folder} is not a copy of the course: give a new or empty folder, such as my_course"
            )
        folder.mkdir(parents=True, exist_ok=True)
        _record(folder, _released(root))
        write_text(folder / "README.md", GUIDE)
        for name, path in files(root):
            _copy(path, folder / name)
        return []
    missing = [(name, path) for name, path in files(root) if not (folder / name).exists()]
    for name, path in missing:
        _copy(path, folder / name)
    return [f"{name}: written again" for name, _ in missing]


def update(folder: str | Path, root: str | Path) -> list[str]:
    """Update a copy of the course to the version in `root`, keeping the student's work.

    Unchanged files are replaced. In an exercise, the student's answers and added cells are moved to the new
    version. Any other changed file is renamed and kept. Returns a line of text for each file written. Raises
    ValueError if `folder` is not a copy of the course.
    """
    folder = Path(folder)
    if not is_copy(folder):
        around = find(folder)
        how = (
            f"your copy is around it: {_updating(around)}"
            if around
            else f"`minibert course {folder}` makes one"
        )
        raise ValueError(f"{folder} is not a copy of the course; {how}")
    laid_out = _recorded(folder)["files"]
    released = _released(root)
    lines = []
    for name, path in files(root):
        target = folder / name
        mine = content_of(target) if target.exists() else None
        if mine is None:
            _copy(path, target)
            answered = name.startswith("exercises/") and answers_in(read(target))
            lines.append(f"{name}: new{f', with the answers that are in {path}' if answered else ''}")
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


def with_work_of(mine: NotebookNode, other: NotebookNode) -> NotebookNode:
    """Return the exercise `other` with the answers and added cells from the student's notebook `mine`.

    Answers already written in `other` are kept.
    """
    free = {name for name, cell in marked(other).items() if field(cell, "solution")} - answers_in(
        other
    ).keys()
    new = fill(other, {name: source for name, source in answers_in(mine).items() if name in free})
    given = {cell.source.strip() for cell in other.cells}
    at = 0  # where the student's next cell goes
    for cell in mine.cells:
        if grade_id(cell):
            at = next((n for n, other in enumerate(new.cells, 1) if grade_id(other) == grade_id(cell)), at)
        elif cell.source.strip() and cell.source.strip() not in given:
            new.cells.insert(at, cell)
            at += 1
    return new


def answers_in(notebook: NotebookNode) -> dict[str, str]:
    """Return {cell name: source} for the answer cells that a student has changed in an exercise."""
    cells = {name: cell for name, cell in marked(notebook).items() if field(cell, "solution")}
    return {name: cell.source for name, cell in cells.items() if not _is_released(cell)}


def _is_released(cell: NotebookNode) -> bool:
    """Return whether an answer cell is empty or still has its original content."""
    from nbgrader.utils import compute_checksum

    if field(cell, "checksum"):
        return not cell.source.strip() or field(cell, "checksum") == compute_checksum(cell)
    return is_unanswered(cell)


def work_outside(folder: str | Path, root: str | Path) -> dict[Path, list[str]]:
    """Return the answers that a student wrote in the exercises in `root` instead of in their own copy.

    The result maps each such notebook to the names of the answers that differ from those in the copy
    `folder`, unless they have already been imported from it. The copy need not exist.
    """
    taken = _recorded(folder).get("taken", [])
    found = {}
    for path in sorted(Path(root, "exercises").glob("*/*.ipynb")):
        copied = Path(folder, "exercises", path.parent.name, f"{path.parent.name}.ipynb")
        try:
            answers = answers_in(read(path))
            mine = answers_in(read(copied)) if answers and copied.exists() else {}
        except ValueError:  # a broken notebook
            continue
        lacking = [name for name, source in answers.items() if mine.get(name) != source]
        if lacking and content_of(path) not in taken:
            found[path] = lacking
    return found


def take(folder: str | Path, notebooks: Sequence[str | Path], root: str | Path) -> list[str]:
    """Import answers and added cells from other notebooks into the exercises of a copy of the course.

    The notebooks are not changed. Answers already written in the copy are kept, even if they differ. If an
    exercise that the student has changed in the copy receives answers or cells, its previous version is
    renamed and kept. Creates the copy if necessary. Returns a line of text for each notebook. Raises
    ValueError for a notebook that is not an exercise of the course.
    """
    folder = Path(folder)
    read_in = [(Path(path), read(path)) for path in notebooks]
    units = [_unit_of(path, notebook, root) for path, notebook in read_in]
    is_new = not is_copy(folder)
    lay_out(folder, root)
    lines = []
    for (path, mine), unit in zip(read_in, units):
        name = f"exercises/{unit}/{unit}.ipynb"
        before = read(folder / name)
        after = with_work_of(mine, before)
        answers, written = answers_in(mine), {} if is_new else answers_in(before)
        differ = [one for one in answers if one in written and written[one].strip() != answers[one].strip()]
        brought = ", ".join(one for one in answers if one not in written) or "no answers"
        said = f"{name}: now has the work in {path} ({brought})"
        if text(after) == text(before) and not is_new:  # a new copy may have been made with the work in it
            said = f"{name}: {'nothing else to take from' if differ else 'already has the work in'} {path}"
        elif not is_new and content_of(folder / name) != _recorded(folder)["files"].get(name):
            kept = _set_aside(folder / name)
            said += f"; your version so far is {kept.relative_to(folder).as_posix()}"
        if differ:
            said += (
                f"\n    Your copy already has other answers to {', '.join(differ)}, and they were kept. "
                f"To use the answers in {path} instead, copy them over in JupyterLab."
            )
        write_text(folder / name, text(after))
        record = _recorded(folder)
        _record(folder, record["files"], [*record.get("taken", []), content_of(path)])
        lines.append(said)
    return lines


def to_hand_in(folder: str | Path) -> str:
    """Return a sentence that tells students which files of their copy to hand in, and which are backups."""
    name = Path(folder, "exercises", "NN_name", "NN_name.ipynb")
    return f"Hand in {name}. Files whose names end in `_mine` are backups; you may delete them."


def _released(root: str | Path) -> dict[str, str]:
    """Return {file name: digest} for the course's files, with "" for exercises edited by a student in `root`.

    In a copy, such an exercise counts as changed, so that no update replaces the student's work.
    """
    outside = work_outside(Path(root, "no copy"), root)
    return {name: "" if path in outside else content_of(path) for name, path in files(root)}


def _unit_of(path: Path, notebook: NotebookNode, root: str | Path) -> str:
    units = [unit.name for unit in sorted(Path(root, "exercises").iterdir()) if unit.is_dir()]
    names = (notebook.metadata.get(OURS, {}).get("name"), path.stem, path.resolve().parent.name)
    found = next((name for name in names if name in units), None) if marked(notebook) else None
    if found is None:
        raise ValueError(f"{path} is not an exercise of this course; the exercises are {', '.join(units)}")
    return found


def _merge(mine: Path, released: Path, target: Path) -> bool:
    """Write `released`, with the work from `mine`, to `target`; return False if `mine` is not a notebook."""
    try:
        notebook = with_work_of(read(mine), read(released))
    except ValueError:
        return False
    write_text(target, text(notebook))
    return True


def _lacks_cells(mine: Path, released: Path) -> bool:
    """Return whether the student's notebook `mine` lacks cells of `released` that grading needs."""
    try:
        return bool(marked(read(released)).keys() - marked(read(mine)).keys())
    except ValueError:  # not a notebook, or a broken one
        return False


def find(start: str | Path) -> Path | None:
    """Return the copy of the course that contains the folder `start`, or None if there is none."""
    start = Path(start).resolve()
    return next((folder for folder in (start, *start.parents) if is_copy(folder)), None)


def _updating(copy: Path) -> str:
    """Return the command that updates a copy, as a student in the current folder would write it."""
    here = Path.cwd()
    return f"`minibert course {'.' if copy == here else copy} --update`"


def is_copy(folder: str | Path) -> bool:
    """Return whether a folder is a student's copy of the course, created by `lay_out`."""
    return Path(folder, RECORD).is_file()


def files(root: str | Path) -> Iterator[tuple[str, Path]]:
    """Yield (name in the student's copy, path in `root`) for each file of the course, in sorted order."""
    for kind in KINDS:
        for path in sorted(Path(root, kind).rglob("*")):
            if path.is_file() and path.suffix in (".ipynb", ".md") and ".ipynb_checkpoints" not in path.parts:
                yield path.relative_to(root).as_posix(), path


def content_of(path: Path) -> str:
    """Return a hash of a file's content.

    For a notebook, only the cell sources count, so running it does not change the hash. Line endings and
    newlines at the end of the file are ignored.
    """
    if path.suffix == ".ipynb":
        try:
            data = json.dumps([cell.source.rstrip("\n") for cell in read(path).cells]).encode()
        except ValueError:  # a student can break the file
            data = path.read_bytes()
    else:
        data = path.read_bytes().replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    return sha256(data).hexdigest()


def notebook_of(root: str | Path, unit: str | None, exercise: bool = False, in_class: bool = False) -> str:
    """Return the file name of a unit's lesson, relative to the student's copy of the course.

    root: the folder of the course. unit: the unit's number or part of its name; unit 1 by default. exercise:
    return the exercise instead. in_class: return the lesson for use in class instead. Raises ValueError if
    there is no such notebook.
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
        what = "exercise" if exercise else "in-class lesson" if in_class else "lesson"
        raise ValueError(
            f"there is no {what} {unit!r}; choose one of {', '.join(Path(name).stem for name in known)}"
            f"{did_you_mean(unit, [Path(name).stem for name in known])}"
        )
    return found[0]


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    write_text(target, path.read_text(encoding="utf-8"))


def _set_aside(path: Path) -> Path:
    numbers = ("", *range(2, 1000))
    free = (path.with_name(f"{path.stem}_mine{number}{path.suffix}") for number in numbers)
    return path.rename(next(name for name in free if not name.exists()))


def _recorded(folder: str | Path) -> dict[str, Any]:
    path = Path(folder, RECORD)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _record(folder: Path, contents: dict[str, str], taken: Sequence[str] | None = None) -> None:
    taken = _recorded(folder).get("taken", []) if taken is None else taken
    write_text(folder / RECORD, json.dumps({"files": contents, "taken": taken}, indent=1) + "\n")
