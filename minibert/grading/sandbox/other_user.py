"""Switch from root to another user on machines where bubblewrap cannot start.

Containers that grade one submission usually run as root and allow no namespaces. As another user, an answer
cannot read the hidden tests, write its own result or access the grader's memory; it can still use the network
and every file that all users may read.
"""

import os
import sys
from pathlib import Path

USERS = range(20_000, 60_000)  # user ids for root to switch to; few real users have them


def is_root() -> bool:
    """Return whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def needed_folders() -> list[Path]:
    """Return the folders from which Python loads its standard library and other packages, except this one."""
    return [Path(sys.prefix), Path(sys.base_prefix)]


def open_to_others(folder: Path) -> bool:
    """Return whether every user may read a folder and enter all folders above it."""
    return all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents)) and bool(
        folder.stat().st_mode & 0o004
    )


def can_change_user() -> bool:
    """Return whether this process is root and another user could read the files that Python needs."""
    return is_root() and all(map(open_to_others, needed_folders()))


def change_user(folder: str | Path) -> int | None:
    """Permanently switch this process to an unprivileged user who owns `folder`, and return the user id.

    If this is not possible, return None and change nothing.
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
