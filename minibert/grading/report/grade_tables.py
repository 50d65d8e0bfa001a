"""Write the tables of grades: one with everything, and one for each learning platform.

A missing grade is blank, never 0. A platform treats every score as final, so its table leaves it blank while
a part must still be graded by hand, unless provisional grades are asked for. `Export` makes plain `nbgrader
export` write the first table.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry, Student
from nbgrader.plugins import ExportPlugin

from ..author.assignment_bundle import Bundle
from ..author.exercises import GradedExercise, code_of, exercises
from ..intake.records import Submission
from .gradebook import waits, write
from .late_days import lateness
from .sanitize import printable

GENERAL = (
    "assignment",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "status",
    "score",
    "max_score",
    "raw_score",
    "waiting",
    "late",
    "late_days",
    "late_submission_penalty",
    "timestamp",
    "duedate",
    "reason",
    "flags",
)
MOODLE = (
    "Identifier",
    "Full name",
    "Email address",
    "Grade",
    "Maximum grade",
    "Last modified (grade)",
    "Feedback comments",
)
FORMULA = re.compile(r"(?!-$|[-+]?[\d.]+$)[=+@\t\r-]")  # but a number may begin with a sign
GradeRows = Sequence[Mapping[str, Any]]  # one mapping for each student, made by `row`


def rows(
    gradebook: Gradebook,
    bundle: Bundle,
    submissions: Iterable[Submission] = (),
    results: Mapping[str, Mapping] | None = None,
) -> list[dict[str, Any]]:
    """Return one dictionary per student in the gradebook, sorted by id; a score is None until it is final."""
    sent = {submission.student: submission for submission in submissions}
    return [
        row(
            gradebook,
            bundle.assignment,
            student,
            bundle.max_points,
            sent.get(student.id),
            (results or {}).get(student.id),
        )
        for student in sorted(gradebook.students, key=lambda student: alphabetical(student.id))
    ]


def alphabetical(name: str) -> tuple[str, str]:
    """Return a sort key for names that ignores case and accents, so that Émile comes before Zoë."""
    letters = unicodedata.normalize("NFKD", name)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold(), name


def row(
    gradebook: Gradebook,
    assignment: str,
    student: Student,
    max_score: float,
    sent: Submission | None = None,
    result: Mapping | None = None,
) -> dict[str, Any]:
    """Return what is known about one student's submission, as a dictionary.

    Without a result, the points are missing. `cells` maps graded cells to points (None: to be awarded by
    hand), `by_person` is true if any points were awarded by hand, and `so_far` is the score of a partly
    marked submission.
    """
    made: dict[str, Any] = {
        "assignment": assignment,
        "student_id": student.id,
        "last_name": student.last_name or "",
        "first_name": student.first_name or "",
        "email": student.email or "",
        "status": "missing",
        "score": None,
        "max_score": max_score,
        "raw_score": None,
        "so_far": None,
        "waiting": 0,
        "late": "",
        "late_days": "",
        "late_submission_penalty": None,
        "timestamp": "",
        "reason": "",
        "cells": {},
        "by_person": False,
        "flags": len((result or {}).get("flags", ())),
        "duedate": gradebook.find_assignment(assignment).duedate or "",
        "lms": sent.lms if sent else "",
        "lms_id": sent.lms_id if sent else student.lms_user_id or "",
    }
    if sent and result is None:  # the gradebook has no grade, or that of an earlier submission
        return made | {"status": "pending"}
    try:
        submission = gradebook.find_submission(assignment, student.id)
    except MissingEntry:
        return made
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    waiting, graded = sum(map(waits, grades)), [grade for grade in grades if not waits(grade)]
    penalty = submission.late_submission_penalty or 0.0
    made.update(
        lateness(submission, sent),
        waiting=waiting,
        late_submission_penalty=penalty,
        by_person=any(grade.manual_score is not None for grade in grades),
        cells={grade.name: None if waits(grade) else grade.score for grade in grades},
        timestamp=submission.timestamp or "",
    )
    unread = result is not None and result["status"] != "graded"
    if not graded or unread and waiting:  # marking one of its cells does not grade the others
        made.update(
            status=result["status"] if result and unread else "ungraded",
            reason=result["reason"] if result else "",
        )
    else:
        raw = sum(grade.score for grade in graded)
        made.update(
            status="waits" if waiting else "graded",
            raw_score=raw,
            score=None if waiting else max(0.0, raw - penalty),
            so_far=max(0.0, raw - penalty) if waiting else None,
        )
    return made


def general(table: GradeRows) -> list[Sequence]:
    """Return the lines of grades.csv, the complete table."""
    return [GENERAL, *([blank(row[name]) for name in GENERAL] for row in table)]


def uploaded(row: Mapping[str, Any], provisional: bool) -> str:
    """Return the score to upload as text, blank for partly marked submissions unless `provisional`."""
    return blank(row["so_far"] if provisional and row["score"] is None else row["score"])


def moodle(table: GradeRows, known: Sequence[GradedExercise], provisional: bool = False) -> list[Sequence]:
    """Return the lines of the table for Moodle's "Upload grading worksheet", with English column names.

    While a grade is blank, so is its comment, because Moodle would replace an earlier comment with it.
    `known` lists the assignment's exercises.
    """
    return [
        MOODLE,
        *(
            [
                f"Participant {row['lms_id']}" if row["lms"] == "moodle" else "",
                f"{row['first_name']} {row['last_name']}".strip() or row["student_id"],
                row["email"],
                uploaded(row, provisional),
                blank(row["max_score"]),
                "-",  # Moodle refuses a worksheet without this column
                comment(row, known) if uploaded(row, provisional) else "",
            ]
            for row in table
        ),
    ]


def comment(row: Mapping[str, Any], known: Sequence[GradedExercise]) -> str:
    """Return a line of text with a student's points for each exercise."""
    said = []
    for one in known:
        got = points_of(one, row["cells"])
        points = "not marked yet" if got is None else f"{got:g} of {one.max_points:g}"
        said.append(f"{code_of(row['assignment'], one)} {one.name}: {points}")
    return "; ".join(said)


