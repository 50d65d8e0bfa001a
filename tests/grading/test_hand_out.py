"""The zip for students: whole, the same each time, and without anything that is an instructor's."""

import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
from conftest import ROOT

from minibert.grading.export.hand_out import ROOM, hand_out
from minibert.grading.notebook import read


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "students.zip"
    hand_out(ROOT, out)
    return out


def names(path):
    return [name.removeprefix(f"{ROOM}/") for name in zipfile.ZipFile(path).namelist()]


def test_students_get_every_lesson_and_exercise_and_the_set_up(handed_out):
    found = names(handed_out)
    for kind in ("lessons", "exercises"):
        assert {path.relative_to(ROOT).as_posix() for path in (ROOT / kind).rglob("*.ipynb")} <= set(found)
    assert {"README.md", "pyproject.toml", "constraints.txt", "scripts/setup_env.py", "Makefile"} <= set(
        found
    )


def test_students_get_no_solution_no_hidden_test_and_no_test_of_ours(handed_out):
    assert not [
        name for name in names(handed_out) if name.startswith(("solutions", "tests", "benchmarks", "."))
    ]
    archive = zipfile.ZipFile(handed_out)
    for name in archive.namelist():
        if name.endswith(".ipynb"):
            text = archive.read(name).decode()
            assert "BEGIN HIDDEN TESTS" not in text and "BEGIN SOLUTION" not in text, name


def test_students_get_the_notebooks_for_a_class_without_the_teachers_page(handed_out):
    archive = zipfile.ZipFile(handed_out)
    for path in (ROOT / "lessons").glob("*_in_class.ipynb"):
        cells = read(path).cells
        given = json.loads(archive.read(f"{ROOM}/lessons/{path.name}"))["cells"]
        assert "For the teacher" in cells[-1].source and len(given) == len(cells) - 1, path.name
        assert "For the teacher" not in json.dumps(given), path.name


@pytest.mark.parametrize("units", [(), ("02",)])
def test_no_page_for_students_has_a_dead_link(tmp_path, units):
    hand_out(ROOT, tmp_path / "a.zip", units)
    archive = zipfile.ZipFile(tmp_path / "a.zip")
    pages = [name for name in archive.namelist() if name.endswith(".md")]
    assert len(pages) >= 5 and "](docs/english_model.md#" in archive.read(f"{ROOM}/README.md").decode()
    archive.extractall(tmp_path)
    for page in pages:
        for link in re.findall(r"\]\(([^)#\s]+)", archive.read(page).decode()):
            if not link.startswith(("http", "mailto:")):
                assert (tmp_path / page).parent.joinpath(link).exists(), (page, link)


def test_the_same_course_gives_the_same_zip_and_units_can_be_chosen(tmp_path):
    for name in ("a.zip", "b.zip"):
        assert hand_out(ROOT, tmp_path / name, ["2", "01_self_supervision"]) == [
            "01_self_supervision",
            "02_attention",
        ]
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert not [name for name in names(tmp_path / "a.zip") if "03_input" in name]


def test_an_unknown_unit_is_refused_and_leaves_nothing(tmp_path):
    with pytest.raises(ValueError, match="'77'"):
        hand_out(ROOT, tmp_path / "a.zip", ["77"])
    assert not list(tmp_path.iterdir())


RUN = """
import sys
from pathlib import Path
import nbformat
from nbclient import NotebookClient
import minibert
assert Path(minibert.__file__).is_relative_to(Path.cwd()), minibert.__file__
path = Path(sys.argv[1])
NotebookClient(nbformat.read(path, 4), timeout=600, allow_errors=sys.argv[2] == "exercise",
               resources={"metadata": {"path": str(path.parent)}}).execute()
"""


@pytest.fixture(scope="module")
def unpacked(handed_out, tmp_path_factory):
    folder = tmp_path_factory.mktemp("students")
    zipfile.ZipFile(handed_out).extractall(folder)
    return folder / ROOM


def run(unpacked, path, kind):
    """Run a notebook of the unpacked zip with the package that is in it."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path), kind],
        cwd=unpacked,
        env={**os.environ, "PYTHONPATH": str(unpacked), "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]


LESSONS = sorted(path.name for path in (ROOT / "lessons").glob("*.ipynb"))
EXERCISES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "exercises").glob("*/*.ipynb"))


@pytest.mark.slow
@pytest.mark.takes_turns("lesson", every=12, later=2)
@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_runs_from_what_was_handed_out(unpacked, lesson):
    run(unpacked, unpacked / "lessons" / lesson, "lesson")


@pytest.mark.slow
@pytest.mark.takes_turns("exercise", every=12, later=4)
@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_untouched_exercise_runs_from_what_was_handed_out(unpacked, exercise):
    assert read(unpacked / exercise)
    run(unpacked, unpacked / exercise, "exercise")
