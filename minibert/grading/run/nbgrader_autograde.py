"""Run answers in the sandbox, and tests outside it, during plain `nbgrader autograde`.

`nbgrader_config.py` lists this replacement for nbgrader's Execute in `Autograde.autograde_preprocessors`.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import traitlets
from nbformat import NotebookNode
from nbgrader.preprocessors import Execute

from ..sandbox.availability import chosen_sandbox
from ..sandbox.limits import Policy
from .execute_notebook import execute


class SandboxedExecute(Execute):
    """A preprocessor that executes a submission with `execute_notebook.execute`.

    The sandbox is set by `policy` or, by default, by the environment variable MINIBERT_SANDBOX.
    """

    policy: traitlets.Dict = traitlets.Dict(
        help="Fields of minibert.grading.sandbox.limits.Policy, such as {'exercise_seconds': 120}."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        """Execute the notebook, log any problems, and return (executed notebook, unchanged resources).

        Raises SandboxError if the sandbox is not available.
        """
        policy = Policy(**{"sandbox": chosen_sandbox(), **self.policy})
        if policy.sandbox == "none" and not hasattr(os, "fork"):
            # On Windows, tests and answers share one kernel, and all of it is trusted.
            return super().preprocess(nb, resources, km)
        executed = execute(nb, policy, files_beside(resources))
        for problem in executed.problems:
            self.log.warning("%s", problem)
        return executed.notebook, resources


def files_beside(resources: Mapping[str, Any]) -> dict[str, bytes]:
    """Read the other files in the notebook's folder, as a dict that maps names to contents."""
    folder = Path(resources.get("metadata", {}).get("path") or ".")
    paths = [
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.suffix != ".ipynb"
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
