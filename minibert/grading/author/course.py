"""A throw-away nbgrader course: the repository's configuration, one assignment's folder, a gradebook of its
own.
"""
import contextlib
import os
import re
import shutil
import sysconfig
import tempfile
import warnings
from pathlib import Path

NEVER_COPIED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", "*.pyc")


class CourseError(RuntimeError):
    """nbgrader could not do what was asked; the message is the telling line of its log."""


@contextlib.contextmanager
def course(root, assignments):
    """Yield a Course in a temporary folder with copies of solutions/<assignment>; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="minibert-course-", ignore_cleanup_errors=True) as folder:
        folder = Path(folder).resolve()
        for assignment in assignments:
            shutil.copytree(Path(root, "solutions", assignment), folder / "solutions" / assignment,
                            ignore=NEVER_COPIED)
        shutil.copy(Path(root, "nbgrader_config.py"), folder)
        yield Course(folder)


class Course:
    """nbgrader's Python interface for one course folder; the working directory stays as it is after each
    call.
    """

    def __init__(self, folder):
        from traitlets.config import PyFileConfigLoader

        self.folder = Path(folder)
        self.config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
        self.config.CourseDirectory.root = str(folder)
        # who makes a throw-away course trusts its submissions
        self.config.SandboxedExecute.policy = {"sandbox": "none"}
        self.config.CourseDirectory.db_url = self.db_url = f"sqlite:///{self.folder.as_posix()}/gradebook.db"

    def generate(self, assignment, gradebook=True, hidden=False):
        """Make the exercise of a solution; with `gradebook`, what grading needs is kept. Raises CourseError.

        hidden: leave hidden tests and mark schemes in, as the grader needs them.
        """
        from nbgrader.converters import GenerateAssignment

        steps = GenerateAssignment.preprocessors.default()
        self.config.GenerateAssignment.preprocessors = [
            step for step in steps
            if not (hidden and step.__name__ in ("ClearHiddenTests", "ClearMarkScheme"))]
        self.config.SaveCells.enabled = gradebook
        self.config.GenerateAssignment.no_database = not gradebook
        self._call("generate_assignment", assignment, force=True)
        return self.folder / "exercises" / assignment

    def autograde(self, assignment, student):
        """Grade one submission, which lies in submitted/<student>/<assignment>; raises CourseError."""
        self._call("autograde", assignment, student, force=True)
        return self.folder / "autograded" / student / assignment

    def gradebook(self):
        from nbgrader.api import Gradebook

        return Gradebook(self.db_url, self.config.CourseDirectory.course_id)

    def _call(self, name, *arguments, **options):
        with warnings.catch_warnings(), _inside(self.folder):
            warnings.simplefilter("ignore")
            from nbgrader.apps import NbGraderAPI

            result = getattr(NbGraderAPI(config=self.config), name)(*arguments, **options)
        if not result["success"]:
            raise CourseError(telling_line(result.get("log") or result.get("error")
                                           or "nbgrader gave no reason"))


@contextlib.contextmanager
def _inside(folder):
    """Work in `folder`, this environment's programs first: nbgrader logs where it stands, and runs
    alembic.
    """
    before, path = os.getcwd(), os.environ.get("PATH", "")
    os.chdir(folder)
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), path])
    try:
        yield
    finally:
        os.chdir(before)
        os.environ["PATH"] = path


def telling_line(log):
    """The line of a nbgrader log that says what went wrong: the last exception, or the last error."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    errors = [line.removeprefix("[ERROR] ") for line in lines if "ERROR" in line]
    return re.sub(r"^[a-z_.]+\.(?=[A-Z]\w+: )", "", (raised or errors or lines)[-1])
