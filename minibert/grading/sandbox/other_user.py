"""Makes a submission's process another user than root, for machines where bubblewrap cannot start.

A container that grades one submission runs everything as root, and mostly allows no namespaces. As another
user, an answer cannot read the hidden tests, write its own result, or look into the grader. It still has the
network, and sees what everyone may read.
"""

import os
import sys
from pathlib import Path

USERS = range(20_000, 60_000)  # what root turns into: numbers that few people have


def is_root() -> bool:
    """Whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def needed_folders() -> list[Path]:
    """The folders that Python is read from; the package's copy lies in the folder that the user gets."""
    return [Path(sys.prefix), Path(sys.base_prefix)]


def open_to_others(folder: Path) -> bool:
    """Whether every user may read a folder: it, and each folder above, may be entered by all."""
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents)) and bool(
        folder.stat().st_mode & 0o004
    )


def can_change_user() -> bool:
    """Whether this process is root, and another user could read what Python needs."""
    return is_root() and all(map(open_to_others, needed_folders()))


def change_user(folder: str | Path) -> int | None:
    """Become a user with a number of its own for good, and give it `folder`; returns the number.

    Returns None, and changes nothing, where that is not possible.
    """
    if not can_change_user():
        return None
    user = USERS[os.getpid() % len(USERS)]
    for place in (Path(folder), *Path(folder).rglob("*")):
        os.chown(place, user, user, follow_symlinks=False)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    return user
