"""Exercises are numbered as their headings say, hold their cells, and have names for people."""

import re

import pytest
from conftest import ROOT

from minibert.grading.author.assignment_bundle import Cell
from minibert.grading.author.exercises import (
    assignment_named,
    cells_of,
    code_of,
    exercises,
    find_exercise,
)
from minibert.grading.notebook import field, marked, read

UNITS = sorted(path.parent.name for path in ROOT.glob("solutions/*/*.ipynb"))


def unit(name):
    return read(ROOT / "solutions" / name / f"{name}.ipynb")


@pytest.mark.parametrize("name", UNITS)
def test_numbers_and_titles_are_those_of_the_headings(name):
    notebook = unit(name)
    headings = re.findall(r"^## (\d+) · (.*)", "\n".join(cell.source for cell in notebook.cells), re.M)
    found = exercises(cells_of(notebook))
    assert [(str(one.number), one.title) for one in found] == headings


@pytest.mark.parametrize("name", UNITS)
def test_every_cell_with_points_belongs_to_one_exercise_and_has_a_label_of_its_own(name):
    notebook = unit(name)
    found = exercises(cells_of(notebook))
    assert [cell for one in found for cell in one.cells] == [
        cell for cell, node in marked(notebook).items() if field(node, "grade")
    ]
    labels = [one.label(cell) for one in found for cell in one.cells if not one.manual]
    assert len(set(labels)) == len(labels) and not [label for label in labels if "-" in label]


def test_names_for_people():
    two = {one.number: one for one in exercises(cells_of(unit("02_attention")))}
    assert [two[1].label(cell) for cell in two[1].cells] == ["softmax: visible test", "softmax: hidden test"]
    assert two[10].label("gpt_layer-2") == "gpt_layer: test 2" and two[3].label("why-scale") == "text answer"
    assert code_of("02_attention", two[3]) == "02.3" and two[3].manual and not two[1].manual


def answer(source, **marks):
    return Cell("", "code", source, source, {"grade_id": "a", "solution": True, **marks})


def test_helpers_broken_answers_and_tasks(name="a-hidden"):
    tests = Cell("", "code", "check(wanted)", "check(wanted)", {"grade_id": name, "grade": True, "points": 2})
    helper = "def helper():\n    pass\n\ndef wanted():\n    return helper()"
    (one,) = exercises([answer(helper), tests])
    assert one.function == "wanted" and one.label(name) == "wanted: hidden test"
    (broken,) = exercises([answer("def wanted(:"), tests])
    assert broken.function == broken.title == "wanted" and broken.label(name) == "wanted: hidden test"
    task = Cell("", "markdown", "## 9 · Draw", "## 9 · Draw", {"grade_id": "t", "task": True, "points": 1})
    assert [
        (found.number, found.title, found.manual) for found in exercises([answer(helper), tests, task])
    ] == [(1, "wanted", False), (2, "Draw", True)]
    assert exercises([answer(helper)]) == []  # gives no points
    heading = Cell("", "markdown", "## 1 · One", "## 1 · One", {})
    other = answer("def other():\n    pass", grade_id="b", grade=True)
    assert [found.title for found in exercises([heading, answer(helper), tests, other])] == ["One", "b"]


def test_an_exercise_is_found_by_number_and_by_name_or_refused_with_the_list():
    known = exercises(cells_of(unit("02_attention")))
    for name in ("3", "why-scale"):
        assert find_exercise("02_attention", known, name).number == 3
    for name in ("", "0", "12", "softmax-hidden", "Softmax"):
        said = rf"'{name}' is not an exercise of 02_attention; the exercises are 02.1 softmax"
        with pytest.raises(ValueError, match=said):
            find_exercise("02_attention", known, name)


def test_an_assignment_is_found_by_its_units_number_or_refused_with_the_list():
    for name in ("02", "2", "02_attention"):
        assert assignment_named(ROOT, name) == "02_attention"
    for name in ("", "0", "99", "attention", "02_"):
        said = f"'{name}' matches 0 assignments; the assignments are 01_self_supervision, 02"
        with pytest.raises(ValueError, match=said):
            assignment_named(ROOT, name)
