import copy
import os

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from minibert.grading.author import fresh_kernel
from minibert.grading.intake import doctor
from minibert.grading.intake.exercise_table import DONE, NOT_RUN, WRITTEN, WRONG, exercise_rows
from minibert.grading.notebook import fill, marked, text

NAME = "01_small.ipynb"


@pytest.fixture
def hand_in(tmp_path, exercise, right):
    """hand_in(answers, change, name) writes a changed exercise and returns what the doctor finds wrong."""

    def look(answers=right, change=lambda notebook: None, name=NAME):
        notebook = fill(exercise, answers)
        change(notebook)
        (tmp_path / name).write_text(text(notebook))
        return [finding for finding in doctor.doctor(tmp_path / name) if not finding.fine]

    return look


def test_a_finished_notebook_is_fit_to_hand_in(hand_in):
    assert hand_in() == []


@pytest.mark.parametrize(
    "name, change, seen",
    [
        ("mine.ipynb", lambda n: None, "file name mine.ipynb"),
        (NAME, lambda n: n.cells.remove(marked(n)["square-hidden"]), "cells deleted: square-hidden"),
        (
            NAME,
            lambda n: n.cells.append(copy.deepcopy(marked(n)["double"])),
            "cells that occur twice: double",
        ),
        (NAME, lambda n: marked(n)["imports"].update(source="x"), "cells that must not be changed: imports"),
    ],
)
@pytest.mark.filterwarnings("ignore:Non-unique cell id")
def test_each_defect_is_named_alone(hand_in, name, change, seen):
    assert [finding.seen for finding in hand_in(change=change, name=name)] == [seen]


@pytest.fixture
def rows(exercise, tmp_path):
    """rows(answers) -> (state, points, hint) of each exercise."""
    return lambda answers: [
        (row.state, row.points, row.hint) for row in exercise_rows(fill(exercise, answers), tmp_path)
    ]


def test_each_exercise_has_its_state_and_its_visible_points(exercise, right, tmp_path):
    found = exercise_rows(fill(exercise, right), tmp_path)
    assert [(row.number, row.name, row.state, row.points, row.most, row.later) for row in found] == [
        (1, "square", DONE, 5, 5, 0),
        (2, "double", DONE, 1, 1, 0),
        (3, "why", WRITTEN, 0, 0, 4),
    ]


def test_every_failure_is_listed_with_its_first_hint(rows, exercise, right, tmp_path):
    wrong = {**right, "square": "def square(x):\n    return 5", "double": "def double(x)\n    return x"}
    first, second, third = rows(wrong)
    assert [row.name for row in exercise_rows(fill(exercise, wrong), tmp_path)][:2] == ["square", "double"]
    assert first == (WRONG, 0, "square: got 5, wanted 4")
    assert second == (WRONG, 0, "SyntaxError: expected ':' (line 1)") and third[0] == WRITTEN


def test_an_endless_loop_is_interrupted_and_named(rows, right, monkeypatch):
    monkeypatch.setattr("minibert.grading.author.fresh_kernel.LOOP_SECONDS", 2)
    noisy = "import sys\n\ndef double(x):\n    print('!', file=sys.stderr)\n    return 6"
    first, second, _ = rows(
        {**right, "square": "def square(x):\n    while True:\n        pass", "double": noisy}
    )
    assert "did not finish within" in first[2] and "endless loop" in first[2]
    assert second[2] == "!"  # a warning is shown


def test_an_answer_that_ends_python_is_named_and_the_rest_has_not_run(rows, right):
    first, second, _ = rows({**right, "square": "import os\nos._exit(1)"})
    assert first[0] == NOT_RUN and "Python ended here" in first[2] and second == (NOT_RUN, 0, "")


@pytest.mark.parametrize("finished, status", [(True, 0), (False, 1)])
def test_the_command_prints_the_table_and_fails_while_something_is_left(
    finished, status, exercise, right, tmp_path, capsys
):
    path = tmp_path / NAME
    path.write_text(text(fill(exercise, right if finished else {"square": right["square"]})))
    assert doctor.main(path) == status
    said = capsys.readouterr().out
    assert ("Ready to hand in." in said) == finished
    assert said.endswith(f"The file to hand in: {path}\n")
    assert f"{3 if finished else 1} of 3 exercises done; {6 if finished else 5} of 6 points" in said


def test_a_lesson_is_no_exercise(built_course):
    (finding,) = doctor.doctor(built_course / "lessons" / NAME)
    assert "is not an exercise" in finding.seen


def test_this_machine_is_ready(capsys):
    pytest.importorskip("jupyterlab")
    assert doctor.main() == 0
    said = capsys.readouterr().out
    assert said.count("\n") <= 24 and "NO " not in said
    assert said.endswith("Ready. Start with `minibert lab 01`.\n")


def test_a_package_that_is_missing_or_too_old_is_named(monkeypatch):
    wanted = ["numpy>=999", "no-such-package; extra == 'course'", "neither-this; extra == 'dev'"]
    monkeypatch.setattr(doctor.metadata, "requires", lambda name: wanted)
    finding = doctor.packages()
    assert finding.seen.endswith("is installed, but the course needs >=999, no-such-package is missing")
    assert not finding.fine and finding.advice == doctor.SET_UP


def test_the_values_of_a_gpu_are_checked_and_a_machine_without_one_is_done_at_once(monkeypatch):
    checked = []

    def wrong_on(kind):
        checked.append(kind)
        return ["gradients: largest difference 1e+00"] * (kind == "mps")

    for present in ({}, {"cuda"}, {"mps"}):
        monkeypatch.setattr("torch.cuda.is_available", lambda present=present: "cuda" in present)
        monkeypatch.setattr("torch.backends.mps.is_available", lambda present=present: "mps" in present)
        monkeypatch.setattr("torch.cuda.get_device_name", lambda number: "H200")
        finding = doctor.device(wrong_on)
        assert finding.fine == ("mps" not in present)
    assert checked == ["cuda", "mps"]
    assert ": gradients: largest difference 1e+00" in finding.seen and "doctor --device mps" in finding.advice


def test_a_python_of_another_age_is_named(monkeypatch):
    monkeypatch.setattr(doctor.platform, "python_version", lambda: "3.9.1")
    assert not doctor.python().fine and doctor.python().seen.startswith("Python 3.9.1 (")


def test_a_cache_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "file" / name))
    assert not doctor.cache().fine


def test_a_file_that_is_no_notebook_is_named(tmp_path, capsys):
    assert doctor.main(tmp_path / "none.ipynb") == 1
    assert "this file does not exist" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_ctrl_c_stops_a_run_instead_of_reporting_a_dead_kernel(tmp_path):
    source = "import os, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(60)"
    notebook = new_notebook(cells=[new_code_cell(source), new_code_cell("2")])
    with pytest.raises(KeyboardInterrupt):
        fresh_kernel.run(notebook, tmp_path, past_errors=True)
