"""Open a student's copy of the course in JupyterLab."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

# hides nbgrader's buttons, which are for instructors, and Jupyter's news
SETTINGS = Path(__file__).with_name("jupyter")


def lab(folder: str | Path, notebook: str, options: Sequence[str] = ()) -> int:
    """Open a notebook in JupyterLab, wait until JupyterLab is closed, and return its exit status.

    folder: a copy of the course, which becomes JupyterLab's root so that links between lessons and exercises
    work. notebook: the file to open, relative to the folder. options: other command-line options for
    JupyterLab, such as --no-browser.
    """
    return subprocess.call(command(folder, notebook, options), env=environment())


def command(folder: str | Path, notebook: str, options: Sequence[str] = ()) -> list[str]:
    """Return the command line that opens a notebook in JupyterLab, with `folder` as JupyterLab's root."""
    return [
        *(sys.executable, "-m", "jupyterlab"),
        f"--ServerApp.root_dir={Path(folder).resolve()}",
        f"--LabApp.default_url=/lab/tree/{quote(notebook)}",
        *options,
    ]


def environment() -> dict[str, str]:
    """Return the environment variables for starting JupyterLab in a student's copy of the course."""
    paths = [str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    return {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join(paths)}
