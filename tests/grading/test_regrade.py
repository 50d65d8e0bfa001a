"""A regrade request: one exercise anew, points before and after, a log, and nobody loses points unasked."""

import contextlib
import datetime
import json
import shutil
from functools import partial

import no_kernel
import pytest

from minibert.cli import main as cli
from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.class_run.regrade import nearest, regrade
from minibert.grading.class_run.regrade_request import Request, sentence
from minibert.grading.notebook import grade_id
from minibert.grading.report.gradebook import open_course, open_gradebook
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
NOW = datetime.datetime(2026, 2, 3, 4, 5, 6, tzinfo=datetime.timezone.utc)


@pytest.fixture(autouse=True)
def policies(monkeypatch):
    return no_kernel.in_one_process(monkeypatch)


@contextlib.contextmanager
def flaky(policy, wrong):
    """An executor under which the answers named fail, whatever they are."""
    with no_kernel.quick(policy) as execute:

        def failing(notebook, policy, files):
            for cell in notebook.cells:
                if grade_id(cell) in wrong:
                    cell.source += "  # WRONG"
            return execute(notebook, policy, files)

        yield failing


def grade(course, wrong=(), **more):
    return grade_class(course, UNIT, Policy(sandbox="none"), executor=partial(flaky, wrong=wrong), **more)


def again(course, student="ann", exercise="01.1", reason="It worked at home.", wrong=(), **more):
    request = Request(student, exercise, reason, **more)
    return regrade(course, request, executor=partial(flaky, wrong=wrong), who="ms", now=NOW)


def scores(course, student="ann"):
    with open_gradebook(open_course(course)) as book:
        grades = book.find_submission_notebook(UNIT, UNIT, student).grades
        return {grade.name: (grade.auto_score, grade.manual_score) for grade in grades}


