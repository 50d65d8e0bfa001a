"""Find how many days a submission is late, from the due date and the platform's times.

No points are deducted here; that is up to nbgrader's penalties or the instructor.
"""

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from ..intake.records import Submission

if TYPE_CHECKING:
    from nbgrader.api import SubmittedAssignment

UNKNOWN = "unknown"
MARKS_LATE = ("canvas",)  # platforms that mark late submissions, but do not say when they arrived


def lateness(submitted: "SubmittedAssignment", sent: Submission | None) -> dict[str, str | int]:
    """Return the entries `late` and `late_days` for the grade table.

    `late` is "late", "" or "unknown". `late_days` is the number of days, rounded up, or "unknown" or "".

    `submitted` is the submission in the gradebook, which has the due date, including any extension, and the
    time of submission if it is known. `sent` is the submission that was just read, or None. Without a due
    date, a submission is late only if Canvas marked it as late.
    """
    marked = sent is not None and sent.late
    if submitted.assignment.duedate is not None and submitted.timestamp is not None:
        days = max(0, math.ceil((submitted.timestamp - submitted.duedate) / timedelta(days=1)))
        return {"late": "late" if days or marked else "", "late_days": days}
    if sent is not None and sent.lms in MARKS_LATE:
        return {"late": "late" if marked else "", "late_days": UNKNOWN if marked else 0}
    known = "" if submitted.assignment.duedate is None else UNKNOWN
    return {"late": known, "late_days": known}
