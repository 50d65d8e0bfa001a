"""A class graded: each submission once, whoever dies meanwhile; the gradebook keeps what persons wrote;
tables tell no lies.
"""

import csv
import datetime
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from functools import partial
from pathlib import Path

import nbformat
import no_kernel
import pytest
from patience import HANG, processor_time, waited

from minibert.grading.author.build import build
from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.notebook import fill, marked, text
from minibert.grading.report.class_summary import histogram
from minibert.grading.report.gradebook import open_course, open_gradebook
from minibert.grading.report.zeros import few_zeros, most_are_zero
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
POLICY = Policy(sandbox="none")
SOURCE = f"solutions/{UNIT}/{UNIT}.nb.py"


@pytest.fixture
def course(course, empty_gradebook):
    shutil.copy(empty_gradebook, course)
    return course


@pytest.fixture
def counted(tmp_path):
    """Folder in which each execution leaves a file."""
    (tmp_path / "counted").mkdir()
    return tmp_path / "counted"


@pytest.fixture
def hand_in(course, exercise, right):
    """hand_in(student, ...) puts a submission into submitted/: right answers, with some replaced, or any
    bytes.
    """

    def put(student, data=None, timestamp=None, **changed):
        folder = course / "submitted" / student / UNIT
        folder.mkdir(parents=True, exist_ok=True)
        made = text(fill(exercise, {**right, **changed})).encode() if data is None else data
        (folder / f"{UNIT}.ipynb").write_bytes(made)
        if timestamp:
            (folder / "timestamp.txt").write_text(timestamp)

    return put


@pytest.fixture
def grade(course, counted):
    """grade(...) grades the class without kernels."""

    def run(jobs=1, **more):
        return grade_class(
            course, UNIT, POLICY, jobs=jobs, executor=partial(no_kernel.quick, folder=str(counted)), **more
        )

    return run


@pytest.fixture
def gradebook(course):
    """gradebook() opens it anew."""
    return lambda: open_gradebook(open_course(course))


def table(course, name="grades"):
    with open(course / "grades" / UNIT / f"{name}.csv", encoding="utf-8-sig", newline="") as file:
        return {
            row.get("student_id") or row.get("SIS Login ID") or row.get("Full name"): row
            for row in csv.DictReader(file)
        }


def edit(course, old, new):
    source = course / SOURCE
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new))
    assert build(course) == []


def scores(result):
    return {student: [cell["points"] for cell in found["cells"]] for student, found in result.results.items()}


def test_a_class_gets_its_points_and_a_second_run_grades_nothing(hand_in, grade, course, counted):
    hand_in("ada")
    hand_in("bob", square="# WRONG")
    hand_in("eve", data=b"%PDF")
    first = grade()
    assert scores(first) == {"ada": [2, 3, 1, None], "bob": [0, 0, 1, None], "eve": [None] * 4}
    assert first.graded == 3 and len(list(counted.iterdir())) == 2
    files = {
        path: path.read_bytes()
        for path in course.rglob("*")
        if path.is_file() and path.name != "gradebook.db"
    }
    again = grade()
    assert again.graded == 0 and again.rows == first.rows and len(list(counted.iterdir())) == 2
    assert {path: path.read_bytes() for path in files} == files


def test_a_flagged_line_costs_no_points_and_is_in_the_tables(hand_in, grade, course):
    hand_in("ada", square="import subprocess\ndef square(x):\n    return x * x")
    hand_in("bob")
    result = grade(out=course / "out")
    assert scores(result)["ada"] == scores(result)["bob"] == [2, 3, 1, None]
    assert {row["student_id"]: row["flags"] for row in result.rows} == {"ada": 1, "bob": 0}
    flags = list(csv.reader((course / "out/flags.csv").read_text("utf-8-sig").splitlines()))
    assert flags[0] == ["student", "cell", "line", "text", "why"]
    assert flags[1][:4] == ["ada", "square", "1", "import subprocess"] and len(flags) == 2


def test_only_what_is_new_or_changed_is_graded_again(hand_in, grade, counted):
    for student in ("ada", "bob"):
        hand_in(student, why=f"By {student}.")
    grade()
    hand_in("bob", why="By bob.", double="# WRONG")
    hand_in("cyd", why="By cyd.")
    assert grade().graded == 2 and len(list(counted.iterdir())) == 4


