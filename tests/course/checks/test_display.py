"""What a student sees of a check: a box in a notebook, also by screen reader, and text in a terminal."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from patience import HANG

from minibert.course.checks.display import LABELS, box, failed_box, heat_maps, marked, opened, passed_box
from minibert.course.checks.failure import STEPS, CheckFailed, Failure

SETUP = """import numpy as np
from minibert.course.checks.exercise import Exercise, Invariant, Mistake

def double(x):
    return 2 * x

check = Exercise("double", ("x",), lambda rng: [(rng.normal(size=(3, 4)),)], double,
                 hints=("times two.", "2 * x."), mistakes=(Mistake("you `add` 1.", lambda x: x + 1),),
                 invariants=(Invariant("0 stays", lambda f, rng: not f(np.zeros(2)).any()),))
"""


@pytest.fixture(scope="module")
def outputs():
    """Outputs of each cell of a small notebook, by its source."""
    sources = [
        "check(lambda x: x + x)",
        "check(lambda x: 3 * x)",
        "check(lambda x: x + 1)",
        "check.hint()",
        "check(lambda x: x @ x)",
        "check(lambda x: 3 * x, points=2)",
        "check(lambda x: 2 * x, hidden=True, points=2)",
        "import sys; print('matplotlib' in sys.modules)",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in [SETUP, *sources]]
    )
    NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=HANG).execute()
    return {cell.source: cell.outputs for cell in notebook.cells}


def kinds(cell):
    return [output.output_type for output in cell]


def test_a_passed_check_shows_what_was_verified_as_box_and_as_text(outputs):
    (shown,) = outputs["check(lambda x: x + x)"]
    assert "<li>0 stays</li>" in shown.data["text/html"] and "double: passed." in shown.data["text/html"]
    assert shown.data["text/plain"].startswith("double: passed.\n  - it runs")


def test_a_failed_check_shows_a_box_and_below_it_one_line_without_a_traceback(outputs):
    shown, error = outputs["check(lambda x: 3 * x)"]
    assert "double: not passed yet. Failed step: values" in shown.data["text/html"]
    assert "<svg" in shown.data["text/html"]
    assert error.traceback == ["double: not passed yet; see the box above."]
    assert error.ename == "CheckFailed" and "expected" in error.evalue
    assert shown.data["text/plain"] == error.evalue


def test_a_recognised_mistake_is_said_with_its_code_as_code(outputs):
    shown, error = outputs["check(lambda x: x + 1)"]
    assert "You <code>add</code> 1." in shown.data["text/html"] and error.evalue == "double: you `add` 1."


def test_an_error_of_the_students_own_keeps_its_traceback_from_her_line_on(outputs):
    error = outputs["check(lambda x: x @ x)"][-1]
    said = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(error.traceback))
    assert "check(lambda x: x @ x)" in said and "matmul" in said
    assert "minibert" not in said


def test_partial_credit_is_the_value_of_the_cell_as_nbgrader_reads_it(outputs):
    from nbgrader.utils import determine_grade

    for source, earned in (
        ("check(lambda x: 3 * x, points=2)", 0),
        ("check(lambda x: 2 * x, hidden=True, points=2)", 2),
    ):
        cell = nbformat.v4.new_code_cell(source, outputs=outputs[source])
        cell.metadata.nbgrader = {
            "grade": True,
            "points": 2,
            "grade_id": "a",
            "solution": False,
            "locked": True,
        }
        assert determine_grade(cell) == (earned, 2)
        assert kinds(outputs[source]) == ["display_data", "execute_result"]


def test_a_hint_is_a_box_too(outputs):
    (shown,) = outputs["check.hint()"]
    assert "double: hint 1 of 2" in shown.data["text/html"]
    assert shown.data["text/plain"] == "double: hint 1 of 2: times two."


def test_no_plotting_library_is_loaded_by_a_check(outputs):
    assert outputs["import sys; print('matplotlib' in sys.modules)"][0].text == "False\n"


def test_outside_a_notebook_ipython_is_not_imported_and_text_is_printed(capsys):
    code = SETUP + "check(double_it := lambda x: 2 * x)\nimport sys; sys.exit('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("double: passed.")


PARTS = {
    "sentence": "no <b>.",
    "detail": "1 of 4.",
    "example": "f([1 < 2])",
    "picture": (np.arange(6.0).reshape(2, 3), np.array([[0, 1, 2], [3, np.nan, 9.0]])),
}


@pytest.mark.parametrize(
    "html",
    [
        failed_box("f", Failure("values", **PARTS, note="(note)")),
        passed_box("f", "", ["a < b"]),
        box("red", "!", 'a "quoted" name'),
    ],
)
def test_a_box_is_well_formed_and_has_a_role_a_name_and_a_heading(html):
    root = ET.fromstring(html)
    assert root.get("role") == "group" and root.get("aria-label")
    (heading,) = (part for part in root.iter() if part.get("role") == "heading")
    assert heading.get("aria-level") == "4" and "".join(heading.itertext()).strip()


@pytest.mark.parametrize(
    "sentence, said",
    [
        ("the sum", "The sum"),
        ("q and k", "q and k"),
        ("`x` is", "`x` is"),
        ("it, too", "It, too"),
        ("", ""),
        ("np.exp(x)", "np.exp(x)"),
    ],
)
def test_a_sentence_of_a_box_begins_with_a_capital_letter_but_a_name_does_not(sentence, said):
    assert opened(sentence) == said


def test_every_step_has_a_label_that_a_learner_understands():
    assert set(LABELS) <= set(STEPS)
    assert "Failed step: the function exists" in failed_box("f", Failure("exists", "no."))


def test_what_a_student_wrote_is_escaped():
    assert "<b>" not in failed_box("f", Failure("values", **PARTS))
    assert marked("<i> `x<y`") == ("&lt;i&gt; <code>x&lt;y</code>")


def test_wrong_cells_carry_a_cross_and_the_picture_says_how_many():
    root = ET.fromstring(f"<div>{heat_maps(*PARTS['picture'])}</div>")
    right, yours = root.iter("svg")
    assert len(right.findall("rect")) == len(yours.findall("rect")) == 6
    assert not right.findall("path") and len(yours.findall("path")) == 2 * 2
    assert "2 of 6 are wrong and marked with a cross" in yours.get("aria-label")
    assert right.get("role") == yours.get("role") == "img"


def test_the_picture_of_equal_numbers_and_of_nothing_finite_can_be_drawn():
    assert "<svg" in heat_maps(np.zeros((2, 2)), np.full((2, 2), np.nan))
    assert "<svg" in heat_maps(np.full((1, 1), np.inf), np.full((1, 1), np.nan))


def test_a_failure_that_was_shown_says_one_line_more_and_no_more():
    failed = CheckFailed("f: " + "long " * 60)
    assert len(failed._render_traceback_()) > 1
    failed.shown = "f: not passed yet; see the box above."
    assert failed._render_traceback_() == ["f: not passed yet; see the box above."]
