"""The values that options may have: each function takes the text of an option and returns the value.

They are `type`s for argparse.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from ..readers.writing import check_folder, check_writable


def whole(least: int) -> Callable[[str], int]:
    """A type for whole numbers of `least` or more."""

    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return int(text)

    return number


def share(text: str) -> float:
    """A type for a share or a learning rate: above 0, at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1")
    return value


def new_folder(text: str) -> Path:
    """A type for a folder to write to, which need not exist yet."""
    try:
        return check_folder(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def new_file(text: str) -> Path:
    """A type for a file to write, in a folder that exists."""
    path = Path(text)
    if not text or path.is_dir():
        raise argparse.ArgumentTypeError(
            f"{path} is a folder, and a file is needed" if text else "the name of a file is empty"
        )
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path}: there is no folder {path.parent}")
    try:
        check_writable(path.parent)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return path
