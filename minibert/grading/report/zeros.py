"""Stop before most of a class gets 0 points by mistake, for example because of a wrong archive or test."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .class_summary import LISTED, Results, listed, tests

LEAST = 3  # with fewer graded submissions, nothing is concluded


def zeros(results: Results) -> list[str]:
    """Return the students with 0 points from the tests, or with a notebook of another assignment."""
    return [student for student, result in results.items() if has_points(result) is False]


def has_points(result: Mapping[str, Any]) -> bool | None:
    """Return whether the tests awarded points (False for another assignment), or None if none were graded."""
    if result.get("other"):
        return False
    points = [cell["points"] for cell in tests(result) if cell["points"] is not None]
    return any(points) if points and result["status"] == "graded" else None


def count_graded(results: Results) -> int:
    """Return the number of submissions for which it is known whether the tests awarded points."""
    return sum(has_points(result) is not None for result in results.values())


def most_are_zero(results: Results) -> bool:
    """Return whether at least LEAST submissions are graded and more than half of them got 0 points."""
    graded = count_graded(results)
    return graded >= LEAST and 2 * len(zeros(results)) > graded


def few_zeros(results: Results, submissions: int) -> bool:
    """Return whether at most half of all submissions can still end with 0 points."""
    others = submissions - len(results)
    return 2 * (len(zeros(results)) + others) <= count_graded(results) + others


def why_stopped(results: Results, folder: Path) -> str:
    """Return a message that explains why grading was stopped, where to look, and how to continue."""
    found = zeros(results)
    return (
        f"Stopped: {len(found)} of {count_graded(results)} submissions got 0 points from the tests or belong "
        f"to another assignment. The gradebook and the tables for upload in {folder} were not written.\n"
        f"Look at the most frequent hints below, and at the notebooks of {listed(found, LISTED)}. Do they "
        f"belong to this assignment? Do the tests pass with your own solution?\n"
        f"If the zeros are right, run the same command with --accept-zeros. Results are kept, and nothing is "
        f"graded twice."
    )
