"""A temporary nbgrader course with the repository's configuration, its assignments and an empty gradebook."""

import contextlib
import logging
import os
import re
import shutil
import sysconfig
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from traitlets.log import get_logger

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

NEVER_COPIED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.pyc")


class CourseError(RuntimeError):
    """The error raised when nbgrader fails. The message is the reason given in nbgrader's log."""


@contextlib.contextmanager
def course(root: str | Path, assignments: Iterable[str]) -> Iterator["Course"]:
    """Yield an nbgrader course in a temporary folder that contains copies of the assignments' solutions."""
    with tempfile.TemporaryDirectory(prefix="minibert-course-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        for assignment in assignments:
            shutil.copytree(
                Path(root, "solutions", assignment), folder / "solutions" / assignment, ignore=NEVER_COPIED
            )
        shutil.copy(Path(root, "nbgrader_config.py"), folder)
        yield Course(folder)


class Course:
    """A course folder on which nbgrader commands can be run. Each method restores the working directory."""

    def __init__(self, folder: str | Path) -> None:
        from traitlets.config import PyFileConfigLoader

        self.folder = Path(folder)
        self.config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
        self.config.CourseDirectory.root = str(folder)
        # only trusted submissions are graded here, so no sandbox is needed, nor inputs that nobody knows
        self.config.SandboxedExecute.policy = {"sandbox": "none", "hidden_seed": 0}
        self.config.CourseDirectory.db_url = self.db_url = f"sqlite:///{self.folder.as_posix()}/gradebook.db"

    def generate(self, assignment: str, gradebook: bool = True, hidden: bool = False) -> Path:
        """Generate an assignment's exercise from its solution, and return the exercise's folder.

        `gradebook` also adds the assignment to the gradebook. `hidden` keeps the hidden tests and mark
        schemes for the grader. Raises CourseError if nbgrader fails.
        """
        from nbgrader.converters import GenerateAssignment

        steps = GenerateAssignment.preprocessors.default()
        self.config.GenerateAssignment.preprocessors = [
            step
            for step in steps
            if not (hidden and step.__name__ in ("ClearHiddenTests", "ClearMarkScheme"))
        ]
        self.config.SaveCells.enabled = gradebook
        self.config.GenerateAssignment.no_database = not gradebook
        self._call("generate_assignment", assignment, force=True)
        return self.folder / "exercises" / assignment

    def autograde(self, assignment: str, student: str) -> Path:
        """Grade the submission in submitted/<student>/<assignment> and return the folder of the result.

        Raises CourseError if nbgrader fails.
        """
        self._call("autograde", assignment, student, force=True)
        return self.folder / "autograded" / student / assignment

    def gradebook(self) -> "Gradebook":
        """Open the gradebook, for use in a `with` statement."""
        from nbgrader.api import Gradebook

        return Gradebook(self.db_url, self.config.CourseDirectory.course_id)

    def _call(self, name: str, *arguments: str, **options: Any) -> None:
        with warnings.catch_warnings(), working_in(self.folder), without_log():
            warnings.simplefilter("ignore")
            from nbgrader.apps import NbGraderAPI

            result = getattr(NbGraderAPI(config=self.config), name)(*arguments, **options)
        if not result["success"]:
            raise CourseError(
                error_line(result.get("log") or result.get("error") or "nbgrader gave no reason")
            )


@contextlib.contextmanager
def working_in(folder: str | Path) -> Iterator[None]:
    """Change the working directory to `folder`, and put this environment's programs first on PATH.

    nbgrader writes its log to the working directory, and looks for the program alembic on PATH.
    """
    before, path = os.getcwd(), os.environ.get("PATH", "")
    os.chdir(folder)
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), path])
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


@contextlib.contextmanager
def without_log() -> Iterator[None]:
    """Detach the log of the running application from its outputs; nbgrader's result contains the log."""
    log: Any = get_logger()
    handlers, log.handlers = log.handlers, [logging.NullHandler()]
    try:
        yield
    finally:
        log.handlers = handlers


def error_line(log: str) -> str:
    """Return the line of an nbgrader log with the reason for a failure: the last exception or error."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    errors = [line.removeprefix("[ERROR] ") for line in lines if "ERROR" in line]
    return re.sub(r"^[a-z_.]+\.(?=[A-Z]\w+: )", "", (raised or errors or lines)[-1])
