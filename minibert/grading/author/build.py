"""Builds notebooks from their text sources, and exercises from solutions with nbgrader's generate_assignment.

    lessons/NN.nb.py -> lessons/NN.ipynb
    solutions/NN/NN.nb.py -> solutions/NN/NN.ipynb -> exercises/NN/NN.ipynb

Everything is built in a temporary folder first. `build` then copies what changed; `--check` compares byte by
byte and applies the rules of `notebook_rules.py`.
"""
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..notebook import SUFFIX, SourceError, field, from_source, read, text
from . import notebook_rules
from .temporary_course import CourseError, course

FOLDERS = ("lessons", "solutions", "exercises")
NEVER_RELEASED = ("__pycache__", ".ipynb_checkpoints", ".pyc", SUFFIX)  # parts or endings of a path


def build(root: str | Path, check: bool = False, names: Sequence[str] = ()) -> list[str]:
    """Bring all notebooks up to date, or only compare them (`check`); returns the problems, one line each.

    root: the repository. names: units such as "01_self_supervision", or their first letters; default: all.
    Raises ValueError for a name that fits no unit.
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
            problems += install(root, made)
    return list(dict.fromkeys(problems))


def find_sources(root: Path, names: Sequence[str] = ()) -> list[Path]:
    """Text sources of the chosen units, as paths relative to `root`."""
    found = sorted(root.glob(f"lessons/*{SUFFIX}")) + sorted(root.glob(f"solutions/*/*{SUFFIX}"))
    found = [path.relative_to(root) for path in found]
    for name in names:
        if not any(unit(path).startswith(name) for path in found):
            raise ValueError(
                f"no unit {name!r}; there are {', '.join(sorted({unit(path) for path in found}))}")
    return [path for path in found if not names or any(unit(path).startswith(name) for name in names)]


def unit(path: str | Path) -> str:
    """The unit of a path such as lessons/01_x.nb.py, solutions/01_x/01_x.nb.py or exercises/01_x/data.csv."""
    return Path(path).parts[1].removesuffix(SUFFIX).removesuffix(".ipynb")


def make(root: Path, made: Path, sources: Iterable[Path]) -> list[str]:
    """Build `sources` of `root` into the folder `made`; returns the problems."""
    problems, assignments = [], []
    for source in sources:
        target = made / notebook_of(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            target.write_bytes(text(from_source((root / source).read_text("utf-8"), source.name)).encode())
        except SourceError as error:
            problems.append(f"{source}: {error}")
            continue
        if source.parts[0] == "solutions":
            assignments.append(source.parts[1])
    return problems + release(root, made, assignments)


def release(root: Path, made: Path, assignments: Iterable[str]) -> list[str]:
    """Make exercises/ from the solutions in `made` and the files beside them; returns the problems."""
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
    """The notebook that is built from a source."""
    return source.with_name(source.name.removesuffix(SUFFIX) + ".ipynb")


def built(folder: Path) -> list[Path]:
    """The files under lessons, solutions and exercises that a build may make, sorted."""
    paths = [path for name in FOLDERS for path in (folder / name).rglob("*") if path.is_file()]
    return sorted(path for path in paths if not any(part.endswith(NEVER_RELEASED) for part in path.parts))


def compare(root: Path, made: Path, sources: Iterable[Path], everything: bool) -> list[str]:
    """Problems of the repository's notebooks: missing, left over, with outputs, or other than just built.

    everything: all units were built, so that any other notebook is left over.
    """
    units = {unit(source) for source in sources}
    expected = {path.relative_to(made) for path in built(made)}
    present = {path.relative_to(root) for path in built(root)
               if path.suffix == ".ipynb" or path.relative_to(root).parts[0] == "exercises"}
    present = {path for path in present if everything or unit(path) in units}
    problems = [f"{path}: missing; run `minibert build`" for path in expected - present]
    problems += [f"{path}: left over, nothing makes it; delete it" for path in present - expected]
    for path in expected & present:
        if path.suffix == ".ipynb" and notebook_rules.has_outputs(root / path):
            problems.append(f"{path}: carries outputs; run `minibert build`")
        elif (root / path).read_bytes() != (made / path).read_bytes():
            problems.append(f"{path}: stale or edited by hand; change its source, then run `minibert build`")
            if path.suffix == ".ipynb":
                problems += notebook_rules.check(root, [root / path])
    return sorted(problems)


def install(root: Path, made: Path) -> list[str]:
    """Copy what changed into the repository; returns the problems.

    An exercise that holds somebody's answers is reported and not overwritten.
    """
    problems = []
    for path in built(made):
        target = root / path.relative_to(made)
        if target.exists() and target.read_bytes() == path.read_bytes():
            continue
        if target.exists() and answered(target):
            problems.append(
                f"{path.relative_to(made)}: holds somebody's answers, not overwritten; move it away first")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        print(f"built {path.relative_to(made)}")
    return problems


def answered(path: Path) -> bool:
    """Whether the file is a released exercise in which an answer cell has been changed."""
    if path.suffix != ".ipynb" or path.parts[-3] != "exercises":
        return False
    from nbgrader.utils import compute_checksum

    answers = [cell for cell in read(path).cells if field(cell, "solution")]
    return any(field(cell, "checksum") not in (None, compute_checksum(cell)) for cell in answers)


def main(check: bool = False, names: Sequence[str] = (), root: str | Path = ".") -> int:
    """The command `minibert build`: prints what it built or found; returns the exit status."""
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
