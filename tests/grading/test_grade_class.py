"""A class is graded: each submission once, even if a worker dies; the gradebook keeps what people wrote."""

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

import no_kernel
import pytest
from patience import HANG, processor_time, waited

from minibert.grading.author.build import build
from minibert.grading.class_run.grade_class import grade_class
from minibert.grading.notebook import fill, marked, read, text
from minibert.grading.report import grade_tables
from minibert.grading.report.gradebook import open_course, open_gradebook
from minibert.grading.report.zeros import few_zeros, most_are_zero
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
POLICY = Policy(sandbox="none")
SOURCE = f"solutions/{UNIT}/{UNIT}.nb.py"


@pytest.fixture
def counted(tmp_path):
    """Folder in which each execution leaves a file."""
    (tmp_path / "counted").mkdir()
    return tmp_path / "counted"


@pytest.fixture
def grade(course, counted, hand_in, monkeypatch):
    """grade(...) grades the class without kernels, and with one job in this process."""
    no_kernel.in_one_process(monkeypatch)

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
        keys = ("student_id", "SIS Login ID", "Full name")
        return {next(row[key] for key in keys if key in row): row for row in csv.DictReader(file)}


def column(course, name, key):
    return {student: row[key] for student, row in table(course, name).items()}


def zip_of(course, files):
    with zipfile.ZipFile(course / "class.zip", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return course / "class.zip"


def feedback(course, student):
    return (course / "feedback" / student / UNIT / f"{UNIT}.html").read_text()


def edit(course, old, new):
    source = course / SOURCE
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new))
    assert build(course) == []


def scores(result):
    return {student: [cell["points"] for cell in found["cells"]] for student, found in result.results.items()}


def test_a_class_gets_its_points_and_a_second_run_grades_nothing(hand_in, grade, course, counted):
    hand_in("ada")
    hand_in("amy")  # the same file: it is not graded again
    hand_in("bob", square="# WRONG")
    hand_in("eve", data=b"%PDF")
    first = grade()
    right = [2, 3, 1, None]
    assert scores(first) == {"ada": right, "amy": right, "bob": [0, 0, 1, None], "eve": [None] * 4}
    assert first.graded == 4 and len(list(counted.iterdir())) == 2
    files = {
        path: path.read_bytes()
        for path in course.rglob("*")
        if path.is_file() and path.name != "gradebook.db"
    }
    assert not [path for path in files if path.suffix == ".zip"]  # of feedback: no platform would take it
    assert not [word for word in ("amy", "bob", str(course)) if word in feedback(course, "ada")]
    again = grade()
    assert again.graded == 0 and again.rows == first.rows and len(list(counted.iterdir())) == 2
    assert {path: path.read_bytes() for path in files} == files
    entry = min((course / "grades" / UNIT / "journal").glob("*.json"))
    entry.write_bytes(entry.read_bytes()[:50])
    assert grade().graded > 0 and grade().graded == 0  # the broken entry was made again


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


def test_a_worker_that_dies_is_replaced_and_only_its_submission_suffers(hand_in, grade, counted, monkeypatch):
    monkeypatch.undo()  # in processes of their own
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
    return read(course / "exercises" / "02_other" / "02_other.ipynb")


def test_a_notebook_of_another_unit_is_named_in_the_first_lines(hand_in, grade, course):
    other = second_unit(course)
    for student in ("ada", "bob"):
        hand_in(student, data=text(other).encode())
    hand_in("cyd")
    hand_in("dan")
    result = grade()
    said = "This is the notebook of 02_other, not of 01_small."
    need = (
        "2 of 4 submissions need a person, and their grade is blank; "
        "`minibert regrade STUDENT UNIT --points 0 --reason ...` gives 0 points:"
    )
    assert result.text.split("\n")[:2] == [need, f"  ada, bob: {said}"]
    assert (course / "grades" / UNIT / "summary.txt").read_text() == result.text
    rows = table(course)
    for name in ("ada", "bob"):
        row = rows[name]
        assert (row["status"], row["score"], row["reason"]) == ("needs a person", "", said)
    assert rows["cyd"]["status"] == "waits" and table(course, "moodle")["ada"]["Grade"] == ""
    page = (course / "grades" / UNIT / "index.html").read_text()
    assert "<td>needs a person</td>" in page and said in page
    shown = feedback(course, "ada")
    assert f"Not graded yet. {said}" in shown and "Missing" not in shown
    assert grade().graded == 0


