import nbformat
import pytest
from minibert.grading.run.in_process import autograde

from minibert.grading.author.temporary_course import CourseError, telling_line
from minibert.grading.notebook import fill, metadata, text

UNIT = "01_small"
WRONG = "def square(x):\n    return x + x"


def submission(exercise, answers):
    return text(fill(exercise, answers)).encode()


@pytest.fixture(scope="module")
def graded(built_course, exercise, right):
    """Results by student, and the names as they passed through the progress bar."""
    seen = []
    submissions = {
        "perfect": submission(exercise, right),
        "blank": submission(exercise, {}),
        "wrong": submission(exercise, {**right, "square": WRONG}),
        "typo": submission(exercise, {**right, "square": "def square(x:"}),
        "gone": submission(exercise, {**right, "double": "import os\nos._exit(1)"}),
        "broken": b"no notebook",
    }
    results = autograde(UNIT, submissions, built_course,
                        progress=lambda names: (seen.append(n) or n for n in names))
    assert [result.student for result in results] == list(submissions) == seen
    return {result.student: result for result in results}


def points(result):
    return [cell.points for cell in result.cells]


def test_right_answers_get_all_points_and_text_waits_for_a_person(graded):
    assert points(graded["perfect"]) == [2, 3, 1, None]
    assert (graded["perfect"].points, graded["perfect"].max_points) == (6, 10)
    assert {cell.message for cell in graded["perfect"].cells} == {""}


def test_a_blank_submission_gets_nothing_and_hears_that_it_is_not_written(graded):
    assert points(graded["blank"]) == [0, 0, 0, 0]
    assert [cell.message for cell in graded["blank"].cells[:3]] == ["not written yet"] * 3


def test_a_wrong_answer_fails_where_only_the_hidden_test_sees_it(graded):
    assert points(graded["wrong"]) == [2, 0, 1, None]
    assert graded["wrong"].cells[1].message == "square: got 2, wanted 1"


def test_a_failing_cell_leaves_the_others_graded(graded):
    assert points(graded["typo"]) == [0, 0, 1, None]
    assert graded["typo"].cells[0].message == "NameError: name 'square' is not defined"


def test_what_cannot_be_graded_is_an_error_and_not_a_stop(graded):
    assert graded["broken"].error.startswith("01_small.ipynb: not a readable notebook")
    assert (graded["broken"].points, graded["broken"].max_points) == (0, 10)


def test_an_answer_that_ends_the_kernel_costs_its_own_points_alone(graded):
    assert points(graded["gone"]) == [2, 3, 0, None] and graded["gone"].error == ""
    assert graded["gone"].cells[2].message == "NameError: name 'double' is not defined"


def test_the_repository_is_left_alone(graded, built_course):
    names = sorted(path.name for path in built_course.iterdir())
    assert names == ["exercises", "lessons", "nbgrader_config.py", "solutions"]


def test_an_unknown_assignment_is_refused(built_course):
    with pytest.raises(ValueError, match="solutions/99: 0 notebooks"):
        autograde("99", {}, built_course)


def test_a_message_is_the_warning_where_nothing_else_failed():
    output = nbformat.v4.new_output("stream", name="stderr", text="\x1b[31mcareful\x1b[0m\n\nsecond\n")
    assert message(nbformat.v4.new_code_cell(outputs=[output])) == "careful\nsecond"


@pytest.mark.parametrize("value, said", [("1.5", "square: the shape is (2,)."), ("3.0", ""), ("None", "")])
def test_a_message_is_what_a_check_shows_beside_a_part_of_the_points(value, said):
    shown = nbformat.v4.new_output("display_data",
                                   {"text/plain": "square: the shape is (2,).", "text/html": "<b>square</b>"})
    outputs = [shown, nbformat.v4.new_output("execute_result", {"text/plain": value})]
    cell = nbformat.v4.new_code_cell(outputs=outputs,
                                     metadata={"nbgrader": metadata("tests square-hidden 3")})
    assert message(cell) == said


def test_the_telling_line_of_a_log_is_its_exception():
    assert telling_line("[INFO] a\n  Traceback\n  a.b.BadError: why\n[ERROR] see above\n") == "BadError: why"
    assert telling_line("[INFO] a\n[ERROR] no such thing\n[INFO] b") == "no such thing"
    assert issubclass(CourseError, RuntimeError)
