"""Build notebooks from text sources, and use nbgrader to make exercises from solutions.

    lessons/NN.nb.py -> lessons/NN.ipynb
    solutions/NN/NN.nb.py -> solutions/NN/NN.ipynb -> exercises/NN/NN.ipynb
    lessons/terms.txt and all lessons -> lessons/glossary.md

Everything is first built in a temporary folder. `build` then copies the files that changed; `--check` instead
compares them byte by byte and applies the rules of `notebook_rules.py`.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from nbformat import NotebookNode

from ..notebook import OURS, SUFFIX, SourceError, field, identities, read
from . import glossary, notebook_rules
from .shared_texts import notebook_text
from .temporary_course import CourseError, course

FOLDERS = ("lessons", "solutions", "exercises")
NEVER_RELEASED = ("__pycache__", ".ipynb_checkpoints", ".pyc", SUFFIX)  # file name suffixes


def build(root: str | Path, check: bool = False, names: Sequence[str] = ()) -> list[str]:
    """Bring notebooks up to date or, if `check` is set, only report problems such as outdated notebooks.

    `root` is the repository. `names` selects units such as "01_self_supervision", by name or prefix; by
    default all are selected. Returns a list of problems, one line each. Raises ValueError for a name that
    matches no unit.
    """
    root = Path(root).resolve()
    sources = find_sources(root, names)
    with tempfile.TemporaryDirectory(prefix="minibert-build-") as folder:
        made = Path(folder).resolve()
        problems = make(root, made, sources)
        if check:
            problems += notebook_rules.check(made, [path for path in built(made) if path.suffix == ".ipynb"])
            problems += compare(root, made, sources, everything=not names)
        else:
            problems += install(root, made, sources, everything=not names)
    return list(dict.fromkeys(problems))


def find_sources(root: Path, names: Sequence[str] = ()) -> list[Path]:
    """Return the paths, relative to `root`, of the source files of the selected units."""
    found = sorted(root.glob(f"lessons/*{SUFFIX}")) + sorted(root.glob(f"solutions/*/*{SUFFIX}"))
    found = [path.relative_to(root) for path in found]
    for name in names:
        if not any(unit(path).startswith(name) for path in found):
            raise ValueError(
                f"no unit matches {name!r}; the units are {', '.join(sorted({unit(path) for path in found}))}"
            )
    return [path for path in found if not names or any(unit(path).startswith(name) for name in names)]


def unit(path: str | Path) -> str:
    """Return the unit that a path belongs to: 01_x for lessons/01_x.nb.py or exercises/01_x/data.csv."""
    return Path(path).parts[1].removesuffix(SUFFIX).removesuffix(".ipynb")


def make(root: Path, made: Path, sources: Iterable[Path]) -> list[str]:
    """Build notebooks in the folder `made` from `sources` (paths in `root`), and return any problems."""
    problems, assignments = [], []
    for source in sources:
        target = made / notebook_of(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            target.write_bytes(notebook_text(root / source, root, unit(source)).encode())
        except SourceError as error:
            problems.append(f"{source}: {error}")
            continue
        if source.parts[0] == "solutions":
            assignments.append(source.parts[1])
    if (root / "lessons" / glossary.TERMS).exists():
        page = made / "lessons" / "glossary.md"
        page.parent.mkdir(exist_ok=True)
        page.write_bytes(glossary.glossary(root / "lessons").encode())
    return problems + release(root, made, assignments)


def release(root: Path, made: Path, assignments: Iterable[str]) -> list[str]:
    """Generate exercises from the solutions in `made` and the data files in `root`; return any problems."""
    problems = []
    with course(root, assignments) as temporary:
        for assignment in assignments:
            folder = temporary.folder / "solutions" / assignment
            for stale in folder.glob("*.ipynb"):
                stale.unlink()
            shutil.copytree(made / "solutions" / assignment, folder, dirs_exist_ok=True)
            try:
                exercise = temporary.generate(assignment, gradebook=False)
            except CourseError as error:
                problems.append(f"solutions/{assignment}: {error}")
                continue
            shutil.copytree(exercise, made / "exercises" / assignment)
    return problems


def notebook_of(source: Path) -> Path:
    """Return the path of the notebook that is built from a text source."""
    return source.with_name(source.name.removesuffix(SUFFIX) + ".ipynb")


def built(folder: Path) -> list[Path]:
    """Return a sorted list of the files in lessons, solutions and exercises that a build may create."""
    paths = [path for name in FOLDERS for path in (folder / name).rglob("*") if path.is_file()]
    return sorted(path for path in paths if not any(part.endswith(NEVER_RELEASED) for part in path.parts))


def compare(root: Path, made: Path, sources: Iterable[Path], everything: bool) -> list[str]:
    """Return a line for each notebook that is missing, left over or out of date, or that contains outputs.

    `root` is the repository, `made` the folder of newly built notebooks. If `everything` was built, any other
    notebook in the repository is left over.
    """
    extra = left_over(root, made, sources, everything)
    expected = {path.relative_to(made) for path in built(made)}
    present = {path for path in expected if (root / path).exists()}
    problems = [f"{path}: missing; run `minibert build`" for path in expected - present]
    problems += [f"{path}: left over, no source builds it; delete it" for path in extra]
    for path in present:
        if path.suffix == ".ipynb" and notebook_rules.has_outputs(root / path):
            problems.append(f"{path}: contains outputs; run `minibert build`")
        elif (root / path).read_bytes() != (made / path).read_bytes():
            problems.append(
                f"{path}: out of date or edited by hand; edit its source, then run `minibert build`"
            )
            if path.suffix == ".ipynb":
                problems += notebook_rules.check(root, [root / path])
    return sorted(problems)


def install(root: Path, made: Path, sources: Iterable[Path], everything: bool) -> list[str]:
    """Copy changed files into the repository, delete exercises without a source, and return any problems.

    Prints the name of each file that is written or deleted. Never overwrites an exercise that contains
    somebody's answers, and keeps any other file that a person may have created. The parameters are the same
    as for `compare`.
    """
    problems, unchanged = [], 0
    for path in built(made):
        name = path.relative_to(made)
        target = root / name
        if target.exists() and target.read_bytes() == path.read_bytes():
            unchanged += 1
        elif target.exists() and answered(target):
            problems.append(
                f"{name}: contains somebody's answers and was not overwritten; move it elsewhere first"
            )
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(target.name + ".partial")
            shutil.copyfile(path, partial)
            os.replace(partial, target)  # atomic, so an interruption leaves the old file intact
            print(f"built {name}")
    print(f"{unchanged} {'file' if unchanged == 1 else 'files'} unchanged")
    for name in left_over(root, made, sources, everything):
        if untouched(root / name):
            (root / name).unlink()
            print(f"deleted {name}: no source builds it any more")
        else:
            print(f"kept {name}: no source builds it, but somebody may need it")
    return problems


def left_over(root: Path, made: Path, sources: Iterable[Path], everything: bool) -> list[Path]:
    """Return a sorted list of the repository's notebooks and exercise files that are built from no source."""
    units = {unit(source) for source in sources}
    expected = {path.relative_to(made) for path in built(made)}
    present = {
        path.relative_to(root)
        for path in built(root)
        if path.suffix == ".ipynb" or path.relative_to(root).parts[0] == "exercises"
    }
    return sorted(path for path in present - expected if everything or unit(path) in units)