def by_person(course, cell, points, student="ann"):
    with open_gradebook(open_course(course)) as book:
        grade = book.find_grade(cell, UNIT, UNIT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


def log(course):
    lines = (course / "grades" / UNIT / "regrades.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_one_exercise_is_graded_anew_and_stays_so(course, hand_in):
    hand_in("ann", why="By ann.")
    hand_in("bob")
    grade(course, wrong=("square", "double"))
    found = again(course)
    assert (found["before"], found["after"], found["tests"], found["applied"]) == (0, 5, 5, True)
    names = ("square-visible", "square-hidden", "double-visible", "why")
    kept = {name: (points, None) for name, points in zip(names, (2, 3, 0, None))}
    assert scores(course) == kept and scores(course, "bob")["square-visible"] == (0, None)
    page = (course / "feedback" / "ann" / UNIT / f"{UNIT}.html").read_text()
    assert "5 of 10 points" in page and "square: hidden test · 3 of 3" in page
    assert "ann" in (course / "grades" / UNIT / "grades.csv").read_text()
    assert grade(course, wrong=("square", "double")).graded == 0 and scores(course) == kept


def test_the_log_has_when_who_why_before_after_and_hint(course, hand_in):
    hand_in("ann")
    grade(course, wrong=("square",))
    again(course, reason="Zu früh ✓", wrong=("square",))
    again(course, exercise="01_small.double", points=0.5, lower=True)
    both = {
        "time": "2026-02-03T04:05:06+00:00",
        "who": "ms",
        "student": "ann",
        "assignment": UNIT,
        "applied": True,
    }
    assert log(course) == [
        {
            **both,
            "exercise": "01.1",
            "name": "square",
            "reason": "Zu früh ✓",
            "max_points": 5,
            "before": 0,
            "after": 0,
            "given": "by tests",
            "tests": 0,
            "hint": "It is wrong.",
            "stays": False,
            "also": [],
        },
        {
            **both,
            "exercise": "01.2",
            "name": "double",
            "reason": "It worked at home.",
            "max_points": 1,
            "before": 1,
            "after": 0.5,
            "given": "by hand",
            "hint": "",
        },
    ]


def test_a_run_that_gives_less_takes_nothing_unless_told(course, hand_in):
    hand_in("ann")
    grade(course)
    found = again(course, wrong=("square",))
    assert not found["applied"] and found["after"] == 5 and scores(course)["square-hidden"] == (3, None)
    assert sentence(found).endswith("the tests give only 0; add --lower to accept that.\nHint: It is wrong.")
    assert again(course, wrong=("square",), lower=True)["after"] == 0
    assert scores(course)["square-hidden"] == (0, None) and len(log(course)) == 2


def test_what_a_person_gave_stays_and_is_said(course, hand_in):
    hand_in("ann")
    grade(course, wrong=("square",))
    by_person(course, "square-visible", 2)
    by_person(course, "square-hidden", 1)
    found = again(course, wrong=())
    assert (found["before"], found["tests"], found["after"]) == (3, 5, 3)
    assert scores(course)["square-hidden"] == (3, 1)
    assert "given by a person are kept; the tests give 5" in sentence(found)


@pytest.mark.parametrize(
    ("points", "given"), [(5, [2, 3]), (3.5, [2, 1.5]), (2, [2, 0]), (0.5, [0.5, 0]), (0, [0, 0])]
)
def test_points_by_hand_go_to_the_cells_in_their_order_and_stay(course, hand_in, points, given):
    hand_in("ann")
    grade(course, wrong=("square",))
    assert again(course, points=points)["after"] == points
    grade(course, wrong=("square",))
    assert [scores(course)[name][1] for name in ("square-visible", "square-hidden")] == given
    page = (course / "feedback" / "ann" / UNIT / f"{UNIT}.html").read_text()
    assert f"{points:g} of 5 points, graded by hand" in page and "Marked by hand: It worked at home." in page
    assert "Before that, the test said: It is wrong." in page and '"hint">It is wrong.' not in page
    again(course, points=points)
    assert page.count("Marked by hand") == 1


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (5.5, "cannot give 5.5 points: 01.1 is worth 0 to 5"),
        (-1, "is worth 0 to 5"),
        (float("nan"), "cannot give nan points"),
        (float("inf"), "cannot give inf points"),
        (2, "ann already has 3 points for 01.1; add --lower to reduce them to 2"),
    ],
)
def test_points_that_may_not_be_given_change_nothing(course, hand_in, points, said):
    hand_in("ann")
    grade(course)
    by_person(course, "square-hidden", 1)
    before = scores(course)
    with pytest.raises(ValueError, match=said):
        again(course, points=points)
    assert scores(course) == before and not (course / "grades" / UNIT / "regrades.jsonl").exists()


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (("zoe", "01.1", "x"), "zoe has not handed in 01_small$"),
        (("Anne", "01.1", "x"), "Anne has not handed in 01_small; did you mean ann?"),
        (
            ("ann", "01.9", "x"),
            "'9' is not an exercise of 01_small; the exercises are 01.1 square, 01.2 double",
        ),
        (("ann", "02.1", "x"), "'02' matches 0 assignments"),
        (("ann", "01", "x"), "'' is not an exercise"),
        (("ann", "01.3", "x"), "01.3 has no tests; give --points, or use `minibert mark 01_small`"),
        (("bob", "01.1", "x"), "the submission of bob is not graded"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(course, hand_in, request_, said):
    hand_in("ann")
    grade(course)
    hand_in("bob", why="By bob.")
    with pytest.raises(ValueError, match=said):
        regrade(course, Request(*request_))


def test_a_whole_submission_that_cannot_be_read_gets_0_points(course, hand_in):
    hand_in("ann")
    hand_in("bob", data=b"")
    found = grade(course)
    assert "Points: ann 6 of 10, 1 answer waits; bob ungraded" in found.text
    assert "1 of 2 submissions need" in found.text and "1 graded, 1 needs a person" in found.text
    with pytest.raises(ValueError, match="a whole unit can only get --points 0.* such as 01.1"):
        again(course, student="bob", exercise="01", points=1)
    with pytest.raises(ValueError, match="ann already has 6 points for 01_small; add --lower"):
        again(course, exercise="01", points=0)
    said = sentence(again(course, student="bob", exercise="01", points=0, reason="Empty."))
    assert said == "bob, 01 the whole unit: not marked before, 0 of 10 points now, by hand."
    assert {points for _, points in scores(course, "bob").values()} == {0}
    summary = (course / "grades" / UNIT / "summary.txt").read_text()
    assert "2 graded, 0 need a person" in summary and "regrade" not in summary
    page = (course / "feedback" / "bob" / UNIT / f"{UNIT}.html").read_text()
    assert "0 of 10 points" in page and "Not graded yet" not in page and log(course)[-1]["reason"] == "Empty."


def test_a_reason_is_needed_and_a_class_that_was_graded(course, hand_in):
    with pytest.raises(ValueError, match="needs a reason, but the reason is '  '"):
        Request("ann", "01.1", "  ")
    hand_in("ann")
    with pytest.raises(
        ValueError, match="contains no results from this version; run `minibert grade 01_small` first"
    ):
        again(course)


def test_equal_files_get_equal_points(course, hand_in):
    for student in ("ann", "bob"):
        hand_in(student)
    grade(course, wrong=("square",))
    found = again(course)
    assert found["also"] == ["bob"] and scores(course, "bob")["square-hidden"] == (3, None)
    assert "Students with the same file get the same points: bob" in sentence(found)


def test_a_result_that_the_gradebook_never_got_is_taken_first(course, hand_in):
    hand_in("ann")
    grade(course)
    hand_in("bob")  # the same file: its result is in the journal
    assert again(course, student="bob")["after"] == 5 and scores(course, "bob")["double-visible"] == (1, None)


def test_limits_and_submissions_are_those_of_the_class_unless_given(course, hand_in, policies):
    hand_in("ann")
    shutil.move(course / "submitted", course / "elsewhere")
    grade(course, source=course / "elsewhere")
    again(course)
    again(course, seconds=500, memory_mb=9000)
    assert policies[1] == policies[0]
    assert (policies[2].exercise_seconds, policies[2].memory_mb) == (500, 9000)


def test_a_problem_that_is_gone_is_no_longer_reported(course, hand_in, monkeypatch):
    hand_in("ann", square="# WRONG")
    grade(course)
    (path,) = (course / "grades" / UNIT / "journal").glob("*.json")
    entry = json.loads(path.read_bytes())
    entry["problems"] = ["cell square-visible: it computed for 61 s", "cell double: its output was cut"]
    entry["notes"] = [problem + "." for problem in entry["problems"]]
    path.write_text(json.dumps(entry))
    again(course)
    summary = (course / "grades" / UNIT / "summary.txt").read_text()
    person = summary.split("Needs attention:")[1]
    assert "double: its output was cut" in person and "square-visible" not in person


@pytest.mark.parametrize(
    ("name", "due"),
    [
        ("ada", "Ada-Lovelace"),
        ("lovlace", "Ada-Lovelace"),
        ("van", "Zoë-van-Dam or Bo-van-Dyk"),
        ("zoë-van-dan", "Zoë-van-Dam"),
        ("x", ""),
    ],
)
def test_the_nearest_student_is_suggested(name, due):
    assert nearest(name, ["Ada-Lovelace", "Zoë-van-Dam", "Bo-van-Dyk"]) == due


@pytest.mark.parametrize(
    "command, function",
    [
        ("grade --sandbox none", "class_run.grade_class.grade_class"),
        ("similar", "integrity.similar.similar"),
        ("export-autograder --platform github", "export.autograder.export"),
    ],
)
def test_every_command_takes_the_number_of_a_unit(course, hand_in, capsys, monkeypatch, command, function):
    hand_in("ann")
    monkeypatch.chdir(course)
    called = []
    monkeypatch.setattr(
        f"minibert.grading.{function}", lambda root, name, *_, **__: called.append(name) or 1 / 0
    )
    command, *options = command.split()
    with pytest.raises(ZeroDivisionError):
        cli.main([command, "1", *options])
    assert called == [UNIT]
    assert cli.main([command, "02", *options]) == 2
    assert "'02' matches 0 assignments; the assignments are 01_small" in capsys.readouterr().err


def test_the_command_says_points_before_and_after(course, hand_in, capsys, monkeypatch):
    hand_in("ann", square="# WRONG")
    grade(course)
    monkeypatch.chdir(course)
    assert cli.main("regrade ann 01.square --points 4 --reason looked".split()) == 0
    assert "ann, 01.1 square: 0 before, 4 of 5 points now, by hand." in capsys.readouterr().out
    assert cli.main("regrade ann 01.square --points 1 --reason looked".split()) == 2
    assert "minibert regrade: ann already has 4 points for 01.1" in capsys.readouterr().err
