"""Days late, from what each platform tells: counted in begun days, or said to be unknown."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from minibert.grading.intake.records import Submission
from minibert.grading.report.class_summary import counts
from minibert.grading.report.late_days import lateness

DUE = datetime(2026, 2, 2, 9)


@dataclass
class Assignment:
    """An assignment in the gradebook."""

    duedate: datetime | None


@dataclass
class Submitted:
    """A submission in the gradebook. duedate: with an extension."""

    assignment: Assignment
    duedate: datetime | None
    timestamp: datetime | None


def judged(lms="", due=DUE, after=None, late=False, extension=0):
    """(late, late_days) of a submission that came `after` the due date, None if its time is unknown."""
    time = None if after is None else DUE + after
    submitted = Submitted(Assignment(due), due and due + timedelta(days=extension), time)
    return tuple(lateness(submitted, Submission("ada", (), lms=lms, timestamp=time, late=late)).values())


@pytest.mark.parametrize(
    "after, days",
    [
        (timedelta(days=-3), 0),
        (timedelta(0), 0),
        (timedelta(microseconds=1), 1),
        (timedelta(days=1), 1),
        (timedelta(days=1, seconds=1), 2),
        (timedelta(days=400), 400),
    ],
)
def test_a_day_begun_is_a_day(after, days):
    assert judged("blackboard", after=after) == ("late" if days else "", days)


def test_an_extension_moves_the_due_date():
    assert judged(after=timedelta(days=3), extension=2) == ("late", 1)
    assert judged(after=timedelta(days=2), extension=2) == ("", 0)


@pytest.mark.parametrize(
    "lms, late, said",
    [
        ("moodle", False, ("unknown", "unknown")),
        ("", False, ("unknown", "unknown")),
        ("blackboard", False, ("unknown", "unknown")),
        ("brightspace", False, ("unknown", "unknown")),
        ("canvas", False, ("", 0)),
        ("canvas", True, ("late", "unknown")),
    ],
)
def test_without_a_time_it_is_unknown_but_for_canvass_mark(lms, late, said):
    assert judged(lms, late=late) == said


@pytest.mark.parametrize(
    "lms, late, said",
    [("moodle", False, ("", "")), ("canvas", True, ("late", "unknown")), ("canvas", False, ("", 0))],
)
def test_without_a_due_date_nothing_is_late_unless_canvas_says_so(lms, late, said):
    assert judged(lms, due=None, late=late) == said


def test_a_time_in_the_gradebook_gives_canvass_mark_its_days():
    assert judged("canvas", after=timedelta(days=1, hours=1), late=True) == ("late", 2)


@pytest.mark.parametrize(
    "late, said",
    [
        (["late", "", "unknown", "unknown"], "1 late, unknown for 2; 0 students"),
        (["late", ""], "1 late; 0 students"),
        (["unknown"], "0 late, unknown for 1; 0 students"),
    ],
)
def test_the_summary_says_how_many_are_late_and_unknown(late, said):
    table = [{"late": entry, "status": "graded"} for entry in late]
    assert said in counts(table, {str(number): {"status": "graded"} for number in range(len(late))})


def test_the_summary_names_the_command_that_marks_text():
    table = [{"late": "", "status": "waits", "assignment": "02_attention"}]
    said = counts(table, {"ada": {"status": "graded"}})
    assert "text answers to be marked: 1; run `minibert mark 02_attention`." in said
