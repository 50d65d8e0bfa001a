"""Copy for a student's process only the parts of the package that it needs.

Public source cannot be hidden, but it need not be next to the answer. `copy_machinery` copies the files that
a kernel needs to start, none of which contains an answer. For the rest, `left_out.py` supplies placeholders
and the definitions that `package_pieces.py` extracts. Reference solutions run only in the trusted process.

In bubblewrap, nothing else can be reached. A container can reach everything in its image, so the image should
contain only the libraries. With `limits` and `none`, a student who searches this machine's files can still
find the package.
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
    """Return the paths, relative to the package, of the files that a student's process needs to start."""
    return tuple(
        sorted(
            path.relative_to(PACKAGE).as_posix() for pattern in MACHINERY for path in PACKAGE.glob(pattern)
        )
    )


def copy_machinery(folder: Path) -> None:
    """Copy only the start-up files of `minibert` to `folder`, and make them readable by all users."""
    for name in machinery():
        source, place = PACKAGE / name, folder / "minibert" / name
        make_readable_folders(place.parent, folder)
        shutil.copy2(source, place)
        place.chmod(0o644)
        for compiled in source.parent.glob(f"__pycache__/{source.stem}.cpython-*.pyc"):
            make_readable_folders(place.parent / "__pycache__", folder)
            shutil.copy2(compiled, place.parent / "__pycache__")  # stay valid: copy2 keeps modification times


def make_readable_folders(place: Path, top: Path) -> None:
    """Create `place` and its parent folders from `top` downwards, and make them readable by every user."""
    for folder in reversed([place, *place.parents]):
        if folder == top or top in folder.parents:
            folder.mkdir(mode=0o755, exist_ok=True)


@functools.cache
def absent_modules() -> dict[str, bool]:
    """Return a dict that maps each minibert module that is not copied to whether it is a package."""
    here = set(machinery())
    names = {}
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).as_posix() not in here:
            whole = path.stem == "__init__"
            parts = (path.parent if whole else path.with_suffix("")).relative_to(PACKAGE).parts
            names[".".join(["minibert", *parts])] = whole
    return names


def copies_inside(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of all copies of this package in the Python installations inside `folders`."""
    found = {PACKAGE} if any(folder in PACKAGE.parents for folder in folders) else set()
    for folder in folders:
        for lib in ("lib*", "local/lib*"):  # not deeper, because the whole tree takes a second per kernel
            found |= {path for path in folder.glob(f"{lib}/*/*-packages/minibert") if path.is_dir()}
    return sorted(found)
