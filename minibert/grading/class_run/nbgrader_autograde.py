"""Grade submissions as `minibert grade` does during plain `nbgrader autograde`.

`nbgrader_config.py` lists this replacement for nbgrader's Execute in `Autograde.autograde_preprocessors`.
"""

import json
import os
from pathlib import Path
from typing import Any

import nbformat
import traitlets
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import Execute

from ..author.assignment_bundle import make_bundle
from ..intake.as_bytes import to_bytes
from ..notebook import text
from ..sandbox.availability import chosen_sandbox
from ..sandbox.limits import Policy
from .grade_class import hidden_seed
from .grade_submission import grade_submission


class SandboxedExecute(Execute):
    """A preprocessor that replaces a submission by what `grade_submission` makes of it.

    The sandbox is set by `policy` or, by default, by the environment variable MINIBERT_SANDBOX.
    """

    policy: traitlets.Dict = traitlets.Dict(
        help="Fields of minibert.grading.sandbox.limits.Policy, such as {'exercise_seconds': 120}."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any, km: Any = None) -> tuple[NotebookNode, Any]:
        """Grade the notebook, log its notes, and return (graded notebook, unchanged resources).

        The hidden seed is that of `minibert grade`. Raises SandboxError if the sandbox is not available, and
        ValueError if the submission cannot be graded.
        """
        policy = {"sandbox": chosen_sandbox(), **self.policy}
        if policy["sandbox"] == "none" and not hasattr(os, "fork"):
            # On Windows, tests and answers share one kernel, and all of it is trusted.
            return super().preprocess(nb, resources, km)
        root, about = Path(CourseDirectory(parent=self).root), resources["nbgrader"]
        if "hidden_seed" not in policy:
            policy["hidden_seed"] = hidden_seed(root / "grades" / about["assignment"] / "journal")
        files = to_bytes({f"{about['notebook']}.ipynb": text(nb).encode()})
        bundle = bytes(make_bundle(root, about["assignment"]))
        result = json.loads(grade_submission(bundle, files, Policy(**policy)))
        for note in result["notes"]:
            self.log.warning("%s", note)
        if result["status"] != "graded":
            raise ValueError(result["reason"])
        return nbformat.reads(result["notebook"], as_version=4), resources
