"""The commands of the page for students, and of README for them, run as they are written."""

import re
from pathlib import Path

import pytest
from conftest import ROOT

from minibert import places
from minibert.cli import main, students
from minibert.course import lab


def commands(page, heading):
    """The `minibert` commands in the code blocks of a section, without the folder of the environment."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", (ROOT / page).read_text(), re.M | re.S)[1]
    blocks = "\n".join(re.findall(r"^```\n(.*?)^```", section, re.M | re.S))
    return [line.split() for line in re.findall(r"^(?:\.venv/bin/)?minibert (.*)$", blocks, re.M)]


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """The notebooks that JupyterLab is asked to open; the copy of the course is laid out in a new folder."""
    found = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(students, "CLONE", tmp_path)
    monkeypatch.setattr(students, "my_copy", lambda folder: Path(folder or tmp_path / "my_course"))
    monkeypatch.setattr(
        lab.subprocess, "call", lambda line, **_: found.append(line[-1].partition("tree/")[2]) or 0
    )
    return found


def test_the_first_commands_of_the_page_for_students_work(opened, capsys):
    lines = commands("docs/students.md", "Start")
    assert [line[0] for line in lines] == ["lab", "lab", "lab", "doctor", "progress"]
    assert [main.main(line) for line in lines] == [0, 0, 0, 1, 0]  # the exercise is not done
    assert opened == [
        "lessons/02_attention.ipynb",
        "exercises/02_attention/02_attention.ipynb",
        "lessons/07_in_class.ipynb",
    ]
    said = capsys.readouterr().out
    assert "softmax" in said and "not written yet" in said and "together                 0 of " in said
    for path in opened:
        assert (Path("my_course") / path).is_file()


def test_the_update_of_the_page_for_students_works(opened):
    (line,) = commands("docs/students.md", "When the course is updated")
    assert main.main(["lab"]) == 0 and main.main(line) == 0


def test_the_commands_of_readme_for_students_work(opened):
    lines = commands("README.md", "Students")
    assert main.main(["lab"]) == 0 and opened == ["lessons/01_self_supervision.ipynb"]  # as `make lab` does
    assert [main.main(line) for line in lines] == [1]
    assert "minibert lab" in (ROOT / "Makefile").read_text() and places.ROOT == ROOT


def test_doctor_takes_a_file_or_a_unit_and_refuses_what_is_neither(opened, capsys):
    path = "my_course/exercises/02_attention/02_attention.ipynb"
    assert students.exercise_file(path) == Path(path)
    assert students.exercise_file("02") == students.exercise_file("attention") == Path.cwd() / path
    assert main.main(["doctor", "nosuch"]) == 2 and "choose one of 01_self" in capsys.readouterr().err


def test_doctor_says_what_to_do_about_a_renamed_notebook_and_a_missing_copy(opened, capsys):
    assert main.main(["doctor", "02"]) == 2
    assert "`minibert course my_course` writes your copy of the course" in capsys.readouterr().err
    assert main.main(["course", "my_course"]) == 0
    path = Path("my_course/exercises/02_attention/02_attention.ipynb")
    path.rename(path.with_name("02_final.ipynb"))
    assert main.main(["doctor", "02"]) == 2
    assert f"there is no {path}. Is it 02_final.ipynb? Rename it back" in capsys.readouterr().err
