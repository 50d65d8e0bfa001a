"""Write results to nbgrader's gradebook, and the files for formgrader and for students.

Points awarded by hand, extra credit and comments are kept. Unlike in nbgrader, the tests of an assignment
with submissions may change; the submissions are then graded again. Any database that nbgrader supports can be
used.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbformat import NotebookNode

from ..author.assignment_bundle import Bundle, Cell
from ..author.temporary_course import working_in
from ..intake.records import Submission
from ..intake.students import BY_NUMBER
from ..notebook import KERNEL, OURS, field, grade_id, read
from .feedback_page import kept_page

SECRET = "submission_secret.txt"  # from `nbgrader submit`; `release_feedback` needs it next to the feedback

if TYPE_CHECKING:
    from nbgrader.api import Grade, Gradebook, Notebook, SubmittedNotebook
    from nbgrader.coursedir import CourseDirectory


def open_course(root: str | Path) -> "CourseDirectory":
    """Return nbgrader's CourseDirectory for the folder `root`, configured by nbgrader's files."""
    from nbgrader.apps import NbGrader
    from nbgrader.coursedir import CourseDirectory

    with working_in(root):
        app = NbGrader()
        app.load_config_file()
    app.config.CourseDirectory.root = str(Path(root).resolve())
    return CourseDirectory(config=app.config)


def open_gradebook(directory: "CourseDirectory") -> "Gradebook":
    """Open the gradebook of a CourseDirectory, for use in a `with` statement.

    The gradebook is created if it does not exist. Raises ValueError if the database's driver is not
    installed.
    """
    from nbgrader.api import Gradebook

    with working_in(directory.root):
        try:
            return Gradebook(directory.db_url, directory.course_id)
        except ModuleNotFoundError as error:
            kind = directory.db_url.partition(":")[0]
            raise ValueError(
                f"db_url begins with {kind}, but its driver {error.name} is not installed "
                f"(for PostgreSQL, run `pip install 'psycopg[binary]'`)"
            ) from error


def is_gradebook(directory: "CourseDirectory") -> bool:
    """Return whether a course has a gradebook; a database on a server is assumed to exist."""
    kind, _, path = directory.db_url.partition(":///")
    return kind != "sqlite" or Path(directory.root, path).exists()


def define(gradebook: "Gradebook", bundle: Bundle) -> None:
    """Create or update the assignment in the gradebook, and delete grades of cells that no longer exist."""
    where = (bundle.name, bundle.assignment)
    gradebook.update_or_create_assignment(bundle.assignment)
    notebook = gradebook.update_or_create_notebook(*where, kernelspec=json.dumps(KERNEL))
    named = [cell for cell in bundle.cells if cell.name]
    drop_cells(gradebook, notebook, named)
    for cell in named:
        scored = {"max_score": cell.points, "cell_type": cell.kind}
        if cell.marks.get("grade"):
            gradebook.update_or_create_grade_cell(cell.name, *where, **scored)
        if cell.marks.get("solution"):
            gradebook.update_or_create_solution_cell(cell.name, *where)
        if cell.marks.get("task"):
            gradebook.update_or_create_task_cell(cell.name, *where, **scored)
        gradebook.update_or_create_source_cell(
            cell.name,
            *where,
            cell_type=cell.kind,
            source=cell.source,
            locked=cell.given,
            checksum=cell.marks.get("checksum"),
        )
    add_missing_rows(gradebook, notebook)


def drop_cells(gradebook: "Gradebook", notebook: "Notebook", named: Sequence[Cell]) -> None:
    """Remove cells from the gradebook that the assignment no longer has or no longer grades."""
    names: dict[str, set[str]] = {"grade": set(), "solution": set(), "task": set()}
    for cell in named:
        for role, known in names.items():
            if cell.marks.get(role):
                known.add(cell.name)
    gone = [
        cell
        for role, cells in (
            ("grade", notebook.grade_cells),
            ("solution", notebook.solution_cells),
            ("task", notebook.task_cells),
        )
        for cell in cells
        if cell.name not in names[role]
    ]
    gone += [cell for cell in notebook.source_cells if cell.name not in {cell.name for cell in named}]
    for cell in gone:
        for row in [*getattr(cell, "grades", ()), *getattr(cell, "comments", ())]:
            gradebook.db.delete(row)
        gradebook.db.delete(cell)
    gradebook.db.commit()
    gradebook.db.refresh(notebook)


def add_missing_rows(gradebook: "Gradebook", notebook: "Notebook") -> None:
    """Add a row for each new cell to every submission in the gradebook."""
    from nbgrader.api import Comment, Grade

    gradebook.db.refresh(notebook)
    for submitted in notebook.submissions:
        graded, commented = ({row.cell_id for row in rows} for rows in (submitted.grades, submitted.comments))
        for cell in notebook.grade_cells + notebook.task_cells:
            if cell.id not in graded:
                gradebook.db.add(Grade(cell_id=cell.id, notebook=submitted))
        for cell in notebook.solution_cells + notebook.task_cells:
            if cell.id not in commented:
                gradebook.db.add(Comment(cell_id=cell.id, notebook=submitted))
    gradebook.db.commit()


def register(gradebook: "Gradebook", submissions: Iterable[Submission]) -> None:
    """Add the students who are not in the gradebook yet, and leave the others unchanged."""
    known = {student.id for student in gradebook.students}
    for submission in submissions:
        names = (
            dict(zip(("first_name", "last_name"), split_name(submission.full_name)))
            if submission.full_name
            else {}
        )
        if submission.student not in known:
            # Only some platforms number persons; others number submissions.
            number = submission.lms_id if submission.lms == BY_NUMBER else ""
            gradebook.add_student(submission.student, lms_user_id=number or None, **names)


def write_result(
    gradebook: "Gradebook",
    bundle: Bundle,
    submission: Submission,
    result: Mapping[str, Any],
    directory: "CourseDirectory",
) -> None:
    """Write a result's grades, autograded notebook and feedback page.

    Files whose contents have not changed are not rewritten.
    """
    time = {"timestamp": submission.timestamp} if submission.timestamp else {}
    gradebook.update_or_create_submission(bundle.assignment, submission.student, **time)
    submitted = gradebook.find_submission_notebook(bundle.name, bundle.assignment, submission.student)
    folder = Path(
        directory.format_path(directory.autograded_directory, submission.student, bundle.assignment)
    )
    notebook = nbformat.reads(result["notebook"], as_version=4)
    write_grades(gradebook, submitted, notebook, result, previous_answers(folder / f"{bundle.name}.ipynb"))
    penalise(gradebook, submitted, submission.student, directory)
    write(folder / f"{bundle.name}.ipynb", result["notebook"].encode())
    for name, data in bundle.files.items():
        write(folder / name, data)
    if submission.timestamp:
        write(folder / "timestamp.txt", f"{submission.timestamp} UTC".encode())
    pages = Path(directory.format_path(directory.feedback_directory, submission.student, bundle.assignment))
    sent = Path(directory.format_path(directory.submitted_directory, submission.student, bundle.assignment))
    if (sent / SECRET).is_file():
        for place in (folder, pages):
            write(place / SECRET, (sent / SECRET).read_bytes())
    write(
        pages / f"{bundle.name}.html",
        feedback_of(
            gradebook,
            bundle.name,
            bundle.assignment,
            submission.student,
            notebook,
            pages / f"{bundle.name}.html",
        ).encode(),
    )


def write_grades(
    gradebook: "Gradebook",
    submitted: "SubmittedNotebook",
    notebook: NotebookNode,
    result: Mapping[str, Any],
    old: Mapping[str | None, str] | None,
) -> None:
    """Write the points of a result to a submission in the gradebook.

    Points awarded by hand are kept; they are marked for review if the answers differ from those of the last
    run (`old`), or the automatic points have changed.
    """
    from nbgrader.utils import compute_checksum

    answers = {grade_id(cell): cell for cell in notebook.cells if field(cell, "solution")}
    points = {cell["name"]: cell["points"] for cell in result["cells"]}
    changed = {name: cell.source for name, cell in answers.items()} != old
    for grade in submitted.grades:
        if changed or grade.auto_score != points[grade.name]:
            grade.auto_score = points[grade.name]
            grade.needs_manual_grade = grade.auto_score is None or grade.manual_score is not None
    for comment in submitted.comments:
        cell = answers.get(comment.name)
        open_ = cell is not None and field(cell, "checksum") == compute_checksum(cell)
        comment.auto_comment = "No response." if open_ and result["status"] == "graded" else None
    gradebook.db.commit()


def previous_answers(path: Path) -> dict[str | None, str] | None:
    """Return {cell name: answer} for the last autograded notebook, or None if there is none."""
    if not path.exists():
        return None
    try:
        return {grade_id(cell): cell.source for cell in read(path).cells if field(cell, "solution")}
    except ValueError:
        return None


def penalise(
    gradebook: "Gradebook", submitted: "SubmittedNotebook", student: str, directory: "CourseDirectory"
) -> None:
    """Set the penalty for a late submission using the plugin named in nbgrader's configuration."""
    from nbgrader.preprocessors import AssignLatePenalties

    late = submitted.assignment.total_seconds_late
    rule = AssignLatePenalties(config=directory.config)
    rule.init_plugin()
    penalty = rule.plugin_inst.late_submission_penalty(student, submitted.score, late) if late > 0 else None
    submitted.late_submission_penalty = penalty and rule._check_late_penalty(submitted, penalty)
    gradebook.db.commit()


