"""A class of three through plain nbgrader, as an instructor and her students use it, with the repository's settings."""
import csv
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from minibert.grading.handin import look_over
from minibert.grading.notebook import field, fill, marked, read, text

pwd = pytest.importorskip("pwd", reason="nbgrader's exchange works on Linux and macOS only")

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted(path.parent.name for path in (ROOT / "solutions").glob("*/*.nb.py"))
WRONG = "import numpy as np\n\n\ndef {name}({parameters}):\n    return np.full(3, 7.0)"  # runs; no exercise wants that
STUDENTS = ("blank", "perfect", "wrong")


@pytest.fixture(autouse=True)
def active(monkeypatch):
    """The environment is activated, as instructors have it: nbgrader runs `alembic` by its name."""
    monkeypatch.setenv("PATH", sysconfig.get_path("scripts"), prepend=os.pathsep)


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


def answers_of(person, solution):
    """Right answers, none, or right ones but for the first function; and the name of that function."""
    cells = {name: cell for name, cell in marked(solution).items() if field(cell, "solution")}
    right = {name: cell.source for name, cell in cells.items()}
    first = next(name for name, cell in cells.items() if cell.cell_type == "code")
    parameters = right[first].split(f"def {first}(")[1].split(")")[0]
    wrong = {**right, first: WRONG.format(name=first, parameters=parameters)}
    return {"perfect": right, "blank": {}, "wrong": wrong}[person], first


def test_the_command_line_reads_the_settings(course):
    shutil.rmtree(course / "exercises")
    subprocess.run(["nbgrader", "generate_assignment", "01_small"], cwd=course, capture_output=True, check=True)
    released = sorted(path.name for path in (course / "exercises" / "01_small").iterdir())
    assert released == ["01_small.ipynb", "numbers.csv"]


@pytest.mark.parametrize("unit", UNITS)
def test_an_exercise_as_released_stops_at_the_first_missing_answer_and_names_it(unit):
    exercise = ROOT / "exercises" / unit / f"{unit}.ipynb"
    first = next(name for name, cell in marked(read(exercise)).items() if field(cell, "solution"))
    seen = look_over(exercise)[-1].seen
    assert f"({first}-visible)" in seen and f"{first}: not written yet" in seen


@pytest.mark.parametrize("unit", UNITS)
def test_a_class_of_three_gets_the_points_it_earned(unit, nbgrader, tmp_path):
    teacher = tmp_path / "teacher"
    shutil.copytree(ROOT / "solutions" / unit, teacher / "solutions" / unit)
    shutil.copy(ROOT / "nbgrader_config.py", teacher)
    solution = read(teacher / "solutions" / unit / f"{unit}.ipynb")

    nbgrader("teacher", "teacher", "generate_assignment", unit)
    nbgrader("teacher", "teacher", "release_assignment", unit)
    for student in STUDENTS:
        home = nbgrader(student, student, "fetch_assignment", unit)
        assert not list(home.rglob("*.nb.py"))
        mine = home / unit / f"{unit}.ipynb"
        mine.write_text(text(fill(read(mine), answers_of(student, solution)[0])))
        nbgrader(student, student, "submit", unit)
    for command in ("collect", "autograde", "generate_feedback"):
        nbgrader("teacher", "teacher", command, unit)
    nbgrader("teacher", "teacher", "export")

    tests = {name: field(cell, "points") for name, cell in marked(solution).items()
             if field(cell, "grade") and not field(cell, "solution")}
    first = answers_of("wrong", solution)[1]
    lost = sum(points for name, points in tests.items() if name.startswith(f"{first}-"))
    assert lost > 0
    rows = {row["student_id"]: row for row in csv.DictReader((teacher / "grades.csv").open())}
    assert {student: float(rows[student]["raw_score"]) for student in STUDENTS} == {
        "blank": 0, "perfect": sum(tests.values()), "wrong": sum(tests.values()) - lost}
    for student in STUDENTS:
        assert (teacher / "feedback" / student / unit / f"{unit}.html").exists()