def test_equal_submissions_are_graded_once(hand_in, grade, counted):
    for student in ("ada", "bob", "cyd"):
        hand_in(student)
    assert len(grade().results) == 3 and len(list(counted.iterdir())) == 1


def test_one_job_and_four_give_the_same(hand_in, grade, course):
    for number in range(6):
        hand_in(f"s{number}", why=f"Answer {number}.", **({"square": "# WRONG"} if number % 2 else {}))
    one, four = (grade(jobs, out=course / f"out{jobs}") for jobs in (1, 4))
    assert one.graded == four.graded == 6 and one.rows == four.rows and one.text == four.text
    for student in one.results:
        assert {**one.results[student], "cpu_seconds": 0} == {**four.results[student], "cpu_seconds": 0}


def test_a_worker_that_dies_is_replaced_and_only_its_submission_suffers(hand_in, grade, counted):
    hand_in("ada", square="def square(x):\n    return x # END THE WORKER ONCE")
    hand_in("bob", square="def square(x):\n    return x # END THE WORKER ALWAYS")
    for student in ("cyd", "dan"):
        hand_in(student, why=f"By {student}.")
    result = grade()
    assert scores(result) == {"bob": [None] * 4} | {
        student: [2, 3, 1, None] for student in ("ada", "cyd", "dan")
    }
    assert len(list(counted.iterdir())) == 2 + 2 + 1 + 1
    assert "  bob: The grader stopped twice while grading it." in result.text
    assert grade().graded == 1  # it is tried again


def second_unit(course):
    """The same course with the assignment 02_other, whose cells have other names."""
    folder = course / "solutions" / "02_other"
    folder.mkdir()
    source = (course / SOURCE).read_text()
    for name in ("intro", "imports", "square", "double", "why"):
        source = re.sub(rf'(nb="\w+ ){name}', rf"\1other-{name}", source)
    (folder / "02_other.nb.py").write_text(source)
    shutil.copy(course / "lessons" / f"{UNIT}.nb.py", course / "lessons" / "02_other.nb.py")
    assert build(course) == []
    return nbformat.read(course / "exercises" / "02_other" / "02_other.ipynb", as_version=4)


@pytest.mark.parametrize("named", [True, False])
def test_a_notebook_of_another_unit_is_named_in_the_first_lines(hand_in, grade, course, right, named):
    other = second_unit(course)
    if not named:
        other.metadata.clear()
    for student in ("ada", "bob"):
        hand_in(student, data=text(other).encode())
    hand_in("cyd")
    hand_in("dan")
    result = grade()
    said = "This is the notebook of 02_other, not of 01_small."
    assert result.text.split("\n")[:2] == [
        "2 of 4 submissions need a person, and their grade is blank:",
        f"  ada, bob: {said}",
    ]
    assert (course / "grades" / UNIT / "summary.txt").read_text() == result.text
    rows = table(course)
    assert [(rows[name]["status"], rows[name]["score"], rows[name]["reason"]) for name in ("ada", "bob")] == [
        ("needs a person", "", said)
    ] * 2
    assert rows["cyd"]["status"] == "waits" and table(course, "moodle")["ada"]["Grade"] == ""
    page = (course / "grades" / UNIT / "index.html").read_text()
    assert "<td>needs a person</td>" in page and said in page
    assert f"Not graded yet. {said}" in (course / "feedback" / "ada" / UNIT / f"{UNIT}.html").read_text()
    assert grade().graded == 0


def test_if_most_notebooks_are_of_another_unit_nothing_is_written(hand_in, grade, course, right):
    other = text(second_unit(course)).encode()
    for student in ("ada", "bob"):
        hand_in(student, data=other)
    hand_in("cyd")
    assert grade().stopped and not (course / "grades" / UNIT / "grades.csv").exists()


