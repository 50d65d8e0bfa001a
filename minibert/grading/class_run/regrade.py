"""Regrade one student's exercise and log the change (`minibert regrade STUDENT 02.3 --reason "..."`).

Points never decrease unless the request allows it. The new result is saved and used the next time the class
is graded; if a test changes, everything is graded again. Points given by hand are always kept.
"""

import getpass
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ... import spelling
from ..author.exercises import GradedExercise, assignment_named, code_of, find_exercise
from ..intake.records import Submission
from ..intake.students import folded
from ..report.class_report import ClassReport
from ..report.gradebook import write
from ..sandbox.limits import Policy
from .grade_class import DIED, grade_jobs, last_run, opened_class
from .journal import journal_name, results_so_far
from .merged_result import with_exercise
from .progress import Progress
from .regrade_request import Request, log
from .worker_processes import Executor, open_kernels


def regrade(
    root: str | Path,
    request: Request,
    out: str | Path | None = None,
    source: str | Path | None = None,
    executor: Executor = open_kernels,
    who: str | None = None,
    now: datetime | None = None,
) -> dict[str, Any]:
    """Regrade an exercise, write tables and feedback, and return the entry written to the log.

    The class must have been graded before. source, out: as for `grade_class`; by default, the same as in the
    last run. who: the person who regrades, by default the current user. Raises ValueError for an unknown
    student or exercise, an ungraded submission, or points that are out of range or lower than before without
    permission.
    """
    unit, _, name = request.exercise.partition(".")
    assignment = assignment_named(root, unit)
    folder = Path(out or Path(root, "grades", assignment))
    known_source, policy, form = last_run(folder)
    with opened_class(root, assignment, source or known_source, folder, form) as report:
        report.results.update(results_so_far(report.submissions, report.bundle, policy, folder / "journal"))
        if not name and request.points is not None:
            return whole_unit(report, request, who, now)
        exercise, sent = find_exercise(assignment, report.exercises, name), submission_of(report, request)
        report.catch_up()
        record = {
            **signed(request, who, now),
            "assignment": assignment,
            "exercise": code_of(assignment, exercise),
            "name": exercise.name,
            "max_points": exercise.max_points,
            "before": points_now(report, request.student, exercise),
        }
        if request.points is not None:
            record = by_hand(report, request, exercise, record)
        else:
            record = by_tests(report, request, exercise, record, sent, policy, executor)
        report.finish()
    return record


def signed(request: Request, who: str | None, now: datetime | None) -> dict[str, Any]:
    """Return the fields of a log entry that record who regraded whose work, when and why."""
    return {
        "time": (now or datetime.now(timezone.utc)).isoformat(timespec="seconds"),
        "who": who or getpass.getuser(),
        "student": request.student,
        "reason": request.reason,
    }


def whole_unit(
    report: ClassReport, request: Request, who: str | None, now: datetime | None
) -> dict[str, Any]:
    """Give 0 points for a whole submission, even one that cannot be graded, and return the log entry.

    Raises ValueError if the request awards other points, or would lower the points without permission.
    """
    assignment = report.bundle.assignment
    if request.points != 0:
        raise ValueError(
            f"a whole unit can only get --points 0; for other points, name an exercise, such as "
            f"{code_of(assignment, report.exercises[0])}"
        )
    submission_of(report, request, graded=False)
    report.catch_up()
    before = [points_now(report, request.student, exercise) for exercise in report.exercises]
    if sum(filter(None, before)) > 0 and not request.lower:
        raise ValueError(
            f"{request.student} already has {sum(filter(None, before)):g} points for {assignment}; "
            "add --lower to reduce them to 0"
        )
    record = {
        **signed(request, who, now),
        "assignment": assignment,
        "exercise": assignment.partition("_")[0],
        "name": "the whole unit",
        "max_points": report.bundle.max_points,
        "before": None if None in before else sum(filter(None, before)),
        "given": "by hand",
        "after": 0,
        "hint": "",
        "applied": True,
    }
    log(report.out, record)
    for exercise in report.exercises:
        set_points(report, request.student, exercise, 0.0, f"Marked by hand: {request.reason}")
    report.add(request.student, report.results[request.student])
    report.finish()
    return record


def submission_of(report: ClassReport, request: Request, graded: bool = True) -> Submission:
    """Return the submission of the student named in the request.

    Raises ValueError if there is no such submission, if it has no result or, with `graded`, no grade.
    """
    sent = next((one for one in report.submissions if one.student == request.student), None)
    assignment = report.bundle.assignment
    if sent is None:
        near = nearest(request.student, [one.student for one in report.submissions])
        raise ValueError(
            f"{request.student} has not handed in {assignment}" + (f"; did you mean {near}?" if near else "")
        )
    result = report.results.get(request.student)
    if result is None or graded and result["status"] != "graded":
        raise ValueError(
            f"the submission of {request.student} is not graded; run `minibert grade {assignment}` first"
        )
    return sent


def nearest(name: str, students: Sequence[str]) -> str:
    """Return the student ids most similar to a name, joined by "or", or "" if none is similar."""
    parts: dict[str, list[str]] = {}
    for student in students:
        for part in (folded(student), *re.split(r"[\W_]+", folded(student))):
            parts.setdefault(part, []).append(student)
    found = spelling.nearest(folded(name), parts)
    return " or ".join(dict.fromkeys(parts[found])) if found else ""


