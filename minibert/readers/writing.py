"""Functions that write text files atomically, with errors that name the file.

A file is written under a temporary name and then renamed, so that nobody reads half a file. A symbolic link
stays, and its target is replaced; a pipe or a device, such as /dev/stdout, is written to directly.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 file atomically, so that it is either complete or unchanged afterwards."""
    with writing(path) as file:
        file.write(text)


@contextmanager
def writing(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 file for writing, under a temporary name until the `with` block ends.

    After an error, the previous file still exists. A new version of a file keeps its permissions. If several
    processes write the same file, the last one wins. Raises OSError, naming the file.
    """
    path = Path(path)
    if is_special(path):
        with naming(path), open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    place = Path(os.path.realpath(path))
    partial = place.with_name(f"{place.name}.{os.getpid()}.partial")
    try:
        with naming(path), open(partial, "w", encoding="utf-8", newline="\n") as file:
            yield file
        if place.exists():
            shutil.copymode(place, partial)
        os.replace(partial, place)
    finally:
        partial.unlink(missing_ok=True)


def is_special(path: Path) -> bool:
    """Return whether a path is a pipe or a device, which must not be replaced by a file."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Add the name of the file to an OSError that lacks it, inside a `with` block."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def sync(path: Path) -> None:
    """Wait until the content of a file, or the list of files in a folder, is on disk."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:
        return  # a folder on Windows, where this is unnecessary
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_folder(path: str | Path) -> Path:
    """Return the path of a folder to write to. Raises ValueError if it cannot be created or written to."""
    if not str(path):
        raise ValueError("the name of a folder is empty")
    path = Path(path)
    above = next((place for place in (path, *path.parents) if place.exists()), path)
    if not above.is_dir():
        raise ValueError(f"{above} is a file, but a folder is needed")
    check_writable(above)
    return path


def check_file(path: str | Path) -> Path:
    """Return the path of a file to write. Raises ValueError if it is a folder or cannot be written."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, but a file is needed")
    if path.exists() and not os.access(path, os.W_OK):
        raise ValueError(f"{path} cannot be written to (it is write-protected)")
    if is_special(path):
        return path
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if not folder.is_dir():
        raise ValueError(f"{path}: there is no folder {folder}")
    check_writable(folder)
    return path


def check_writable(folder: Path) -> None:
    """Raise ValueError unless a file can be created in a folder; permissions alone do not show this."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to ({error.strerror})") from None