def test_if_most_get_zero_nothing_is_written_until_the_zeros_are_accepted(
    hand_in, grade, course, counted, gradebook
):
    for student in ("ada", "bob", "cyd"):
        hand_in(student, square="# WRONG", double="# WRONG", why=f"By {student}.")
    hand_in("dan")
    hand_in("eve", data=b"%PDF")
    for _ in range(2):
        result = grade()
        assert result.stopped and result.text.startswith(
            "Stopped: 3 of 4 submissions got 0 points from the tests or belong to another assignment."
        )
        assert "ada, bob, cyd" in result.text and "--accept-zeros" in result.text
        assert "Most frequent hints:" in result.text
        files = {path.name for path in (course / "grades" / UNIT).iterdir()}
        assert files == {"journal", "lock", "index.html", "summary.txt"}
        assert "5 of 5 submissions are done" in (course / "grades" / UNIT / "index.html").read_text()
        assert not (course / "feedback").exists() and not (course / "autograded").exists()
        with gradebook() as book:
            assert book.assignment_submissions(UNIT) == []
    assert len(list(counted.iterdir())) == 4
    result = grade(accept_zeros=True)
    assert not result.stopped and result.graded == 0 and len(list(counted.iterdir())) == 4
    assert {name: row["raw_score"] for name, row in table(course).items()} == {
        **dict.fromkeys(("ada", "bob", "cyd"), "0"),
        "dan": "6",
        "eve": "",
    }


def test_a_stopped_run_keeps_the_tables_of_the_run_before(hand_in, grade, course):
    hand_in("ada")
    hand_in("bob")
    grade()
    files = {path: path.read_bytes() for path in (course / "grades" / UNIT).glob("*.csv")}
    for student in ("ada", "bob", "cyd"):
        hand_in(student, square="# WRONG", double="# WRONG")
    assert grade().stopped and {path: path.read_bytes() for path in files} == files


@pytest.mark.parametrize(
    "points, stop", [([0, 0, 1, 1], False), ([0, 0, 1], True), ([0, 0], False), ([0, 0, None, None], False)]
)
def test_only_more_than_half_of_at_least_three_stop_a_run(points, stop):
    results = {
        str(number): {
            "status": "ungraded" if one is None else "graded",
            "cells": [{"points": one, "manual": False}, {"points": None, "manual": True}],
        }
        for number, one in enumerate(points)
    }
    assert most_are_zero(results) == stop
    for done in range(len(points)):  # what is released early never has to be stopped
        some = dict(list(results.items())[:done])
        assert not (few_zeros(some, len(points)) and stop)


def test_what_is_not_graded_is_blank_in_every_table(hand_in, grade, course, gradebook):
    hand_in("ada", why="*Your answer here.*")
    hand_in("bob", data=b"")
    hand_in("cyd")
    with gradebook() as book:
        book.add_student("dan", first_name="Dan", last_name="D")
    grade()
    rows = table(course)
    assert {name: (row["status"], row["score"], row["raw_score"]) for name, row in rows.items()} == {
        "ada": ("graded", "6", "6"),
        "bob": ("ungraded", "", ""),
        "cyd": ("waits", "", "6"),
        "dan": ("missing", "", ""),
    }
    assert rows["bob"]["reason"] == "The file is empty. No answer could be read from it."
    assert {name: row["Grade"] for name, row in table(course, "moodle").items()} == {
        "ada": "6",
        "bob": "",
        "cyd": "",
        "Dan D": "",
    }
    canvas = table(course, "canvas")
    assert {name: canvas[name][UNIT] for name in ("ada", "bob", "cyd", "dan")} == {
        "ada": "6",
        "bob": "",
        "cyd": "",
        "dan": "",
    }
    subprocess.run([sys.executable, "-m", "nbgrader", "export"], cwd=course, check=True, capture_output=True)
    with open(course / "grades.csv", newline="") as file:
        assert {row["student_id"]: row["score"] for row in csv.DictReader(file)} == {
            "ada": "6",
            "bob": "",
            "cyd": "",
            "dan": "",
        }


def test_provisional_grades_are_the_points_so_far_in_the_tables_for_upload(hand_in, grade, course):
    hand_in("ada")
    hand_in("bob", data=b"")
    grade(provisional=True)
    assert {name: row["Grade"] for name, row in table(course, "moodle").items()} == {"ada": "6", "bob": ""}
    assert table(course, "canvas")["ada"][UNIT] == "6" and table(course)["ada"]["score"] == ""
    grade()
    assert table(course, "moodle")["ada"]["Grade"] == ""


