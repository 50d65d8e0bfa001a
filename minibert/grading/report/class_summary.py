"""The summary for the instructor, as text: points, hardest checks, frequent hints, who needs a person."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import mean, median
from textwrap import shorten
from typing import Any

from .late_days import UNKNOWN

Results = Mapping[str, Mapping[str, Any]]  # student -> result, see `class_run.grade_submission`

BARS = 10  # of the histogram
WIDTH = 40  # characters of its longest bar
MOST = 5  # checks and hints that are named
HINT = 90  # characters of a hint


def summary(table: Sequence[Mapping[str, Any]], results: Results, refused: Iterable[str] = ()) -> str:
    """The whole summary. table: from `grade_tables.rows`. refused: sentences about files not taken."""
    parts = [
        counts(table, results),
        histogram(results),
        final_histogram(table),
        hardest(results),
        hints(results),
        persons(results, refused),
    ]
    return "\n\n".join(part for part in parts if part)


def counts(table: Sequence[Mapping[str, Any]], results: Results) -> str:
    """How many submissions were graded, late, missing, or wait for a person."""
    graded = sum(result["status"] == "graded" for result in results.values())
    late = sum(row["late"] == "late" for row in table)
    unknown = sum(row["late"] == UNKNOWN for row in table)
    missing = sum(row["status"] == "missing" for row in table)
    waiting = sum(row["status"] == "waits" for row in table)
    said = (
        f"{len(results)} submissions: {graded} graded, {len(results) - graded} not; {late} late"
        f"{f', unknown for {unknown}' * bool(unknown)}; {missing} students sent nothing."
    )
    if waiting:
        said += (
            f"\nOf {waiting}, text waits for a person: `minibert mark {table[0]['assignment']}`. Until "
            "then moodle.csv and canvas.csv leave their score out."
        )
    pending = sum(row["status"] == "pending" for row in table)
    if pending:
        said += f"\n{pending} more are still to be graded: in every table, their score is blank."
    return said


def histogram(results: Results) -> str:
    """How many students got how many of the points that the tests give."""
    return bars("Points given by tests", *points_of_tests(results))


def final_histogram(table: Sequence[Mapping[str, Any]]) -> str:
    """How many students have how many points in all, where persons have given some of them."""
    return bars("Final points", *final_points(table))


def bars(title: str, points: Collection[float], possible: float) -> str:
    """A distribution of points as text; empty where there are none to get."""
    if not possible or not points:
        return ""
    bins = distribution(points, possible)
    most = max([1, *(count for *_, count in bins)])
    lines = [f"{title}, of {possible:g}:"]
    lines += [
        f"  {low:5.1f} to {high:5.1f}  {count:4d}  {'#' * -(-WIDTH * count // most)}".rstrip()
        for low, high, count in bins
    ]
    return "\n".join([*lines, f"  mean {mean(points):.1f}, median {median(points):g}"])


def points_of_tests(results: Results) -> tuple[list[float], float]:
    """(the points that tests gave each graded student, the most that they give)."""
    graded = [tests(result) for result in results.values() if result["status"] == "graded"]
    return (
        [sum(cell["points"] or 0 for cell in cells) for cells in graded],
        max((sum(cell["max_points"] for cell in cells) for cells in graded), default=0),
    )


def final_points(table: Sequence[Mapping[str, Any]]) -> tuple[list[float], float]:
    """(the final scores, the most that they can be); ([], 0) if no person has marked anything."""
    final = [row for row in table if row["score"] is not None]
    return (
        [row["score"] for row in final],
        final[0]["max_score"] if any(row["by_person"] for row in final) else 0.0,
    )


def distribution(points: Iterable[float], possible: float) -> list[tuple[float, float, int]]:
    """[(low, high, how many students)] of equally wide ranges of points."""
    bins = Counter(min(int(BARS * point / possible), BARS - 1) for point in points)
    width = possible / BARS
    return [(width * number, width * (number + 1), bins[number]) for number in range(BARS)]


def tests(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cells of a result that tests grade, not a person."""
    return [cell for cell in result["cells"] if not cell["manual"]]


def hardest(results: Results) -> str:
    """The checks that most students fail."""
    passed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for result in results.values():
        for cell in tests(result) if result["status"] == "graded" else ():
            tried[cell["name"]] += 1
            passed[cell["name"]] += cell["points"] == cell["max_points"]
    failed = {name: tried[name] - passed[name] for name in tried if tried[name] > passed[name]}
    worst = sorted(failed, key=lambda name: (-failed[name], name))[:MOST]
    lines = [f"  {name}: {failed[name]} of {tried[name]} fail" for name in worst]
    return "\n".join(["Hardest checks:", *lines]) if lines else ""


def hints(results: Results) -> str:
    """The most frequent hints; each counts once for a student, however many tests give it."""
    said = Counter(
        hint
        for result in results.values()
        for hint in dict.fromkeys(cell["hint"].split("\n")[0] for cell in tests(result))
        if hint
    )
    if not said:
        return ""
    return "\n".join(
        [
            "Most frequent hints:",
            *(
                f"  {count} x {shorten(hint, HINT, placeholder=' …')}"
                for hint, count in said.most_common(MOST)
            ),
        ]
    )


def persons(results: Results, refused: Iterable[str]) -> str:
    """Submissions that could not be graded or had a problem, and files that were refused."""
    lines = [f"  {who}: {sentence}" for who, sentence in needing(results, refused)]
    return "\n".join(["Need a person:", *lines]) if lines else ""


def needing(results: Results, refused: Iterable[str]) -> list[tuple[str, str]]:
    """[(student, or "refused"; what a person must look at)]."""
    found = [
        (student, result["reason"]) for student, result in results.items() if result["status"] != "graded"
    ]
    found += [(student, problem) for student, result in results.items() for problem in result["problems"]]
    return found + [("refused", sentence) for sentence in refused]