def grades_of(report: ClassReport, student: str, exercise: GradedExercise) -> list[Any]:
    """Return the student's grades in the gradebook for the cells of an exercise, in order."""
    found = report.gradebook.find_submission_notebook(report.bundle.name, report.bundle.assignment, student)
    grades = {grade.name: grade for grade in found.grades}
    return [grades[name] for name in exercise.cells]


def points_now(report: ClassReport, student: str, exercise: GradedExercise) -> float | None:
    """Return a student's points for an exercise, or None while any part of it is ungraded.

    Points awarded by hand take precedence over points from the tests.
    """
    points = [given(grade, grade.auto_score) for grade in grades_of(report, student, exercise)]
    return None if None in points else sum(filter(None, points))


def given(grade: Any, tested: float | None) -> float | None:
    """Return a cell's points awarded by hand or, if there are none, `tested`."""
    return tested if grade.manual_score is None else grade.manual_score


def by_hand(
    report: ClassReport, request: Request, exercise: GradedExercise, record: dict[str, Any]
) -> dict[str, Any]:
    """Award points by hand, and return the entry for the log.

    Raises ValueError if these points may not be awarded.
    """
    points, before, code = request.points or 0.0, record["before"], record["exercise"]
    if not 0 <= points <= exercise.max_points:
        raise ValueError(f"cannot give {points:g} points: {code} is worth 0 to {exercise.max_points:g}")
    if before is not None and points < before and not request.lower:
        raise ValueError(
            f"{request.student} already has {before:g} points for {code}; "
            f"add --lower to reduce them to {points:g}"
        )
    record = {**record, "given": "by hand", "after": points, "hint": "", "applied": True}
    log(report.out, record)
    set_points(report, request.student, exercise, points, f"Marked by hand: {request.reason}")
    report.add(request.student, report.results[request.student])
    return record


def set_points(report: ClassReport, student: str, exercise: GradedExercise, points: float, why: str) -> None:
    """Distribute points awarded by hand over the cells of an exercise, and add the reason as a comment."""
    found = report.gradebook.find_submission_notebook(report.bundle.name, report.bundle.assignment, student)
    for grade in grades_of(report, student, exercise):
        grade.manual_score = min(points, grade.max_score)
        grade.needs_manual_grade = False
        points -= grade.manual_score
    for comment in found.comments:
        if comment.name == exercise.answer:
            lines = (comment.manual_comment or "").split("\n")
            comment.manual_comment = "\n".join(dict.fromkeys(filter(None, [*lines, why])))
    report.gradebook.db.commit()


def by_tests(
    report: ClassReport,
    request: Request,
    exercise: GradedExercise,
    record: dict[str, Any],
    sent: Submission,
    policy: Policy,
    executor: Executor,
) -> dict[str, Any]:
    """Run the tests again, keep the new points unless they are lower, and return the entry for the log."""
    if exercise.manual:
        raise ValueError(
            f"{record['exercise']} has no tests; give --points, or use `minibert mark "
            f"{report.bundle.assignment}`"
        )
    data, bundle, old = sent.load(), bytes(report.bundle), report.results[request.student]
    same = [
        one.student for one in report.submissions if one.student in report.results and one.load() == data
    ]  # identical files share one result
    fresh = graded_again(bundle, sent, request.limits(policy), executor)
    record = {
        **record,
        **outcome(report, request, exercise, old, fresh),
        "also": [student for student in same if student != request.student],
    }
    log(report.out, record)
    if record["applied"]:
        merged = with_exercise(old, fresh, exercise)
        write(
            report.out / "journal" / f"{journal_name(bundle, data, policy)}.json",
            json.dumps(merged, sort_keys=True).encode(),
        )
        for student in same:
            report.add(student, merged)
    return record


def graded_again(bundle: bytes, sent: Submission, policy: Policy, executor: Executor) -> dict[str, Any]:
    """Grade a whole submission again and return the new result.

    Raises ValueError if the submission could not be graded.
    """
    jobs = grade_jobs([(sent.student, sent.load)], 1, bundle, policy, executor, None)
    with Progress(1) as progress, closing(jobs) as found:
        progress.start()
        _, made = next(iter(found))
        fresh = json.loads(made) if made else {"status": "ungraded", "reason": DIED}
        progress.add(fresh["status"])
    if fresh["status"] != "graded":
        raise ValueError(f"nothing was changed, because grading failed: {fresh['reason']}")
    return fresh


def outcome(
    report: ClassReport,
    request: Request,
    exercise: GradedExercise,
    old: Mapping[str, Any],
    fresh: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the log fields for a new run: the tests' points, whether they apply, and the final points."""
    grades = grades_of(report, request.student, exercise)
    then, now = ({cell["name"]: cell["points"] for cell in result["cells"]} for result in (old, fresh))
    tested = [sum(points[name] or 0.0 for name in exercise.cells) for points in (then, now)]
    applied = tested[1] >= tested[0] or request.lower
    after = sum(given(grade, (now if applied else then)[grade.name]) or 0.0 for grade in grades)
    hints = [cell["hint"] for cell in fresh["cells"] if cell["name"] in exercise.cells and cell["hint"]]
    return {
        "given": "by tests",
        "tests": tested[1],
        "after": after,
        "hint": next(iter(hints), ""),
        "applied": applied,
        "stays": any(grade.manual_score is not None for grade in grades),
    }
