"""Summarise a class's grades as text: points, hardest checks, frequent hints, and what needs attention."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import mean, median
from textwrap import shorten
from typing import Any

from .late_days import UNKNOWN

Results = Mapping[str, Mapping[str, Any]]  # student -> result, see `class_run.grade_submission`

BARS = 10  # ranges of points in the histogram
WIDTH = 40  # characters of the longest bar
MOST = 5  # checks and hints that are listed
DECISIONS = 12  # lines about files
LISTED = 5  # students named in one line
FEW = 10  # students whose points are printed
HINT = 90  # characters shown of a hint
UNWRITTEN = "not written yet"  # in the hint of a test if a function is missing


def summary(
    table: Sequence[Mapping[str, Any]], results: Results, refused: Iterable[str] = (), unwritten: str = ""
) -> str:
    """Return the summary of a class's grades as text.

    `table` comes from `grade_tables.rows`. `refused` contains sentences about files that were not accepted.
    `unwritten` is a sentence about missing answers, see `question_statistics.unwritten_line`.
    """
    waiting = undecided(table, results)
    parts = [
        needing_first(waiting, len(results)),
        counts(table, results),
        students_line(table),
        histogram(results),
        final_histogram(table),
        unwritten,
        hardest(results),
        hints(results),
        persons(waiting, refused),
        decisions_text(results),
    ]
    return "\n\n".join(part for part in parts if part)


def undecided(table: Sequence[Mapping[str, Any]], results: Results) -> Results:
    """Return the results except those of ungraded submissions to which a person has given points."""
    decided = {row["student_id"] for row in table if row["status"] == "graded"}
    return {
        student: result
        for student, result in results.items()
        if result["status"] == "graded" or student not in decided
    }


def needing_first(results: Results, submissions: int) -> str:
    """Return text that lists, by reason, the ungraded submissions, which a person must look at."""
    reasons: dict[str, list[str]] = {}
    for student, result in results.items():
        if result["status"] != "graded":
            reasons.setdefault(result["reason"], []).append(student)
    number = sum(map(len, reasons.values()))
    lines = [
        f"{number} of {submissions} submissions need a person, and their grade is blank; `minibert regrade "
        "STUDENT UNIT --points 0 --reason ...` gives 0 points:"
    ]
    lines += [f"  {listed(students, LISTED)}: {reason}" for reason, students in reasons.items()]
    return "\n".join(lines) if reasons else ""


def listed(names: Sequence[str], most: int) -> str:
    """Join the first `most` names on one line, and add how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + f" and {more} more" * (more > 0)


def counts(table: Sequence[Mapping[str, Any]], results: Results) -> str:
    """Return sentences that count the submissions that are graded, late, missing or still to be marked."""
    blank = sum(result["status"] != "graded" for result in undecided(table, results).values())
    late = sum(row["late"] == "late" for row in table)
    unknown = sum(row["late"] == UNKNOWN for row in table)
    missing = sum(row["status"] == "missing" for row in table)
    waiting = sum(row["status"] == "waits" for row in table)
    said = (
        f"{len(results)} submissions: {len(results) - blank} graded, {blank} "
        f"need{'s' * (blank == 1)} a person; {late} late"
        f"{f', unknown for {unknown}' * bool(unknown)}; {missing} "
        f"{'student' if missing == 1 else 'students'} handed in nothing."
    )
    if waiting:
        said += (
            f"\nSubmissions with text answers to be marked: {waiting}; run `minibert mark "
            f"{table[0]['assignment']}`. "
            "Until then, the tables for learning platforms leave their scores blank; "
            "`grade --provisional` fills in the points so far."
        )
    pending = sum(row["status"] == "pending" and row["student_id"] not in results for row in table)
    if pending:
        said += f"\n{pending} more are still to be graded; their scores are blank in every table."
    return said


def students_line(table: Sequence[Mapping[str, Any]]) -> str:
    """Return one line with each student's points, or "" for a class of more than `FEW` students."""
    said = []
    for row in table if len(table) <= FEW else ():
        points = row["so_far"] if row["score"] is None else row["score"]
        shown = row["status"] if points is None else f"{points:g} of {row['max_score']:g}"
        waiting = sum(points is None for points in row["cells"].values()) if points is not None else 0
        marks = f", {waiting} {'answer waits' if waiting == 1 else 'answers wait'}" if waiting else ""
        said.append(f"{row['student_id']} {shown}{marks}")
    return f"Points: {'; '.join(said)}" if said else ""


def histogram(results: Results) -> str:
    """Return a text histogram of the points that the graded students got from the tests."""
    return bars("Points given by tests", *points_of_tests(results))