def points_of(exercise: GradedExercise, cells: Mapping[str, float | None]) -> float | None:
    """Return a student's points for an exercise, or None while part of it must still be graded by hand."""
    got = [cells.get(name) for name in exercise.cells]
    return None if None in got else sum(filter(None, got))


def canvas(table: GradeRows, assignment: str, provisional: bool = False) -> list[Sequence]:
    """Return the lines of the table that Canvas's gradebook imports.

    Canvas adds a column if it does not know the assignment.
    """
    points = blank(table[0]["max_score"]) if table else ""
    head = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment)
    return [
        head,
        ("    Points Possible", "", "", "", "", points),
        *(
            [
                ", ".join(filter(None, (row["last_name"], row["first_name"]))) or row["student_id"],
                row["lms_id"] if row["lms"] in ("canvas", "") else "",
                "",
                row["student_id"],
                "",
                uploaded(row, provisional),
            ]
            for row in table
        ),
    ]


def blank(value: Any) -> str:
    """Format a value as text, and None as an empty cell."""
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def brightspace(table: GradeRows, assignment: str, provisional: bool = False) -> list[Sequence]:
    """Return the lines of the table for Brightspace's *Grades > Import*.

    The students' ids must be their user names there, because a download of submissions has no user names.
    """
    return [
        ("Username", "Last Name", "First Name", f"{assignment} Points Grade", "End-of-Line Indicator"),
        *([f"#{row['student_id']}", *named(row), uploaded(row, provisional), "#"] for row in table),
    ]


def blackboard(table: GradeRows, assignment: str, provisional: bool = False) -> list[Sequence]:
    """Return the lines of the table for Blackboard's Grade Center; a student's id is the user name."""
    return [
        ("Last Name", "First Name", "Username", assignment),
        *([*named(row), row["student_id"], uploaded(row, provisional)] for row in table),
    ]


def classroom(table: GradeRows, assignment: str, provisional: bool = False) -> list[Sequence]:
    """Return the lines of a table with the columns of Google Classroom's own, which cannot be uploaded."""
    return [
        ("Last Name", "First Name", "Email Address", assignment),
        *([*named(row), row["email"], uploaded(row, provisional)] for row in table),
    ]


def named(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return a student's last name, or the id if it is unknown, and the first name."""
    return row["last_name"] or row["student_id"], row["first_name"]


def platforms_of(table: GradeRows) -> list[str]:
    """Return the platforms from which submissions come or, if there are none, Moodle and Canvas."""
    return sorted({row["lms"] for row in table} - {""}) or ["canvas", "moodle"]


def write_tables(table: GradeRows, bundle: Bundle, folder: str | Path, provisional: bool = False) -> None:
    """Write grades.csv, and PLATFORM.csv for each platform in `platforms_of`, to a folder.

    provisional: whether the tables for platforms include the points so far of partly marked submissions.
    """
    write(Path(folder, "grades.csv"), text_of(general(table)).encode("utf-8-sig"))
    known = exercises(bundle.cells)
    made: dict[str, Callable[[], list[Sequence]]] = {
        "moodle": lambda: moodle(table, known, provisional),
        **{
            each.__name__: partial(each, table, bundle.assignment, provisional)
            for each in (canvas, brightspace, blackboard, classroom)
        },
    }
    for name in platforms_of(table):
        write(Path(folder, f"{name}.csv"), text_of(made[name]()).encode())


def text_of(lines: Iterable[Sequence]) -> str:
    """Format the lines of a table as the text of a CSV file."""
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="\r\n").writerows([harmless(value) for value in line] for line in lines)
    return made.getvalue()


def harmless(value: Any) -> Any:
    """Make a value safe for a spreadsheet: escape control characters, and put ' before a formula."""
    if not isinstance(value, str):
        return value
    return f"'{printable(value)}" if FORMULA.match(value) else printable(value)


class Export(ExportPlugin):
    """A plugin that makes `nbgrader export` write the complete table, for all assignments."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to the file `self.to`, by default grades.csv."""
        lines: list[Sequence] = [GENERAL]
        for assignment in gradebook.assignments:
            if self.assignment and assignment.name not in map(str, self.assignment):
                continue
            for student in gradebook.students:
                if self.student and student.id not in map(str, self.student):
                    continue
                made = row(gradebook, assignment.name, student, assignment.max_score)
                lines.append([blank(made[name]) for name in GENERAL])
        Path(self.to or "grades.csv").write_text(text_of(lines), encoding="utf-8", newline="")
