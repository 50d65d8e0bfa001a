"""The version and the commit, as `minibert --version` prints them."""

import subprocess
from pathlib import Path

from .. import __version__


def version_line() -> str:
    """Return the version, and the commit if it is known: "minibert 0.1.0 (commit 1a2b3c4d)".

    In a clone, git knows the commit; "-dirty" means that files differ from it. A release has it in a file.
    """
    package = Path(__file__).parents[1]
    try:
        if Path(package.parent, ".git").exists():
            command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
            commit = subprocess.run(command, cwd=package, capture_output=True, text=True, check=True).stdout
        else:
            commit = Path(package, "commit.txt").read_text(encoding="utf-8")
    except (OSError, subprocess.CalledProcessError):
        return f"minibert {__version__}"
    return f"minibert {__version__} (commit {commit.strip()})"