def answered(path: Path) -> bool:
    """Return whether the file is a released exercise in which an answer cell has been changed."""
    return is_exercise(path) and any(
        changed_since_release(cell) for cell in read(path).cells if field(cell, "solution")
    )


def untouched(path: Path) -> bool:
    """Return whether an exercise is exactly as it was released, with no cell changed, added or run."""
    if not is_exercise(path) or notebook_rules.has_outputs(path):
        return False
    notebook = read(path)
    ids = identities(notebook, notebook.metadata.get(OURS, {}).get("name", "") + SUFFIX)
    return (
        not any(map(changed_since_release, notebook.cells))
        and [cell.get("id") for cell in notebook.cells] == ids
    )


def is_exercise(path: Path) -> bool:
    """Return whether a path belongs to a notebook in exercises/."""
    return path.suffix == ".ipynb" and path.parts[-3] == "exercises"


def changed_since_release(cell: NotebookNode) -> bool:
    """Return whether a cell that nbgrader manages has been changed since its release."""
    from nbgrader.utils import compute_checksum

    released = field(cell, "checksum")
    return released is not None and released != compute_checksum(cell)


def main(check: bool = False, names: Sequence[str] = (), root: str | Path = ".") -> int:
    """Run `minibert build`: print what was built or found, and return the exit status."""
    try:
        problems = build(root, check, names)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print("All notebooks are up to date.")
    return int(bool(problems))
