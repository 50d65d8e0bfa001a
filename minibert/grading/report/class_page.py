"""Make the instructor's page for a class: progress, points, exercises, flags, and what needs attention.

The page is a file that the browser reloads every few seconds during grading, so no server is needed.
"""

import os
import sys
import time
import webbrowser
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from minibert.course.checks import display

from .class_summary import (
    Results,
    counts,
    decisions,
    distribution,
    final_points,
    needing,
    points_of_tests,
    undecided,
)
from .grade_tables import GradeRows, points_of
from .late_days import UNKNOWN
from .question_statistics import QuestionStatistics
from .templates import TEMPLATES

PAGE = "index.html"
SLOWEST = 5  # submissions that are listed
SAID = {
    "pending": "not graded yet",
    "graded": "graded",
    "waits": "text answers to be marked",
    "ungraded": "could not be graded",
    "needs a person": "needs a person",
    "missing": "handed in nothing",
}


def class_page(
    assignment: str,
    table: GradeRows,
    results: Results,
    found: Sequence[QuestionStatistics],
    spent: Sequence[Mapping[str, Any]],
    refused: Iterable[str],
    state: str,
    feedback: Callable[[str], Path],
    folder: Path,
    why: str = "",
    unwritten: str = "",
) -> str:
    """Render the page about a class's grades as HTML.

    `state` is "running", "stopped" or "done". `feedback` returns the path of a student's feedback page.
    `spent` comes from `question_statistics.times`. `why` says why grading was stopped, unless a person
    interrupted it. `unwritten` is a sentence about missing answers.
    """
    links = {row["student_id"]: linked(row, feedback(row["student_id"]), folder) for row in table}
    pending = sum(row["status"] == "pending" and row["student_id"] not in results for row in table)
    hardest = sorted(found, key=lambda one: 2.0 if one.mean_share is None else one.mean_share)
    slowest = sorted(
        ((student, result["cpu_seconds"]) for student, result in results.items() if result["cpu_seconds"]),
        key=lambda pair: (-pair[1], pair[0]),
    )[:SLOWEST]
    return TEMPLATES.get_template("class_page.html").render(
        assignment=assignment,
        state=state,
        why=why,
        done=len(results),
        total=len(results) + pending,
        written=time.strftime("%H:%M:%S"),
        counts=counts(table, results),
        persons=needing(undecided(table, results), refused),
        decisions=decisions(results),
        unwritten=unwritten,
        flags=flags(results),
        spreads=[
            spread("Points given by tests", *points_of_tests(results)),
            spread("Final points", *final_points(table)),
        ],
        questions=hardest,
        exercises=found,
        percent=percent,
        slowest=slowest,
        times=spent,
        unknown=any(row["late"] == UNKNOWN for row in table),
        students=[student_row(row, found) for row in table],
        links=links,
        most=sum(one.exercise.max_points for one in found),
        with_code=with_code,
    )


def spread(title: str, points: Sequence[float], possible: float) -> dict[str, Any]:
    """Return the data of a histogram of points, as a dictionary with a caption and bins.

    The bins are a list of (low, high, number of students, width of the bar in percent).
    """
    bins = distribution(points, possible) if possible else []
    most = max([1, *(count for *_, count in bins)])
    points = points or [0]
    return {
        "caption": f"{title}, out of {possible:g}; mean {mean(points):.1f}, median {median(points):g}",
        "bins": [(*one, round(100 * one[2] / most)) for one in bins],
    }


def flags(results: Results) -> list[tuple[str, str]]:
    """Return (student, description) for each line of code that a person should look at."""
    return [
        (
            student,
            flag
            if isinstance(flag, str)
            else " · ".join(f"line {value}" if key == "line" else str(value) for key, value in flag.items()),
        )
        for student, result in results.items()
        for flag in result.get("flags", ())
    ]


def student_row(row: Mapping[str, Any], found: Sequence[QuestionStatistics]) -> dict[str, Any]:
    """Return the data of a student's row in the page's table, with the points for each exercise."""
    points = [points_of(one.exercise, row["cells"]) for one in found]
    return {
        **row,
        "said": SAID[row["status"]],
        "points": number(row["raw_score"]),
        "each": [
            ("" if not row["cells"] else "?" if got is None else number(got), share(got, one))
            for got, one in zip(points, found)
        ],
        "when": when(row["late"], row.get("late_days")),
    }


def number(value: float | None) -> str:
    """Format points, and None as a dash."""
    return "–" if value is None else f"{value:g}"


def share(points: float | None, one: QuestionStatistics) -> str:
    """Return the CSS class for a student's points for an exercise: good, part or empty."""
    return "" if points is None else "good" if points >= one.exercise.max_points else "part"


def with_code(text: str) -> Markup:
    """Return text as HTML, with code between backticks as `<code>`."""
    return Markup(display.marked(text))


def linked(row: Mapping[str, Any], page: Path, folder: Path) -> str:
    """Return the link to a student's page of feedback, or "" if there is none."""
    return link(page, folder) if row["status"] not in ("pending", "missing") else ""


def when(late: str, days: int | str | None) -> str:
    """Describe whether a submission is late, and by how many days if that is known."""
    return f"{late}, {days} {'day' if days == 1 else 'days'}" if isinstance(days, int) and days else late


def link(page: Path, folder: Path) -> str:
    """Return a link from a page in `folder` to `page`, or an empty string if `page` does not exist."""
    if not page.exists():
        return ""
    try:
        return quote(os.path.relpath(page, folder).replace(os.sep, "/"))
    except ValueError:  # on another drive on Windows
        return page.resolve().as_uri()


def percent(share: float | None) -> str:
    """Format a share as a percentage, or as a dash if it is None."""
    return "–" if share is None else f"{share:.0%}"


def show(page: Path) -> None:
    """Print where the page is, and open it in the browser if this machine has a screen."""
    print(f"Class page: {page.resolve()}", file=sys.stderr)
    browse(page.resolve().as_uri())


def browse(address: str) -> None:
    """Open an address in the browser, if this machine has a screen."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
