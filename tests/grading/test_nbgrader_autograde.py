"""Plain `nbgrader autograde` with our settings believes nothing that a submission says about itself."""

import functools
import logging

import nbformat
import pytest
from no_kernel import quick
from traitlets.config import Config

from minibert.grading.class_run import grade_submission, nbgrader_autograde
from minibert.grading.class_run.grade_class import hidden_seed
from minibert.grading.notebook import field, fill, grade_id, marked

UNIT = "01_small"


@pytest.fixture
def policies():
    """The policies under which `graded` has executed submissions."""
    return []


@pytest.fixture
def graded(course, monkeypatch, policies):
    """graded(notebook) is the notebook after the course's Execute, whose tests run without a kernel."""
    with quick(None) as execute:

        def noted(notebook, policy, files):
            policies.append(policy)
            return execute(notebook, policy, files)

        quickly = functools.partial(grade_submission.grade_submission, execute=noted)
        monkeypatch.setattr(nbgrader_autograde, "grade_submission", quickly)
        preprocessor = nbgrader_autograde.SandboxedExecute(
            config=Config(CourseDirectory={"root": str(course)})
        )
        about = {"notebook": UNIT, "assignment": UNIT}
        yield lambda notebook: preprocessor.preprocess(notebook, {"nbgrader": about})[0]


def roles(cells):
    return {
        name: [field(cell, key) for key in ("grade", "solution", "locked", "task", "points")]
        for name, cell in cells.items()
    }


def forged(notebook):
    """Every mark is another, every test has our own metadata, and two more cells claim to be tests."""
    for cell in notebook.cells:
        cell.metadata["minibert"], cell.metadata["tags"] = {"idle": True, "hidden": False}, ["skip-execution"]
        if grade_id(cell):
            cell.metadata["nbgrader"].update(locked=True, points=1000, grade=False, solution=False, task=True)
    for name in ("invented", "square"):
        marks = {"nbgrader": {"grade_id": name, "schema_version": 99}}
        notebook.cells.append(nbformat.v4.new_code_cell("hack = 1", id=name, metadata=marks))
    notebook.metadata["minibert"] = {"ungraded": "no", "cells": []}
    return notebook


def swapped(notebook):
    """The answers are marked as the tests below them, and these as the answers."""
    cells = marked(notebook)
    for name in ("square", "double"):
        answer, test = cells[name].metadata, cells[f"{name}-visible"].metadata
        cells[name].metadata, cells[f"{name}-visible"].metadata = test, answer
    return notebook


def renamed(notebook):
    for cell in marked(notebook).values():
        cell.metadata["nbgrader"]["grade_id"] += "x"
    return notebook


def without_tests(notebook):
    notebook.cells = [cell for cell in notebook.cells if not (field(cell, "grade") and field(cell, "locked"))]
    return notebook


@pytest.mark.parametrize("changed", [forged, swapped, renamed, without_tests])
def test_every_mark_of_a_cell_is_that_of_the_release(graded, exercise, right, changed):
    made = graded(changed(fill(exercise, right)))
    assert roles(marked(made)) == roles(marked(exercise))
    assert "fresh input" in marked(made)["square-hidden"].source
    assert all(set(cell.metadata) <= {"nbgrader", "minibert"} for cell in made.cells)
    assert made.metadata["minibert"]["name"] == UNIT


def test_a_test_has_the_source_of_the_solution_and_finds_the_answer(graded, exercise, right):
    notebook = fill(exercise, {**right, "square": "def square(x): return 'WRONG'"})
    marked(notebook)["square-visible"].source = "pass"
    cells = marked(graded(notebook))
    assert cells["square-visible"].source == 'expect("square", square(2), 4)'
    assert cells["square-visible"].outputs and not cells["double-visible"].outputs


def test_notes_are_logged_and_in_the_feedback(graded, exercise, right, caplog):
    with caplog.at_level(logging.WARNING):
        made = graded(without_tests(fill(exercise, right)))
    assert "Missing cells were restored: square-visible" in caplog.text
    assert caplog.messages == made.metadata["minibert"]["notes"]


def test_what_cannot_be_graded_gets_no_points(graded, exercise):
    notebook = fill(exercise, {})
    notebook.cells = []
    with pytest.raises(ValueError, match=f"hardly any cells of {UNIT}"):
        graded(notebook)


def test_the_inputs_of_tests_are_those_of_the_class(graded, exercise, course, policies):
    graded(exercise)
    assert policies[0].hidden_seed == hidden_seed(course / "grades" / UNIT / "journal") > 0
