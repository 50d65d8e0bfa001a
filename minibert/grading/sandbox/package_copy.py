"""The package as a student's process gets it: what the process runs on, and what the set-up cells need.

Public source cannot be hidden, but it need not lie beside the answer. `copy_machinery` writes into a kernel's
own folder the files that the kernel starts with: the engine of the checks and the student's end of the wire,
none of which holds an answer. The whole package stays outside; in its place `left_out.py` imports stand-ins,
and the pieces that `package_pieces.py` cuts for the assignment. References, versions and known mistakes run
in the trusted process alone. What this is worth: in bubblewrap nothing else of the package can be reached. A
container has what its image has, so its image needs the libraries only. With `limits` and `none` the
copy is what `import` finds, and somebody who reads this machine's files still finds the package.
"""

import functools
import shutil
from collections.abc import Iterable
from pathlib import Path

import minibert

PACKAGE = Path(minibert.__file__).resolve().parent
MACHINERY = (
    "__init__.py",
    "course/__init__.py",
    "course/checks/*.py",
    "grading/__init__.py",
    "grading/run/__init__.py",
    "grading/run/bounded_output.py",
    "grading/run/student_kernel_main.py",
    "grading/sandbox/__init__.py",
    "grading/sandbox/limits.py",
    "grading/sandbox/left_out.py",
    "grading/sandbox/library_words.py",
    "grading/sandbox/other_user.py",
    "grading/wire/*.py",
)


@functools.cache
def machinery() -> tuple[str, ...]:
    """The files below the package that a student's process starts with."""
    return tuple(
        sorted(
            path.relative_to(PACKAGE).as_posix() for pattern in MACHINERY for path in PACKAGE.glob(pattern)
        )
    )


def copy_machinery(folder: Path) -> None:
    """Write `minibert` with its machinery, and nothing else, into `folder`; every user may read it."""
    for name in machinery():
        source, place = PACKAGE / name, folder / "minibert" / name
        make_readable_folders(place.parent, folder)
        shutil.copy2(source, place)
        place.chmod(0o644)
        for compiled in source.parent.glob(f"__pycache__/{source.stem}.cpython-*.pyc"):
            make_readable_folders(place.parent / "__pycache__", folder)
            shutil.copy2(compiled, place.parent / "__pycache__")  # valid still: the file's time is kept


def make_readable_folders(place: Path, top: Path) -> None:
    """Create a folder with its parents below and including `top`, all readable for every user."""
    for folder in reversed([place, *place.parents]):
        if folder == top or top in folder.parents:
            folder.mkdir(mode=0o755, exist_ok=True)


@functools.cache
def absent_modules() -> dict[str, bool]:
    """The package's modules outside the machinery: name -> whether it is a package."""
    here = set(machinery())
    names = {}
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).as_posix() not in here:
            whole = path.stem == "__init__"
            parts = (path.parent if whole else path.with_suffix("")).relative_to(PACKAGE).parts
            names[".".join(["minibert", *parts])] = whole
    return names


def copies_inside(folders: Iterable[Path]) -> list[Path]:
    """The folders with the whole package that lie in one of `folders`: ours, and installed copies."""
    found = {PACKAGE} if any(folder in PACKAGE.parents for folder in folders) else set()
    for folder in folders:
        found |= {path for path in folder.glob("lib*/**/*-packages/minibert") if path.is_dir()}
    return sorted(found)
