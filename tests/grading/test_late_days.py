"""Days late, from what each platform tells: counted in begun days, or said to be unknown."""

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from minibert.grading.intake.records import Submission
from minibert.grading.report.class_summary import counts
from minibert.grading.report.late_days import lateness

DUE = datetime(2026, 2, 2, 9)


def judged(lms="", due=DUE, after=None, late=False, extension=0):
    """(late, late_days) of a submission that came `after` the due date, None if its time is unknown."""
    time = None if after is None else DUE + after
    extended = due and due + timedelta(days=extension)
    submitted = SimpleNamespace(assignment=SimpleNamespace(duedate=due), duedate=extended, timestamp=time)
    return tuple(lateness(submitted, Submission("ada", (), lms=lms, timestamp=time, late=late)).values())


@pytest.mark.parametrize(
    "after, microseconds, days", [(-3, 0, 0), (0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2), (400, 0, 400)]
)
def test_a_day_begun_is_a_day(after, microseconds, days):
    after = timedelta(days=after, microseconds=microseconds)
    assert judged("blackboard", after=after) == ("late" if days else "", days)


def test_an_extension_moves_the_due_date():
    assert judged(after=timedelta(days=3), extension=2) == ("late", 1)
    assert judged(after=timedelta(days=2), extension=2) == ("", 0)


@pytest.mark.parametrize(
    "lms, late, said, without_due_date",
    [
        ("moodle", False, ("unknown", "unknown"), ("", "")),
        ("", False, ("unknown", "unknown"), ("", "")),
        ("canvas", False, ("", 0), ("", 0)),
        ("canvas", True, ("late", "unknown"), ("late", "unknown")),
    ],
)
def test_without_a_time_lateness_is_unknown_but_for_canvass_mark(lms, late, said, without_due_date):
    assert judged(lms, late=late) == said and judged(lms, due=None, late=late) == without_due_date
    assert not late or judged(lms, after=timedelta(days=1, hours=1), late=late) == ("late", 2)


@pytest.mark.parametrize(
    "late, said",
    [
        (["late", "", "unknown", "unknown"], "1 late, unknown for 2; 0 students"),
        (["late", ""], "1 late; 0 students"),
        (["unknown"], "0 late, unknown for 1; 0 students"),
    ],
)
def test_the_summary_says_how_many_are_late_and_unknown(late, said):
    table = [
        {"late": entry, "status": "graded", "student_id": str(number)} for number, entry in enumerate(late)
    ]
    assert said in counts(table, {str(number): {"status": "graded"} for number in range(len(late))})


def test_the_summary_names_the_command_that_marks_text():
    table = [{"late": "", "status": "waits", "assignment": "02_attention", "student_id": "0"}]
    said = counts(table, {"ada": {"status": "graded"}})
    assert "text answers to be marked: 1; run `minibert mark 02_attention`." in said