def test_if_most_get_zero_nothing_is_written_until_accepted(hand_in, grade, course, counted, gradebook):
    for student in ("ada", "bob", "cyd"):
        hand_in(student, square="# WRONG", double="# WRONG", why=f"By {student}.")
    hand_in("dan")
    hand_in("eve", data=b"%PDF")
    for _ in range(2):
        result = grade()
        assert result.stopped and result.text.startswith(
            "Stopped: 3 of 4 submissions got 0 points from the tests"
        )
        for said in ("ada, bob, cyd", "--accept-zeros", "Most frequent hints:"):
            assert said in result.text
        files = {path.name for path in (course / "grades" / UNIT).iterdir()}
        assert files == {"journal", "lock", "index.html", "summary.txt"}
        assert "5 of 5 submissions are done" in (course / "grades" / UNIT / "index.html").read_text()
        assert not (course / "feedback").exists() and not (course / "autograded").exists()
        with gradebook() as book:
            assert book.assignment_submissions(UNIT) == []
    assert len(list(counted.iterdir())) == 4
    result = grade(accept_zeros=True)
    assert not result.stopped and result.graded == 0 and len(list(counted.iterdir())) == 4
    assert column(course, "grades", "raw_score") == {
        "ada": "0",
        "bob": "0",
        "cyd": "0",
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
    "points, stop",
    [
        ([0, 0, 1, 1], False),
        ([0, 0, 1], True),
        ([0, 0], False),
        ([0, 0, None, None], False),
        (["other", 0, 1], True),
    ],
)
def test_only_more_than_half_of_at_least_three_stop_a_run(points, stop):
    results = {
        str(number): {
            "status": "graded" if one in (0, 1) else "ungraded",
            "other": {"name": "02"} if one == "other" else None,
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
    due = {"ada": "6", "bob": "", "cyd": ""}
    assert column(course, "moodle", "Grade") == {**due, "Dan D": ""}
    assert column(course, "canvas", UNIT).items() >= {**due, "dan": ""}.items()
    subprocess.run([sys.executable, "-m", "nbgrader", "export"], cwd=course, check=True, capture_output=True)
    with open(course / "grades.csv", newline="") as file:
        assert {row["student_id"]: row["score"] for row in csv.DictReader(file)} == {**due, "dan": ""}


def test_provisional_grades_are_the_points_so_far_in_the_tables_for_upload(hand_in, grade, course):
    hand_in("ada")
    hand_in("bob", data=b"")
    grade(provisional=True)
    assert column(course, "moodle", "Grade") == {"ada": "6", "bob": ""}
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
    page = feedback(course, "ada")
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
    old = '# %% nb="tests double-visible 1"\nexpect("double", double(3), 6)\n'
    edit(course, old, '# %% nb="tests double-new 5"\ndouble(3)\n')
    result = grade()
    assert result.graded == 2 and scores(result) == {"ada": [2, 4, 5, None], "bob": [0, 0, 5, None]}
    with gradebook() as book:
        submission = book.find_submission(UNIT, "ada")
        assert (submission.score, submission.max_score) == (11, 15)
        names = {"square-visible", "square-hidden", "double-new", "why"}
        assert {grade.name for grade in submission.notebooks[0].grades} == names


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
    assert "6 taken off because it was late" in feedback(course, "ada")
    with gradebook() as book:
        assert book.find_submission(UNIT, "ada").timestamp == datetime.datetime(2026, 2, 2, 10)


def test_a_zip_of_an_lms_finds_the_students_of_the_gradebook(
    grade, course, gradebook, exercise, right, capsys
):
    with gradebook() as book:
        book.add_student("al17", first_name="Ada", last_name="Lovelace")
        book.update_or_create_assignment(UNIT, duedate="2026-02-02 09:00:00 UTC")
    files = {
        f"Ada Lovelace_77_assignsubmission_file_/{UNIT}.ipynb": text(fill(exercise, right)),
        f"Zoë van Dam_78_assignsubmission_file_/{UNIT}.ipynb": text(fill(exercise, {})),
        "../evil.ipynb": "x",
    }
    result = grade(source=zip_of(course, files))
    assert (
        "read as an export of Moodle (no time stamps); 2 students" in capsys.readouterr().out.split("\n")[0]
    )
    assert table(course)["al17"]["late_days"] == "unknown" and "unknown for 2" in result.text
    assert set(result.results) == {"al17", "Zoë-van-Dam"} and "refused: ../evil.ipynb" in result.text
    rows = table(course, "moodle")
    assert rows["Ada Lovelace"]["Identifier"] == "Participant 77" and rows["Zoë van Dam"]["Grade"] == "0"
    assert rows["Ada Lovelace"]["Last modified (grade)"] == "-"
    assert rows["Zoë van Dam"]["Feedback comments"].startswith("01.1 square: 0 of 5; 01.2 double: 0 of 1")


PLATFORMS = {
    "moodle": ("Ada Lovelace_77_assignsubmission_file_/a.ipynb", "Participant 77"),
    "canvas": ("lovelaceada_5_61_a.ipynb", "5"),
    "brightspace": ("123-3 - Ada Lovelace - Jan 30, 2026 330 PM - a.ipynb", "#Ada-Lovelace"),
    "blackboard": (f"{UNIT}_ada_attempt_2026-01-30-15-30-10_a.ipynb", "ada"),
    "classroom": (f"Ada Lovelace - {UNIT}.ipynb", "Lovelace"),
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_gets_its_own_table_and_no_numbers_of_another(grade, course, exercise, right, platform):
    top, said = PLATFORMS[platform]
    grade(source=zip_of(course, {top: text(fill(exercise, right))}), provisional=True, form=platform)
    folder = course / "grades" / UNIT
    tables = {path.stem for path in folder.glob("*.csv")} & {*PLATFORMS}
    line = (folder / f"{platform}.csv").read_text().splitlines()[-1].split(",")
    assert tables == {platform} and said in line and "6" in line
    with open_gradebook(open_course(course)) as book:
        (student,) = book.students
        assert student.lms_user_id == ("5" if platform == "canvas" else None)
        row = grade_tables.row(book, UNIT, student, 10.0)
    assert grade_tables.canvas([row], UNIT)[2][1] == ("5" if platform == "canvas" else "")
    if platform != "canvas":  # submissions of another platform, exported for Canvas
        sent = {**row, "lms": platform, "lms_id": "77"}
        assert "77" not in map(str, grade_tables.canvas([sent], UNIT)[2])


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
    source = zip_of(course, {top: text(fill(exercise, {**right, "why": top})) for top in tops})
    grade(source=source)
    path = course / "grades" / UNIT / f"{platform}-feedback.zip"
    with zipfile.ZipFile(path) as archive:
        assert sorted(archive.namelist()) == sorted(name.format(f"{UNIT}.html") for name in names)
        pages = {archive.read(name) for name in archive.namelist()}
    assert pages == {page.read_bytes() for page in (course / "feedback").rglob("*.html")}
    before = path.stat().st_mtime_ns
    grade(source=source)
    assert path.stat().st_mtime_ns == before
    assert [one.name for one in path.parent.glob("*.zip")] == [path.name]


def test_nbgraders_own_commands_write_our_feedback_and_read_our_notebooks(hand_in, grade, course):
    hand_in("ada", square="# WRONG")
    (course / "submitted" / "ada" / UNIT / "submission_secret.txt").write_text("abc")
    grade()
    page, folder = (course / kind / "ada" / UNIT for kind in ("feedback", "autograded"))
    for place in (page, folder):  # nbgrader needs the secret to release the feedback
        assert (place / "submission_secret.txt").read_text() == "abc"
    before = feedback(course, "ada")
    (page / f"{UNIT}.html").unlink()
    command = [sys.executable, "-m", "nbgrader", "generate_feedback", UNIT, "--force"]
    subprocess.run(command, cwd=course, check=True, capture_output=True)
    pages = [shown.partition("<!-- made from")[0] for shown in (before, feedback(course, "ada"))]
    assert pages[0] == pages[1] and "Content-Security-Policy" in pages[0]
    assert "fresh input" in marked(read(folder / f"{UNIT}.ipynb"))["square-hidden"].source
    assert (folder / "numbers.csv").exists()


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
