"""A small class through plain nbgrader, as instructor and students use it, with our settings."""

import csv
import json
import os
import re
import shutil
import sysconfig
from pathlib import Path

import pytest

from minibert.grading.class_run import nbgrader_autograde
from minibert.grading.intake.exercise_table import MISSING, exercise_rows
from minibert.grading.notebook import field, fill, marked, read, text
from minibert.grading.sandbox import availability

pwd = pytest.importorskip("pwd", reason="nbgrader's exchange works on Linux and macOS only")

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted(path.parent.name for path in (ROOT / "solutions").glob("*/*.nb.py"))
# it runs, and is right for no exercise
WRONG = "import numpy as np\n\n\ndef {name}({parameters}):\n    return np.full(3, 7.0)"
STUDENTS = ("blank", "forged", "perfect", "wrong")


@pytest.fixture(autouse=True)
def active(monkeypatch):
    """The environment is activated, as instructors have it: nbgrader runs `alembic` by its name."""
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"), prepend=os.pathsep)
    if availability.reason_unavailable():
        monkeypatch.setenv(availability.ENVIRONMENT, "none")


@pytest.fixture
def nbgrader(monkeypatch, tmp_path):
    """nbgrader(person, folder, command, *arguments) runs a command as that person, in that folder."""
    from nbgrader.apps import NbGraderApp

    (tmp_path / "exchange").mkdir()
    (tmp_path / "exchange").chmod(0o777)
    own = pwd.getpwuid(0)

    def run(person, folder, command, *arguments):
        (tmp_path / folder).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / folder)
        monkeypatch.setattr("pwd.getpwuid", lambda uid: pwd.struct_passwd((person, *own[1:])))
        app = NbGraderApp.subcommands[command][0]()
        exchange = [f"--Exchange.root={tmp_path / 'exchange'}", f"--Exchange.cache={tmp_path / 'cache'}"]
        app.initialize([*arguments, *exchange, "--CourseDirectory.course_id=minibert", "--log-level=ERROR"])
        app.start()
        return tmp_path / folder

    return run


def first_answer(solution):
    """(cell name, function, its parameters) of the first function that a student writes."""
    for name, cell in marked(solution).items():
        if field(cell, "solution") and cell.cell_type == "code":
            return name, *re.search(r"def (\w+)\((.*?)\)", cell.source, re.S).groups()


def answers_of(person, solution):
    """Right answers, none (also for `forged`, see `handed_in`), or right ones but for the first function."""
    right = {name: cell.source for name, cell in marked(solution).items() if field(cell, "solution")}
    cell, function, parameters = first_answer(solution)
    wrong = {**right, cell: WRONG.format(name=function, parameters=parameters)}
    return {"perfect": right, "wrong": wrong}.get(person, {})


def handed_in(person, exercise, solution):
    """The notebook of a student; `forged` says that no test need be run, and that each counts more."""
    notebook = fill(exercise, answers_of(person, solution))
    for cell in notebook.cells if person == "forged" else ():
        if field(cell, "grade") and field(cell, "locked"):
            cell.metadata |= {"minibert": {"idle": True}, "tags": ["skip-execution"]}
            cell.metadata["nbgrader"].update(grade=False, points=100, schema_version=99)
    return notebook


def points(solution, below=None):
    """Points that a machine gives, all or those of the checks below one answer cell."""
    total, answer = 0, None
    for name, cell in marked(solution).items():
        if field(cell, "solution"):
            answer = name
        elif field(cell, "grade") and below in (None, answer):
            total += field(cell, "points")
    return total


@pytest.mark.every(4)
@pytest.mark.parametrize("unit", UNITS)
def test_the_first_missing_answer_of_an_exercise_as_released_is_named(unit):
    exercise = ROOT / "exercises" / unit / f"{unit}.ipynb"
    row = exercise_rows(read(exercise), exercise.parent)[0]
    assert (row.name, row.state) == (first_answer(read(exercise))[1], MISSING)


@pytest.fixture
def results(monkeypatch):
    """The result of each submission that autograde grades, one after the other."""
    found, grade = [], nbgrader_autograde.grade_submission

    def noted(*args):
        found.append(grade(*args))
        return found[-1]

    monkeypatch.setattr(nbgrader_autograde, "grade_submission", noted)
    return found


@pytest.mark.slow
@pytest.mark.takes_turns("unit")
@pytest.mark.parametrize("unit", UNITS)
def test_a_small_class_gets_the_points_it_earned(unit, nbgrader, tmp_path, results):
    teacher = tmp_path / "teacher"
    shutil.copytree(ROOT / "solutions" / unit, teacher / "solutions" / unit)
    shutil.copy(ROOT / "solutions" / "shared_texts.md", teacher / "solutions")
    shutil.copy(ROOT / "nbgrader_config.py", teacher)
    solution = read(teacher / "solutions" / unit / f"{unit}.ipynb")

    nbgrader("teacher", "teacher", "generate_assignment", unit)
    nbgrader("teacher", "teacher", "release_assignment", unit)
    for student in STUDENTS:
        home = nbgrader(student, student, "fetch_assignment", unit)
        assert not list(home.rglob("*.nb.py"))
        mine = home / unit / f"{unit}.ipynb"
        mine.write_text(text(handed_in(student, read(mine), solution)))
        nbgrader(student, student, "submit", unit)
    for command in ("collect", "autograde", "generate_feedback"):
        nbgrader("teacher", "teacher", command, unit)
    nbgrader("teacher", "teacher", "export")

    full, lost = points(solution), points(solution, below=first_answer(solution)[0])
    assert 0 < lost < full
    rows = {row["student_id"]: row for row in csv.DictReader((teacher / "grades.csv").open())}
    due = {"blank": 0, "forged": 0, "perfect": full, "wrong": full - lost}
    assert {student: float(rows[student]["raw_score"]) for student in STUDENTS} == due
    perfect = json.loads(results[sorted(STUDENTS).index("perfect")])
    assert not perfect["notes"] and not any(cell["hint"] for cell in perfect["cells"])
    for student in STUDENTS:
        assert (teacher / "feedback" / student / unit / f"{unit}.html").exists()
