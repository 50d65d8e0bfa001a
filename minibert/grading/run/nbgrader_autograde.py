"""Plain `nbgrader autograde` with answers in the sandbox and tests beside it: takes the place of nbgrader's
Execute.

`nbgrader_config.py` names it among `Autograde.autograde_preprocessors`.
"""
import os
from pathlib import Path

from nbgrader.preprocessors import Execute
from traitlets import Dict

from ..sandbox import containment as sandbox
from ..sandbox.limits import Policy
from .two_processes import execute


class SandboxedExecute(Execute):
    """Execute a submission by `twin.execute`. Which sandbox, the environment variable MINIBERT_SANDBOX says,
    or `policy`.
    """

    policy = Dict(
        help="Fields of minibert.grading.sandbox.limits.Policy, such as {'cell_seconds': 120}.").tag(
            config=True)

    def preprocess(self, nb, resources, km=None):
        """Outputs into `nb`, each problem into the log. Raises SandboxError where the sandbox is not to be
        had.
        """
        policy = Policy(**{"sandbox": sandbox.chosen(), **self.policy})
        if policy.sandbox == "none" and not hasattr(os, "fork"):
            # Windows: tests and answers in one kernel, all of it trusted
            return super().preprocess(nb, resources, km)
        executed = execute(nb, policy, files_beside(resources))
        for problem in executed.problems:
            self.log.warning("%s", problem)
        return executed.notebook, resources


def files_beside(resources):
    """{name: bytes} of the other files in the folder of the notebook."""
    folder = Path(resources.get("metadata", {}).get("path") or ".")
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
             and path.suffix != ".ipynb"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
