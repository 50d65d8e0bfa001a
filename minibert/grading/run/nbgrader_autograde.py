"""Plain `nbgrader autograde` with answers in the sandbox and tests outside it: replaces nbgrader's Execute.

`nbgrader_config.py` names it among `Autograde.autograde_preprocessors`.
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
    """Executes a submission by `execute_notebook.execute`.

    The environment variable MINIBERT_SANDBOX or `policy` says in which sandbox.
    """

    policy: traitlets.Dict = traitlets.Dict(
        help="Fields of minibert.grading.sandbox.limits.Policy, such as {'exercise_seconds': 120}."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        """The executed notebook; problems go into the log. Raises SandboxError without the sandbox."""
        policy = Policy(**{"sandbox": chosen_sandbox(), **self.policy})
        if policy.sandbox == "none" and not hasattr(os, "fork"):
            # Windows: tests and answers in one kernel, all of it trusted
            return super().preprocess(nb, resources, km)
        executed = execute(nb, policy, files_beside(resources))
        for problem in executed.problems:
            self.log.warning("%s", problem)
        return executed.notebook, resources


def files_beside(resources: Mapping[str, Any]) -> dict[str, bytes]:
    """{name: bytes} of the other files in the folder of the notebook."""
    folder = Path(resources.get("metadata", {}).get("path") or ".")
    paths = [
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.suffix != ".ipynb"
    ]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
