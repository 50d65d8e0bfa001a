"""A regrade request, and the line about it in the log of its class."""

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
    """A regrade request. exercise: such as 02.3 or 02_attention.split_heads.

    points: given by hand instead of by the tests. lower: they may be fewer than now. seconds, memory_mb:
    other limits than the class had. Raises ValueError without a reason.
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
            raise ValueError(f"a regrade request needs a reason, not {self.reason!r}")

    def limits(self, policy: Policy) -> Policy:
        """The limits of the class, with those of the request."""
        return policy.limited(self.seconds, self.memory_mb)


def log(folder: Path, record: Mapping[str, Any]) -> None:
    """Add a line to the log before what it says is done: better one line too many than one too few."""
    with open(folder / LOG, "a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def sentence(record: Mapping[str, Any]) -> str:
    """A line of the log in words."""
    before = "waiting for a person" if record["before"] is None else f"{record['before']:g}"
    said = (
        f"{record['student']}, {record['exercise']} {record['name']}: {before} before, "
        f"{record['after']:g} of {record['max_points']:g} points now, {record['given']}."
    )
    if record.get("stays"):
        said += f"\nPoints that a person gave stay; the tests give {record['tests']:g}."
    elif not record["applied"]:
        said += f"\nRun again, the tests give {record['tests']:g}; --lower takes that."
    if record["hint"]:
        said += f"\nHint: {record['hint']}"
    if record.get("also") and record["applied"]:
        said += f"\nThe same file, hence the same points: {', '.join(record['also'])}"
    return said