def final_histogram(table: Sequence[Mapping[str, Any]]) -> str:
    """Return a text histogram of the final points, or "" if no points were given by hand."""
    return bars("Final points", *final_points(table))


def bars(title: str, points: Collection[float], possible: float) -> str:
    """Format points as a text histogram, or return "" if there are none."""
    if not possible or not points:
        return ""
    bins = distribution(points, possible)
    most = max([1, *(count for *_, count in bins)])
    lines = [f"{title}, out of {possible:g}:"]
    lines += [
        f"  {low:5.1f} to {high:5.1f}  {count:4d}  {'#' * -(-WIDTH * count // most)}".rstrip()
        for low, high, count in bins
    ]
    return "\n".join([*lines, f"  mean {mean(points):.1f}, median {median(points):g}"])


def points_of_tests(results: Results) -> tuple[list[float], float]:
    """Return (points that each graded student got from the tests, maximum points of the tests)."""
    graded = [tests(result) for result in results.values() if result["status"] == "graded"]
    return (
        [sum(cell["points"] or 0 for cell in cells) for cells in graded],
        max((sum(cell["max_points"] for cell in cells) for cells in graded), default=0),
    )


def final_points(table: Sequence[Mapping[str, Any]]) -> tuple[list[float], float]:
    """Return (final scores, maximum score). The maximum is 0 if nothing was marked by hand."""
    final = [row for row in table if row["score"] is not None]
    return (
        [row["score"] for row in final],
        final[0]["max_score"] if any(row["by_person"] for row in final) else 0.0,
    )


def distribution(points: Iterable[float], possible: float) -> list[tuple[float, float, int]]:
    """Divide the points into equally wide ranges, and return a list of (low, high, number of students)."""
    bins = Counter(min(int(BARS * point / possible), BARS - 1) for point in points)
    width = possible / BARS
    return [(width * number, width * (number + 1), bins[number]) for number in range(BARS)]


def tests(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cells of a result that are graded by tests, not by a person."""
    return [cell for cell in result["cells"] if not cell["manual"]]


def is_unwritten(cell: Mapping[str, Any]) -> bool:
    """Return whether a graded cell has no points because a function or text answer is not written yet."""
    return cell["points"] == 0 if cell["manual"] else UNWRITTEN in cell["hint"].partition("\n")[0]


def hardest(results: Results) -> str:
    """Return text that lists the checks that completed answers fail most often."""
    passed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for result in results.values():
        for cell in tests(result) if result["status"] == "graded" else ():
            if is_unwritten(cell):
                continue
            tried[cell["name"]] += 1
            passed[cell["name"]] += cell["points"] == cell["max_points"]
    failed = {name: tried[name] - passed[name] for name in tried if tried[name] > passed[name]}
    worst = sorted(failed, key=lambda name: (-failed[name], name))[:MOST]
    lines = [f"  {name}: {failed[name]} of {tried[name]} fail" for name in worst]
    return "\n".join(["Hardest checks:", *lines]) if lines else ""


def hints(results: Results) -> str:
    """Return text that lists the most frequent hints on completed answers. Each counts once per student."""
    said = Counter(
        hint
        for result in results.values()
        for hint in dict.fromkeys(
            cell["hint"].split("\n")[0] for cell in tests(result) if not is_unwritten(cell)
        )
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
    """Return text that lists refused files, and submissions that have a problem or are ungraded."""
    lines = [f"  {who}: {sentence}" for who, sentence in needing(results, refused)]
    return "\n".join(["Needs attention:", *lines]) if lines else ""


def needing(results: Results, refused: Iterable[str]) -> list[tuple[str, str]]:
    """Return (student or "refused", description) for each problem that needs attention."""
    found = [
        (student, result["reason"]) for student, result in results.items() if result["status"] != "graded"
    ]
    found += [(student, problem) for student, result in results.items() for problem in result["problems"]]
    return found + [("refused", sentence) for sentence in refused]


def decisions(results: Results) -> list[tuple[str, str]]:
    """Return (students, sentence) for each decision about handed-in files, such as which version counts."""
    found: dict[str, list[str]] = {}
    for student, result in results.items():
        for sentence in dict.fromkeys(result.get("decisions", ())):
            found.setdefault(sentence, []).append(student)
    return [(listed(students, LISTED), sentence) for sentence, students in found.items()]


def decisions_text(results: Results) -> str:
    """Return text about the first few files for which a decision was needed, such as between two versions."""
    made = decisions(results)
    lines = [f"  {who}: {sentence}" for who, sentence in made[:DECISIONS]]
    lines += [f"  and {len(made) - DECISIONS} more, in index.html"] * (len(made) > DECISIONS)
    return "\n".join(["Decisions about files:", *lines]) if lines else ""
