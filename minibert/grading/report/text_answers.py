"""Mark text answers with a rubric; identical answers are marked together.

Each line of a rubric has points and a comment. An answer gets the sum of the points of the lines chosen for
it, but at least 0 and at most the question's maximum; an answer in which nothing is right gets a `zero`.
Points and comments are written to nbgrader's gradebook, like other marks awarded by hand.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..author.exercises import GradedExercise
from ..notebook import OURS, marked, read
from .answer_html import bounded_html
from .gradebook import write
from .sanitize import JOINER

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

LINES = 9  # the most lines that a rubric may have, one for each key from 1 to 9
COMMENT_LIMIT = 2_000  # characters
SCHEME = re.compile(r"\*\*Mark scheme\.\*\*(.*)")
GIVES = re.compile(r"(\d+(?:\.\d+)?) points?: (.+?\.)(?= |$)")  # each with one sentence
Marks = dict[str, Any]  # cell -> {"rubric": [{points, comment}], "answers": {key: {lines, zero, comment}}}


def key_of(answer: str) -> str:
    """Return a key that ignores differences between answers in white space, case or a final full stop."""
    plain = " ".join(answer.replace(JOINER, "").split()).casefold().removesuffix(".")
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def answers_of(
    gradebook: "Gradebook",
    exercise: GradedExercise,
    name: str,
    assignment: str,
    notebooks: Mapping[str, Path],
) -> list[dict[str, Any]]:
    """Return the answers to mark, most frequent first.

    `notebooks` maps students to the paths of their autograded notebooks. Each answer is a dictionary with
    key, html, students and given (the points that its students already have). Unchanged answers, which have 0
    points, and unreadable submissions are left out.
    """
    found: dict[str, dict[str, Any]] = {}
    for submission in gradebook.notebook_submissions(name, assignment):
        grades = {grade.name: grade for grade in submission.grades}
        grade, student = grades.get(exercise.answer), submission.student.id
        if grade is None or grade.auto_score is not None or student not in notebooks:
            continue
        notebook = read(notebooks[student])
        cell = marked(notebook).get(exercise.answer)
        if cell is None or notebook.metadata.get(OURS, {}).get("ungraded"):
            continue
        group = found.setdefault(
            key_of(cell.source),
            {
                "key": key_of(cell.source),
                "html": bounded_html(cell.source, json.dumps(cell.get("attachments"))),
                "students": [],
                "given": [],
            },
        )
        group["students"].append(student)
        group["given"].append(grade.manual_score)
    for group in found.values():
        group["students"].sort()
        group["given"] = sorted({points for points in group["given"] if points is not None})
    # not by name, because names would influence the marker
    return sorted(found.values(), key=lambda group: (-len(group["students"]), group["key"]))


def load_marks(path: Path) -> Marks:
    """Load the rubrics of an assignment and the marks given so far, or {} if there is no file.

    Raises ValueError if the file is damaged.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except ValueError as error:
        raise ValueError(
            f"{path}: cannot be read ({error}); move the file elsewhere to start again"
        ) from None


def save_marks(path: Path, marks: Marks) -> None:
    """Write the rubrics and marks atomically."""
    write(path, json.dumps(marks, indent=1, sort_keys=True, ensure_ascii=False).encode())


def rubric_of(model: str, most: float) -> list[dict[str, Any]]:
    """Return the rubric in a model answer's mark scheme, or an empty rubric if there is none."""
    scheme = SCHEME.search(" ".join(model.split()))
    found = GIVES.findall(scheme[1]) if scheme else []
    return [{"points": min(float(points), most), "comment": said} for points, said in found[:LINES]]


def checked_rubric(lines: Any, most: float) -> list[dict[str, Any]]:
    """Return a rubric sent by the browser, or raise ValueError if it is not valid."""
    if not isinstance(lines, list) or len(lines) > LINES:
        raise ValueError(f"a rubric can have at most {LINES} lines, one for each key")
    made = []
    for line in lines:
        points = line.get("points") if isinstance(line, dict) else None
        if isinstance(points, bool) or not isinstance(points, int | float) or not -most <= points <= most:
            raise ValueError(
                f"the points of a line must be a number from {-most:g} to {most:g}, not {points!r}"
            )
        made.append({"points": points, "comment": checked_comment(line.get("comment", ""))})
    return made


def checked_comment(comment: Any) -> str:
    """Return the browser's comment, stripped, or raise ValueError if it is too long or not a string."""
    if not isinstance(comment, str) or len(comment) > COMMENT_LIMIT:
        raise ValueError(f"a comment must be a text of at most {COMMENT_LIMIT} characters")
    return comment.strip()


def checked_mark(mark: Any, rubric: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a mark from the browser as {"lines": indices of rubric lines, "zero": bool, "comment": text}.

    Raises ValueError if it is not valid.
    """
    lines = mark.get("lines") if isinstance(mark, dict) else None
    if not isinstance(lines, list) or any(
        type(line) is not int or not 0 <= line < len(rubric) for line in lines
    ):
        raise ValueError(f"there are no lines {lines!r}; the rubric has lines 0 to {len(rubric) - 1}")
    zero = mark.get("zero", False)
    if not isinstance(zero, bool) or zero and lines:
        raise ValueError(
            f"an answer has either lines of the rubric or a zero, but this one has lines={lines!r} and "
            f"zero={zero!r}"
        )
    return {"lines": sorted(set(lines)), "zero": zero, "comment": checked_comment(mark.get("comment", ""))}


def points_of(mark: Mapping[str, Any], rubric: Sequence[Mapping[str, Any]], most: float) -> float | None:
    """Return the points of an answer, from 0 to `most`, or None if neither a line nor a zero is chosen."""
    if not mark["lines"]:
        return 0.0 if mark.get("zero") else None
    return min(most, max(0.0, float(sum(rubric[line]["points"] for line in mark["lines"]))))


def comment_of(mark: Mapping[str, Any], rubric: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the comments on the chosen lines and on the answer itself, or None if all are empty."""
    said = [*(rubric[line]["comment"] for line in mark["lines"]), mark["comment"]]
    return "\n".join(filter(None, said)) or None


def give(
    gradebook: "Gradebook",
    exercise: GradedExercise,
    name: str,
    assignment: str,
    students: Iterable[str],
    points: float | None,
    comment: str | None,
) -> None:
    """Write an answer's points and comment to the gradebook, for all students who gave it."""
    for student in students:
        submission = gradebook.find_submission_notebook(name, assignment, student)
        for grade in submission.grades:
            if grade.name == exercise.answer:
                grade.manual_score, grade.needs_manual_grade = points, points is None
        for row in submission.comments:
            if row.name == exercise.answer:
                row.manual_comment = comment
    gradebook.db.commit()