def test_a_persons_points_comments_and_extra_credit_stay(hand_in, grade, course, gradebook):
    hand_in("ada")
    grade()
    with gradebook() as book:
        why = book.find_grade("why", UNIT, UNIT, "ada")
        why.manual_score, why.extra_credit, why.needs_manual_grade = 3.0, 0.5, False
        book.find_comment("why", UNIT, UNIT, "ada").manual_comment = "Nearly."
        book.db.commit()
    grade()
    assert table(course)["ada"]["score"] == "9.5"
    page = (course / "feedback" / "ada" / UNIT / f"{UNIT}.html").read_text()
    assert "9.5 of 10 points" in page and "Comment: Nearly." in page
    with gradebook() as book:
        assert not book.find_grade("why", UNIT, UNIT, "ada").needs_manual_grade
    hand_in("ada", why="Another answer.")
    grade()
    with gradebook() as book:
        why = book.find_grade("why", UNIT, UNIT, "ada")
        assert why.manual_score == 3.0 and why.needs_manual_grade


def test_a_changed_test_grades_all_again_and_cells_come_and_go(hand_in, grade, course, gradebook):
    hand_in("ada")
    hand_in("bob", square="# WRONG")
    grade()
    edit(course, 'nb="tests square-hidden 3"', 'nb="tests square-hidden 4"')
    edit(
        course,
        '# %% nb="tests double-visible 1"\nexpect("double", double(3), 6)\n',
        '# %% nb="tests double-new 5"\ndouble(3)\n',
    )
    result = grade()
    assert result.graded == 2 and scores(result) == {"ada": [2, 4, 5, None], "bob": [0, 0, 5, None]}
    with gradebook() as book:
        submission = book.find_submission(UNIT, "ada")
        assert (submission.score, submission.max_score) == (11, 15)
        assert {grade.name for grade in submission.notebooks[0].grades} == {
            "square-visible",
            "square-hidden",
            "double-new",
            "why",
        }


def test_lateness_counts_with_extensions_and_the_configured_penalty(hand_in, grade, course, gradebook):
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    for student in ("ada", "bob"):
        hand_in(student, why="*Your answer here.*", timestamp="2026-02-02 10:00:00 UTC")
    grade()
    with gradebook() as book:
        book.update_or_create_assignment(UNIT, duedate="2026-02-02 09:00:00 UTC")
        book.grant_extension(UNIT, "bob", hours=2)
    grade()
    rows = table(course)
    assert (rows["ada"]["late"], rows["ada"]["score"], rows["ada"]["raw_score"]) == ("late", "0", "6")
    assert (rows["bob"]["late"], rows["bob"]["score"]) == ("", "6")
    assert (
        "6 taken off because it was late" in (course / "feedback" / "ada" / UNIT / f"{UNIT}.html").read_text()
    )
    with gradebook() as book:
        assert book.find_submission(UNIT, "ada").timestamp == datetime.datetime(2026, 2, 2, 10)


def test_a_zip_of_an_lms_finds_the_persons_that_the_gradebook_knows(
    grade, course, gradebook, exercise, right
):
    with gradebook() as book:
        book.add_student("al17", first_name="Ada", last_name="Lovelace")
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        archive.writestr(f"Ada Lovelace_77_assignsubmission_file_/{UNIT}.ipynb", text(fill(exercise, right)))
        archive.writestr(f"Zoë van Dam_78_assignsubmission_file_/{UNIT}.ipynb", text(fill(exercise, {})))
        archive.writestr("../evil.ipynb", "x")
    result = grade(source=course / "class.zip")
    assert set(result.results) == {"al17", "Zoë-van-Dam"} and "refused: ../evil.ipynb" in result.text
    rows = table(course, "moodle")
    assert rows["Ada Lovelace"]["Identifier"] == "Participant 77" and rows["Zoë van Dam"]["Grade"] == "0"
    assert rows["Ada Lovelace"]["Last modified (grade)"] == "-"
    assert rows["Zoë van Dam"]["Feedback comments"].startswith("01.1 square: 0 of 5; 01.2 double: 0 of 1")


