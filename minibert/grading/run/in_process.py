"""Autograde submissions that we trust, in this process: points and the hint of each failed cell.

nbgrader does the grading, in a throw-away course; the repository and its gradebook are not touched.
"""
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from ..author.course import CourseError, course
from ..author.fresh_kernel import message
from ..notebook import grade_id, read


@dataclass(frozen=True)
class CellResult:
    """One graded cell; points is None while a person has to grade it, message is empty where nothing
    failed.
    """

    cell: str
    points: float | None
    max_points: float
    message: str


@dataclass(frozen=True)
class Result:
    """What one student got; error says why nothing could be graded, and is empty otherwise."""

    student: str
    points: float
    max_points: float
    cells: tuple
    error: str = ""


def autograde(assignment, submissions, root, progress=None):
    """Grade submissions of one assignment; returns one Result per student, in the given order.

    submissions: student -> path of a notebook or its bytes. root: the repository, its notebooks built.
    progress: wraps the list of students, as tqdm does. Raises ValueError for an unknown assignment,
    CourseError where its solution cannot be released; a submission that cannot be graded is a Result with an
    error.
    """
    notebooks = sorted(Path(root, "solutions", assignment).glob("*.ipynb"))
    if len(notebooks) != 1:
        raise ValueError(
            f"solutions/{assignment}: {len(notebooks)} notebooks; `minibert build` makes exactly one")
    with course(root, [assignment]) as temporary:
        temporary.generate(assignment)
        shutil.rmtree(temporary.folder / "exercises")
        students = list(submissions)
        return [_grade(temporary, assignment, notebooks[0].name, student, submissions[student])
                for student in (progress(students) if progress else students)]


def _grade(temporary, assignment, name, student, submission):
    """Result of one submission, from the gradebook and the executed notebook."""
    folder = temporary.folder / "submitted" / student / assignment
    folder.mkdir(parents=True)
    data = submission if isinstance(submission, bytes) else Path(submission).read_bytes()
    (folder / name).write_bytes(data)
    try:
        read(folder / name)
        graded = temporary.autograde(assignment, student)
    except (CourseError, ValueError) as error:
        reason = str(error).replace(f"{folder}{os.sep}", "")
        return Result(student, 0.0, _possible(temporary, assignment), (), reason)
    messages = {grade_id(cell): message(cell) for cell in read(graded / name).cells if grade_id(cell)}
    with temporary.gradebook() as gradebook:
        notebook, = gradebook.find_submission(assignment, student).notebooks
        order = {name: place for place, name in enumerate(messages)}
        grades = sorted(notebook.grades, key=lambda grade: order.get(grade.name, len(order)))
        cells = tuple(CellResult(g.name, g.auto_score, g.max_score,
                                 messages.get(g.name, "this cell is missing"))
                      for g in grades)
    return Result(student, sum(c.points or 0.0 for c in cells), sum(c.max_points for c in cells), cells)


def _possible(temporary, assignment):
    with temporary.gradebook() as gradebook:
        return gradebook.find_assignment(assignment).max_score
