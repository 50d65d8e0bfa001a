"""How many days late a submission is, by the gradebook's due date and the learning platform's time stamps.

Nothing is taken off for it here: that is for nbgrader's own penalties, or for the instructor.
"""

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from ..intake.records import Submission

if TYPE_CHECKING:
    from nbgrader.api import SubmittedAssignment

UNKNOWN = "unknown"
MARKS_LATE = ("canvas",)  # platforms that mark what was late, but do not say when it came


def lateness(submitted: "SubmittedAssignment", sent: Submission | None) -> dict[str, str | int]:
    """Entries of the table: late ("late", "" or "unknown") and late_days (days begun, "unknown", or "").

    submitted: in the gradebook, which knows the due date with any extension, and the time if it is known.
    sent: what was read now, None if nothing was. Without a due date nothing is late, unless Canvas says so.
    """
    marked = sent is not None and sent.late
    if submitted.assignment.duedate is not None and submitted.timestamp is not None:
        days = max(0, math.ceil((submitted.timestamp - submitted.duedate) / timedelta(days=1)))
        return {"late": "late" if days or marked else "", "late_days": days}
    if sent is not None and sent.lms in MARKS_LATE:
        return {"late": "late" if marked else "", "late_days": UNKNOWN if marked else 0}
    known = "" if submitted.assignment.duedate is None else UNKNOWN
    return {"late": known, "late_days": known}
