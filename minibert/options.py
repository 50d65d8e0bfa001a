"""What an option of the command line may hold: each function takes the text and returns the value, for
argparse's `type`.
"""
import argparse
from pathlib import Path


def whole(least):
    """A type for whole numbers of `least` or more."""
    def number(text):
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return int(text)
    return number


def share(text):
    """A part of something: above 0, at most 1."""
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and at most 1")
    return value


def new_folder(text):
    """The path of a folder to write to; it may be made, but not below a file."""
    path = Path(text)
    above = next((place for place in (path, *path.parents) if place.exists()), path)
    if not text or not above.is_dir():
        raise argparse.ArgumentTypeError(f"{above} is a file, and a folder is needed" if text
                                         else "the name of a folder is empty")
    return path


def new_file(text):
    """The path of a file to write, in a folder that is there."""
    path = Path(text)
    if not text or path.is_dir():
        raise argparse.ArgumentTypeError(f"{path} is a folder, and a file is needed" if text
                                         else "the name of a file is empty")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{path}: there is no folder {path.parent}")
    return path