def feedback_of(
    gradebook: "Gradebook",
    name: str,
    assignment: str,
    student: str,
    notebook: NotebookNode,
    old: Path | None = None,
) -> str:
    """Render a student's feedback page from the autograded notebook and the gradebook.

    The page in the file `old` is returned instead if it was made from the same data.
    """
    submitted = gradebook.find_submission_notebook(name, assignment, student)
    order = [grade_id(cell) for cell in notebook.cells]
    grades = sorted(
        (grade for grade in submitted.grades if grade.name in order),
        key=lambda grade: order.index(grade.name),
    )
    scores = {
        grade.name: {
            "points": None if waits(grade) else grade.score,
            "max_points": grade.max_score,
            "by_hand": None not in (grade.auto_score, grade.manual_score),
        }
        for grade in grades
    }
    comments = {
        comment.name: comment.manual_comment for comment in submitted.comments if comment.manual_comment
    }
    about = notebook.metadata.get(OURS, {})
    if about.get("ungraded") and all(score["points"] is not None for score in scores.values()):
        about.pop("ungraded")  # a person has graded it in the meantime
    person = submitted.student
    full = " ".join(filter(None, (person.first_name, person.last_name)))
    who = f"{full} ({student})" if full not in ("", student) else student
    penalty = submitted.late_submission_penalty or 0.0
    return kept_page(old, notebook, scores, f"{name} · {who}", comments, penalty)


def waits(grade: "Grade") -> bool:
    """Return whether the points of this grade still have to be awarded by hand."""
    return grade.auto_score is None and grade.manual_score is None


def split_name(full: str) -> tuple[str, str]:
    """Split "Ada King Lovelace" into ("Ada", "King Lovelace"); a single name is the last name."""
    first, _, last = full.partition(" ")
    return (first, last) if last else ("", first)


def write(path: Path, data: bytes) -> None:
    """Write a file atomically unless its contents are the same; every user may read it, as in nbgrader."""
    if path.exists() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(number, "wb") as file:
        file.write(data)
    os.chmod(name, 0o644)
    os.replace(name, path)
