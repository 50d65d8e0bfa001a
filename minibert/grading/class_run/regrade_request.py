"""A request to regrade an exercise, and the log of all requests in a class."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..sandbox.limits import Policy

LOG = "regrades.jsonl"


@dataclass(frozen=True)
class Request:
    """A request to regrade one student's exercise, such as 02.3 or 02_attention.split_heads.

    points: points to award by hand, instead of running the tests. lower: whether the points may decrease.
    seconds, memory_mb: limits to use instead of the class's. Raises ValueError if the reason is empty.
    """

    student: str
    exercise: str
    reason: str
    points: float | None = None
    lower: bool = False
    seconds: int | None = None
    memory_mb: int | None = None

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError(f"a regrade request needs a reason, but the reason is {self.reason!r}")

    def limits(self, policy: Policy) -> Policy:
        """Return the class's policy with the limits that the request asks for."""
        return policy.limited(self.seconds, self.memory_mb)


def log(folder: Path, record: Mapping[str, Any]) -> None:
    """Append an entry to the log, before the change is made, so that a crash leaves no change unlogged."""
    with open(folder / LOG, "a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def sentence(record: Mapping[str, Any]) -> str:
    """Describe a log entry in sentences."""
    before = "not marked" if record["before"] is None else f"{record['before']:g}"
    said = (
        f"{record['student']}, {record['exercise']} {record['name']}: {before} before, "
        f"{record['after']:g} of {record['max_points']:g} points now, {record['given']}."
    )
    if record.get("stays"):
        said += f"\nPoints given by a person are kept; the tests give {record['tests']:g}."
    elif not record["applied"]:
        said += f"\nRun again, the tests give only {record['tests']:g}; add --lower to accept that."
    if record["hint"]:
        said += f"\nHint: {record['hint']}"
    if record.get("also") and record["applied"]:
        said += f"\nStudents with the same file get the same points: {', '.join(record['also'])}"
    return said
