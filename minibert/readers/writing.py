"""Functions that write text files atomically, with errors that name the file.

A file is written under a temporary name and then renamed, so that nobody reads half a file.
"""

import os
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

    After an error, the previous file still exists. Raises OSError, naming the file.
    """
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    try:
        with naming(path), open(partial, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


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
    """Return the path of a file to write. Raises ValueError if it is a folder or cannot be created."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, but a file is needed")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    check_writable(path.parent)
    return path


def check_writable(folder: Path) -> None:
    """Raise ValueError unless a file can be created in a folder; permissions alone do not show this."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to ({error.strerror})") from None
