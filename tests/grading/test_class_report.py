"""A class's folder: results as they come, whole whenever it stops, in the end the same bytes."""

import csv
import re
import shutil
from functools import partial
from pathlib import Path

import no_kernel
import pytest

from minibert.cli import instructors as commands
from minibert.grading.class_run import grade_class as module
from minibert.grading.class_run.grade_class import BusyError, alone, grade_class
from minibert.grading.report import class_page, class_report, grade_tables, gradebook
from minibert.grading.report.class_page import flags
from minibert.grading.report.grade_tables import text_of
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
POLICY = Policy(sandbox="none")
TABLES = ("grades.csv", "moodle.csv", "canvas.csv", "questions.csv", "summary.txt")
ANSWERS = {
    "ann": {},
    "bob": {"square": "# WRONG"},
    "cyd": {"double": "# WRONG", "square": "# WRONG"},
    "dan": {"why": "Because."},
    "eve": {"why": "*Your answer here.*"},
}
EMPTY = {"status": "graded", "reason": "", "cells": [], "problems": [], "cpu_seconds": 0.0}


@pytest.fixture(scope="module")
def class_of_six(tmp_path_factory, built_course, empty_gradebook, submit):
    """A course in which five students have handed in, and one an essay; not to be changed."""
    course = tmp_path_factory.mktemp("six") / "repository"
    shutil.copytree(built_course, course)
    shutil.copy(empty_gradebook, course)
    for student, changed in ANSWERS.items():
        submit(course, student, **changed)
    submit(course, "fay", b"%PDF")
    return course


@pytest.fixture
def course(class_of_six, tmp_path):
    """A copy of that course that a test may change."""
    return Path(shutil.copytree(class_of_six, tmp_path / "repository"))


@pytest.fixture(autouse=True)
def one_process(monkeypatch):
    no_kernel.in_one_process(monkeypatch)


def grade(course, jobs=1, executor=no_kernel.quick, **more):
    return grade_class(course, UNIT, POLICY, jobs=jobs, executor=executor, **more)


def table(course, name="grades"):
    return list(csv.DictReader(text_in(course, f"{name}.csv").splitlines()))


def text_in(course, name):
    return (course / "grades" / UNIT / name).read_text(encoding="utf-8-sig")


def bytes_of(course, *folders):
    return {
        path.relative_to(course): path.read_bytes()
        for folder in folders
        for path in sorted((course / folder).rglob("*"))
        if path.is_file()
    }


def test_results_appear_as_they_come(course, monkeypatch):
    seen = []
    write = class_report.ClassReport.write

    def look(report, state):
        said = write(report, state)
        page = text_in(course, "index.html")
        if report.held:  # not even half have points yet
            assert not (course / "grades" / UNIT / "grades.csv").exists() and len(report.results) < 4
            assert f"{len(report.results)} of 6 submissions are done" in page
            assert f"{6 - len(report.results)} more are still to be graded" in said
            return said
        rows = table(course)
        done = [row["student_id"] for row in rows if row["status"] != "pending"]
        seen.append(len(done))
        assert [row["student_id"] for row in rows] == [*ANSWERS, "fay"]
        assert set(done) == set(report.results)
        assert {row["score"] for row in rows if row["status"] == "pending"} <= {""}
        assert f"{len(done)} of 6 submissions are done" in page and ("refresh" in page) == (state != "done")
        assert (f"{6 - len(done)} more are still to be graded" in said) == (len(done) < 6)
        assert [(course / "feedback" / name).exists() for name in done] == [True] * len(done)
        return said

    monkeypatch.setattr(class_report.ClassReport, "write", look)
    grade(course)
    assert seen[-4:] == [4, 5, 6, 6]


def test_an_earlier_grade_is_not_shown_for_a_new_submission(course, submit, monkeypatch):
    grade(course)
    submit(course, "ann", double="# WRONG")
    states, write = [], class_report.ClassReport.write

    def look(report, state):
        said = write(report, state)
        states.append((table(course)[0]["status"], table(course)[0]["raw_score"]))
        return said

    monkeypatch.setattr(class_report.ClassReport, "write", look)
    grade(course, accept_zeros=True)
    assert states[0] == ("pending", "") and states[-1] == ("waits", "5")


