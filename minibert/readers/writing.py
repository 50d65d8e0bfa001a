"""Text files that are written whole or not at all, and errors that name the file.

A file is first written beside its place, under its name with `.partial`, and then renamed: a program that
reads it never finds half of it.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 file, whole or not at all."""
    with writing(path) as file:
        file.write(text)


@contextmanager
def writing(path: str | Path) -> Iterator[TextIO]:
    """Context manager: open a UTF-8 file for writing; it takes its name when it is whole.

    After an error, the file that was there before is still there. Raises OSError, naming the file.
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
    """Context manager: let an OSError that names no file name this one.

    A write to a full disk does not know which file it writes.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:
        return  # a folder on Windows, which needs no such thing
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_folder(path: str | Path) -> Path:
    """Return the path of a folder to write to. Raises ValueError if it cannot be made or written to."""
    if not str(path):
        raise ValueError("the name of a folder is empty")
    path = Path(path)
    above = next((place for place in (path, *path.parents) if place.exists()), path)
    if not above.is_dir():
        raise ValueError(f"{above} is a file, and a folder is needed")
    check_writable(above)
    return path


def check_file(path: str | Path) -> Path:
    """Return the path of a file to write. Raises ValueError for a folder, or if it cannot be made."""
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path} is a folder, and a file is needed")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    check_writable(path.parent)
    return path


def check_writable(folder: Path) -> None:
    """Raise ValueError unless a file can be made in an existing folder; permissions alone do not tell."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ValueError(f"{folder} cannot be written to ({error.strerror})") from None
