"""Compute each exercise's difficulty, discrimination and most frequent hint in a class.

Points come from the gradebook, so they include those awarded by hand. CPU times vary from run to run, so they
have a separate table; all others are reproducible byte for byte.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any

import numpy as np

from ..author.exercises import GradedExercise, code_of
from .class_summary import MOST, Results, is_unwritten
from .grade_tables import GradeRows, points_of

HEAD = (
    "exercise",
    "title",
    "function",
    "max_points",
    "students",
    "mean_share",
    "full_share",
    "discrimination",
    "hint_count",
    "hint",
    "waiting",
    "not_written",
)
TIMES = ("exercise", "title", "students", "median_seconds", "most_seconds", "slowest_student")


@dataclass(frozen=True)
class QuestionStatistics:
    """The results of a class in one exercise.

    `students` is the number of students whose answers are completely graded. `mean_share` is the mean share
    of the points, from 0 to 1, which measures the difficulty. `full_share` is the proportion of students with
    full points. `discrimination` is the correlation, from -1 to 1, of the points for this exercise with the
    total points for all others. These three numbers are None if they are undefined. `hint` is the most
    frequent hint on written answers, and `unwritten` is the number of the other answers. `waiting` is the
    number of answers that a person has not marked yet; until a marked answer has points, the three numbers
    are None.
    """

    exercise: GradedExercise
    code: str
    students: int
    mean_share: float | None
    full_share: float | None
    discrimination: float | None
    hint: str = ""
    hint_count: int = 0
    waiting: int = 0
    unwritten: int = 0


def questions(
    assignment: str, known: Sequence[GradedExercise], table: GradeRows, results: Results
) -> list[QuestionStatistics]:
    """Return the statistics of each exercise of an assignment.

    `table` comes from `grade_tables.rows`.
    """
    graded = [row["cells"] for row in table if row["status"] in ("graded", "waits")]
    points = {one.number: [points_of(one, cells) for cells in graded] for one in known}
    complete = [number for number, got in points.items() if None not in got]
    return [question(assignment, one, points, complete, results) for one in known]


def question(
    assignment: str,
    exercise: GradedExercise,
    points: Mapping[int, list[float | None]],
    complete: Sequence[int],
    results: Results,
) -> QuestionStatistics:
    """Return the statistics of one exercise.

    `points` maps the number of each exercise to the points of all students. `complete` lists the numbers of
    the exercises that are graded for every student.
    """
    pairs = [
        (own, sum(points[number][student] or 0.0 for number in complete if number != exercise.number))
        for student, own in enumerate(points[exercise.number])
        if own is not None
    ]
    waiting = points[exercise.number].count(None)
    if exercise.manual and waiting and not any(own for own, _ in pairs):
        pairs = []  # so far only untouched answers have points, namely 0
    most, hint = exercise.max_points, most_frequent_hint(exercise, results)
    shares = [own / most for own, _ in pairs] if most else []
    return QuestionStatistics(
        exercise,
        code_of(assignment, exercise),
        len(pairs),
        mean(shares) if shares else None,
        mean(share >= 1 for share in shares) if shares else None,
        correlation(pairs),
        *hint,
        waiting,
        sum(not_written(exercise, result) for result in results.values()),
    )


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Pearson's correlation, or None for fewer than three pairs or a constant variable."""
    x, y = np.array(pairs, float).reshape(-1, 2).T
    if len(pairs) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(np.corrcoef(x, y)[0, 1])


def most_frequent_hint(exercise: GradedExercise, results: Results) -> tuple[str, int]:
    """Return (first line of the most frequent hint on written answers, number of students who got it).

    Of equally frequent hints, the first in alphabetical order is returned.
    """
    said = Counter(
        hint
        for result in results.values()
        for hint in {
            cell["hint"].split("\n")[0]
            for cell in result["cells"]
            if cell["name"] in exercise.cells and not is_unwritten(cell)
        }
        if hint
    )
    return min(said.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))


def not_written(exercise: GradedExercise, result: Mapping[str, Any]) -> bool:
    """Return whether a submission is graded but has no answer to an exercise."""
    return result["status"] == "graded" and any(
        is_unwritten(cell) for cell in result["cells"] if cell["name"] in exercise.cells
    )


def unwritten_line(found: Sequence[QuestionStatistics], results: Results) -> str:
    """Return a sentence that counts the missing answers, or an empty string if there are none."""
    graded = [result for result in results.values() if result["status"] == "graded"]
    total = sum(one.unwritten for one in found)
    if not total:
        return ""
    empty = sum(all(not_written(one.exercise, result) for one in found) for result in graded)
    most = sorted(found, key=lambda one: -one.unwritten)[:MOST]
    where = ", ".join(f"{one.code} {one.exercise.name} ({one.unwritten})" for one in most if one.unwritten)
    notebooks = f", and {empty} of {len(graded)} notebooks have no answer at all" if empty else ""
    return (
        f"Not written: {total} of {len(graded) * len(found)} answers{notebooks}; most often {where}. "
        "Checks and hints are counted for the other answers."
    )


def question_lines(found: Iterable[QuestionStatistics]) -> list[Sequence]:
    """Return the header and the rows of questions.csv."""
    return [
        HEAD,
        *(
            (
                one.code,
                one.exercise.title,
                one.exercise.function,
                f"{one.exercise.max_points:g}",
                one.students,
                rounded(one.mean_share),
                rounded(one.full_share),
                rounded(one.discrimination),
                one.hint_count,
                one.hint,
                one.waiting,
                one.unwritten,
            )
            for one in found
        ),
    ]


def rounded(value: float | None, digits: int = 3) -> str:
    """Format a number with `digits` decimal places, and None as an empty string."""
    return "" if value is None else f"{value:.{digits}f}"


def times(assignment: str, known: Iterable[GradedExercise], results: Results) -> list[dict[str, Any]]:
    """Return a dictionary for each exercise, with the keys in TIMES: how long students' code ran."""
    made = []
    for one in known:
        spent = {
            student: seconds
            for student, result in results.items()
            if (seconds := sum(result.get("seconds", {}).get(name, 0.0) for name in one.cells)) > 0
        }
        if spent:
            slowest = max(sorted(spent), key=lambda student: spent[student])
            made.append(
                dict(
                    zip(
                        TIMES,
                        (
                            code_of(assignment, one),
                            one.title,
                            len(spent),
                            rounded(median(spent.values()), 2),
                            rounded(spent[slowest], 2),
                            slowest,
                        ),
                    )
                )
            )
    return made


def time_lines(found: Iterable[Mapping[str, Any]]) -> list[Sequence]:
    """Return the header and the rows of times.csv."""
    return [TIMES, *([row[name] for name in TIMES] for row in found)]