@pytest.mark.parametrize(
    "platform, tops, names",
    [
        (
            "moodle",
            [
                "Ada Lovelace_77_assignsubmission_file_/mine.ipynb",
                "Zoë, B. O'Neil_8_assignsubmission_file_x.ipynb",
            ],
            ["Ada Lovelace_77_assignsubmission_file_/{}", "Zoë, B. O'Neil_8_assignsubmission_file_/{}"],
        ),
        (
            "canvas",
            ["lovelaceada_LATE_5_61_a.ipynb", "lovelaceada_LATE_5_62_a-1.ipynb", "bo_6_63_b_7_c.ipynb"],
            ["lovelaceada_LATE_5_62_{}", "bo_6_63_{}"],
        ),
        (
            "brightspace",
            ["7-3 - Ada - 3. Okt. 2026 1234/a.ipynb", "8-3 - Zoë B - Jan 30, 2026 330 PM - a - b.ipynb"],
            ["7-3 - Ada - 3. Okt. 2026 1234/{}", "8-3 - Zoë B - Jan 30, 2026 330 PM - {}"],
        ),
    ],
)
def test_feedback_goes_back_under_the_names_of_the_platform(
    grade, course, exercise, right, platform, tops, names
):
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        for top in tops:
            archive.writestr(top, text(fill(exercise, {**right, "why": top})))
    grade(source=course / "class.zip")
    path = course / "grades" / UNIT / f"{platform}-feedback.zip"
    with zipfile.ZipFile(path) as archive:
        assert sorted(archive.namelist()) == sorted(name.format(f"{UNIT}.html") for name in names)
        pages = {archive.read(name) for name in archive.namelist()}
    assert pages == {page.read_bytes() for page in (course / "feedback").rglob("*.html")}
    before = path.stat().st_mtime_ns
    grade(source=course / "class.zip")
    assert path.stat().st_mtime_ns == before
    assert [one.name for one in path.parent.glob("*.zip")] == [path.name]


def test_without_a_platform_there_is_no_zip_of_feedback(hand_in, grade, course):
    hand_in("ada")
    grade()
    assert not list((course / "grades" / UNIT).glob("*.zip"))


def test_the_first_line_says_the_form_and_the_table_what_is_unknown(grade, course, gradebook, capsys):
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        archive.writestr(f"Ada Lovelace_77_assignsubmission_file_/{UNIT}.ipynb", b"%PDF")
    with gradebook() as book:
        book.update_or_create_assignment(UNIT, duedate="2026-02-02 09:00:00 UTC")
    result = grade(source=course / "class.zip")
    assert "read as an export of Moodle (no time stamps); 1 student" in capsys.readouterr().out.split("\n")[0]
    (row,) = table(course).values()
    assert (row["late"], row["late_days"]) == ("unknown", "unknown") and "unknown for 1" in result.text


def test_nbgraders_own_commands_write_our_feedback_and_read_our_notebooks(hand_in, grade, course):
    hand_in("ada", square="# WRONG")
    grade()
    page = course / "feedback" / "ada" / UNIT / f"{UNIT}.html"
    before = page.read_text()
    page.unlink()
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_feedback", UNIT, "--force"],
        cwd=course,
        check=True,
        capture_output=True,
    )
    assert page.read_text() == before and "Content-Security-Policy" in before
    autograded = nbformat.read(course / "autograded" / "ada" / UNIT / f"{UNIT}.ipynb", as_version=4)
    assert "fresh input" in marked(autograded)["square-hidden"].source
    assert (course / "autograded" / "ada" / UNIT / "numbers.csv").exists()


def test_the_feedback_has_the_secret_that_nbgrader_needs_to_release_it(hand_in, grade, course):
    hand_in("ada")
    (course / "submitted" / "ada" / UNIT / "submission_secret.txt").write_text("abc")
    grade()
    for folder in ("autograded", "feedback"):
        assert (course / folder / "ada" / UNIT / "submission_secret.txt").read_text() == "abc"


def test_nothing_that_a_student_receives_names_others_or_secrets(hand_in, grade, course):
    for student in ("ada", "bob"):
        hand_in(student, square="# WRONG")
    grade()
    for path in (course / "feedback" / "ada").rglob("*"):
        if path.is_file():
            said = path.read_text()
            assert f"<h1>{UNIT} · ada</h1>" in said
            assert not [
                word
                for word in ("bob", str(course), "fresh input", "HIDDEN", "result_of_the")
                if word in said
            ]