def test_one_slow_student_blocks_nobody(course, submit):
    submit(course, "aaa", square="# SLOW")
    shown = str(course / "grades" / UNIT / "grades.csv")
    found = grade(course, jobs=2, executor=partial(no_kernel.patient, table=shown, others=5))
    assert found.results["aaa"]["status"] == "graded"  # it went on when it saw all others in the table


class Stop(BaseException):
    """As Ctrl-C."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, class_of_six):
    """The files of a run that nobody stopped."""
    course = Path(shutil.copytree(class_of_six, tmp_path_factory.mktemp("undisturbed") / "repository"))
    grade(course)
    return {
        path: data
        for path, data in bytes_of(course, "grades", "feedback", "autograded").items()
        if path.name in TABLES or path.suffix in (".html", ".ipynb") and path.name != "index.html"
    }


@pytest.mark.parametrize("before", [0, 2, 8, 17, 34, 47])
def test_stopped_before_any_file_it_leaves_whole_ones_and_goes_on_to_the_same_bytes(
    course, undisturbed, monkeypatch, before
):
    write, left = gradebook.write, [before]

    def stopping(path, data):
        if not left[0]:
            raise Stop
        left[0] -= 1
        write(path, data)

    with monkeypatch.context() as patch:
        for where in (module, class_report, grade_tables, gradebook):
            patch.setattr(where, "write", stopping)
        with pytest.raises(Stop):
            grade(course)
    for path, data in bytes_of(course, "grades", "feedback").items():
        if path.suffix == ".csv" and path.name in ("grades.csv", "moodle.csv"):
            assert len(data.decode("utf-8-sig").splitlines()) == 7, path
        assert (
            path.name == "lock"
            or data.strip().endswith((b"</html>", b"}"))
            or (path.suffix in (".csv", ".txt"))
        ), path
    grade(course)
    assert bytes_of(course, "grades", "feedback", "autograded").items() >= undisturbed.items()


def test_stopped_the_page_says_so_and_asks_for_no_more(course, monkeypatch):
    add = class_report.ClassReport.add

    def stopping(report, student, result):
        if len(report.results) == 2:
            raise KeyboardInterrupt
        add(report, student, result)

    monkeypatch.setattr(class_report.ClassReport, "add", stopping)
    with pytest.raises(KeyboardInterrupt):
        grade(course)
    page = text_in(course, "index.html")
    assert "Grading was stopped" in page and "2 of 6 submissions" in page and "refresh" not in page


def test_frequent_hints_are_in_the_same_order_whoever_came_first(course):
    cell = {"name": "square-visible", "points": 0, "max_points": 2, "manual": False}
    hints = {"ann": "Mind the sign.", "bob": "It overflows."}
    with module.opened_class(course, UNIT) as report:
        said = []
        for names in (["ann", "bob"], ["bob", "ann"]):
            report.results = {name: {**EMPTY, "cells": [{**cell, "hint": hints[name]}]} for name in names}
            said.append(report.write("running"))
    assert said[0] == said[1] and "1 x Mind the sign.\n  1 x It overflows." in said[0]


def test_graded_anew_in_another_order_the_tables_have_the_same_bytes(course, undisturbed):
    grade(course)
    shutil.rmtree(course / "grades" / UNIT / "journal")
    grade(course, jobs=3)
    found = bytes_of(course, "grades", "feedback")
    assert found.items() >= {path: data for path, data in undisturbed.items() if path in found}.items()
    assert {path.name for path in undisturbed} > set(TABLES)


def test_a_class_is_graded_by_one_process_at_a_time_and_can_be_watched_from_another(
    course, capsys, monkeypatch
):
    monkeypatch.setattr(class_page.webbrowser, "open", lambda url: None)
    with alone(course / "grades" / UNIT):
        with pytest.raises(BusyError, match=rf"another process is grading into .*{UNIT}; .*index.html shows"):
            grade(course)
        with pytest.raises(BusyError):
            commands.grade(UNIT, course=course, jobs=1, sandbox="none")
        assert commands.grade(UNIT, course=course, jobs=1, sandbox="none", watch=True) == 0
    page = (course / "grades" / UNIT / "index.html").resolve()
    assert f"Class page: {page}" in capsys.readouterr().err
    assert grade(course).graded == 6  # and afterwards it is free


def test_watching_opens_the_page_of_this_run(course, monkeypatch, capsys):
    opened = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(
        class_page.webbrowser,
        "open",
        lambda url: opened.append((url, "refresh" in text_in(course, "index.html"))),
    )
    grade(course)
    grade(course, watch=True)
    assert opened == [((course / "grades" / UNIT / "index.html").resolve().as_uri(), True)]


def test_the_page_says_who_needs_a_person_links_to_feedback_and_keeps_markup_out(course, submit):
    submit(course, "bob", b"")
    found = grade(course)
    page = text_in(course, "index.html")
    assert (
        f'<strong><a href="../../feedback/bob/{UNIT}/{UNIT}.html">bob</a></strong>: The file is empty.'
        in page
    )
    assert f'<a href="../../feedback/ann/{UNIT}/{UNIT}.html">ann</a>' in page and "<script" not in page
    assert "default-src 'none'" in page and "It is wrong." in page and "\n6 submissions" in found.text
    results = {"<b>x": {"flags": ["reads <i>source</i>", {"cell": "softmax", "line": 3}]}, "y": {}}
    assert flags(results) == [("<b>x", "reads <i>source</i>"), ("<b>x", "softmax · line 3")]
    result = {**EMPTY, "status": "ungraded", "reason": "<i>", "flags": ["<s>"]}
    shown = class_page.class_page(
        "<u>a", [], {"<b>x": result}, [], [], ["<q>"], "done", course.joinpath, course
    )
    assert not [tag for tag in ("<u>", "<b>", "<i>", "<s>", "<q>") if tag in shown]


def test_the_page_begins_with_the_points_of_each_student_for_each_exercise(course):
    grade(course)
    page = text_in(course, "index.html")
    matrix = page[page.index('<table class="matrix">') : page.index("</table>")]
    assert page.index('<table class="matrix">') < page.index("<h2>Points") < page.index("<h2>Exercises")
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", line, re.S) for line in re.split("<tr", matrix)[1:]]
    plain = [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in line] for line in cells]
    assert plain[0][2:6] == ["1 square", "2 double", "3 why", "points"]
    assert plain[1][1:5] == ["5", "1", "4", "10"]
    rows = {line[0]: line[2:6] for line in plain[3:]}
    assert rows["ann"] == ["5", "1", "?", "6"] and rows["eve"][2] == "0" and rows["cyd"][1] == "0"
    assert "`" not in page and "questions.svg" not in page


def test_the_page_says_what_it_does_not_know_once_and_why_and_shows_n(course, submit):
    submit(course, "Émile", b"")
    submit(course, "zoë", b"")
    with gradebook.open_gradebook(gradebook.open_course(course)) as book:
        book.update_or_create_assignment(UNIT, duedate="2026-02-02 09:00:00 UTC")
    grade(course)
    page = text_in(course, "index.html")
    assert "<td>unknown</td>" in page and "unknown unknown" not in page and "has no time to compare" in page
    assert [row["student_id"] for row in table(course)] == "ann bob cyd dan Émile eve fay zoë".split()
    assert re.search(
        r"why</th>\s*<td class=\"number\">0<br>4 not marked<br>1 not written</td>\s*<td class=\"number\">–",
        page,
    )
    assert "nobody has lost" not in page


def test_the_page_lists_decisions_about_files_and_counts_missing_answers(tmp_path):
    results = {"ann": {**EMPTY, "decisions": ["The zip <a>.zip was opened."]}, "bob": EMPTY}
    missing = "Not written: 3 of 4 answers."
    page = class_page.class_page(
        UNIT, [], results, [], [], [], "done", tmp_path.joinpath, tmp_path, unwritten=missing
    )
    assert "<strong>ann</strong>: The zip &lt;a&gt;.zip was opened." in page and missing in page
    assert "Decisions" not in class_page.class_page(
        UNIT, [], {"bob": EMPTY}, [], [], [], "done", tmp_path.joinpath, tmp_path
    )


@pytest.mark.parametrize(
    ("late", "days", "said"),
    [("late", "unknown", "late"), ("late", 1, "late, 1 day"), ("late", 3, "late, 3 days"), ("", 0, "")],
)
def test_lateness_in_words(late, days, said):
    assert class_page.when(late, days) == said


@pytest.mark.parametrize("formula", ["=1+1", "@SUM(A1)", "+cmd|x", "-cmd|x", "\t=1"])
def test_no_cell_of_a_table_is_a_formula(formula):
    harmless = ["-2.5", "+4", -3, "a=b", ""]
    (row,) = csv.reader(text_of([[formula, *harmless]]).splitlines())
    assert row == [f"'{formula}", *map(str, harmless)]
