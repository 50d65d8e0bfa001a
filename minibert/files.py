"""Files that are written whole or not at all, and errors that name the file."""
import os
from pathlib import Path


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except PermissionError:
        return  # a folder on Windows, which needs no such thing
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