def test_the_seed_of_hidden_tests_is_drawn_once_for_a_class(hand_in, grade, course, tmp_path):
    hand_in("ada")
    grade()
    path = course / "grades" / UNIT / "journal" / "hidden_seed.txt"
    drawn = path.read_text()
    hand_in("bob", square="def square(x):\n    return x")
    assert grade().graded == 1 and path.read_text() == drawn  # goes on with it: ada is not graded again
    grade(out=tmp_path / "other")
    assert (tmp_path / "other" / "journal" / "hidden_seed.txt").read_text() != drawn
    path.write_text("seven")
    with pytest.raises(ValueError, match="must contain one whole number"):
        grade()


@pytest.mark.parametrize(
    "seconds, memory, limits",
    [(None, None, (60, 30, 4096)), (90, None, (90, 45, 4096)), (1, 700, (1, 1, 700))],
)
def test_the_command_line_sets_time_and_memory(seconds, memory, limits):
    policy = POLICY.limited(seconds, memory)
    assert (policy.exercise_seconds, policy.idle_seconds, policy.memory_mb) == limits


def test_nothing_of_a_submission_steers_the_terminal(hand_in, grade, course):
    hand_in("ada", b"\x1b]0;owned\x07 no notebook")
    hand_in("bob", square="def square(x):\n    raise ValueError('\x1b[2J\u202eevil')")
    found = grade()
    written = found.text + "".join(path.read_text() for path in (course / "grades" / UNIT).glob("*.*"))
    written += "".join(path.read_text() for path in (course / "feedback").rglob("*.html"))
    assert not {"\x1b", "\x07", "\u202e"} & set(written)


def test_a_broken_journal_entry_is_made_anew(hand_in, grade, course):
    hand_in("ada")
    grade()
    (entry,) = (course / "grades" / UNIT / "journal").glob("*.json")
    entry.write_bytes(entry.read_bytes()[:50])
    assert grade().graded == 1 and grade().graded == 0


def test_no_submissions_are_an_error(grade, course):
    with pytest.raises(ValueError, match="there is no such folder or zip"):
        grade()


KILLED = """
import signal
import sys
import zipfile
from functools import partial
sys.path.insert(0, {tests!r})
import no_kernel
from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.sandbox.limits import Policy
signal.signal(signal.SIGINT, signal.default_int_handler)        # a shell lets its background jobs ignore it
if __name__ == "__main__":
    grade_class({course!r}, {unit!r}, Policy(sandbox="none"), jobs=2,
                executor=partial(no_kernel.quick, folder={counted!r}, seconds=5, fast=4))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_half_way_it_goes_on_where_it_stood(hand_in, grade, course, counted, tmp_path, how):
    for number in range(8):
        hand_in(f"s{number}", why=f"Answer {number}.")
    script = tmp_path / "killed.py"
    script.write_text(
        KILLED.format(tests=str(Path(__file__).parent), course=str(course), unit=UNIT, counted=str(counted))
    )
    journal = course / "grades" / UNIT / "journal"
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.DEVNULL)
    waited(
        lambda: len(list(journal.glob("*.json"))) >= 3 or process.poll() is not None,
        lambda: processor_time(process.pid),
    )
    process.send_signal(how)
    assert process.wait(HANG) != 0
    done = len(list(journal.glob("*.json")))
    assert 3 <= done < 8
    result = grade()
    assert result.graded == 8 - done and len(list(counted.iterdir())) <= 8 + 2
    assert set(map(tuple, scores(result).values())) == {(2, 3, 1, None)} and len(result.results) == 8


def test_a_database_without_its_driver_is_refused_by_name(course, hand_in, grade):
    with open(course / "nbgrader_config.py", "a") as config:
        config.write('\nc.CourseDirectory.db_url = "mssql+pymssql://somewhere/grades"\n')
    hand_in("ann")
    with pytest.raises(ValueError, match="its driver pymssql is not installed"):
        grade()


def test_the_histogram_has_the_mean_and_the_median():
    results = {
        student: {"status": "graded", "cells": [{"points": points, "max_points": 20, "manual": False}]}
        for student, points in (("ann", 20), ("bob", 0), ("eve", 0), ("kim", 3))
    }
    assert "mean 5.8, median 1.5" in histogram(results)
