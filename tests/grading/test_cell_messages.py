"""What a student reads of a cell: a warning, or what a check shows next to a part of the points."""

import nbformat
import pytest

from minibert.grading.cell_messages import failure_message
from minibert.grading.notebook import metadata


def test_a_message_names_the_line_that_raised_an_error():
    note = "softmax: line 2, in softmax: return x / x.sum(-1). Did you forget `keepdims=True`?"
    outputs = [nbformat.v4.new_output("display_data", {"text/plain": text}) for text in ("a plot", note)]
    outputs.append(nbformat.v4.new_output("error", ename="ValueError", evalue="shapes (3,4) (3,)"))
    assert (
        failure_message(nbformat.v4.new_code_cell(outputs=outputs))
        == f"ValueError: shapes (3,4) (3,)\n{note}"
    )


def test_a_message_is_the_warning_where_nothing_else_failed():
    output = nbformat.v4.new_output("stream", name="stderr", text="\x1b[31mcareful\x1b[0m\n\nsecond\n")
    assert failure_message(nbformat.v4.new_code_cell(outputs=[output])) == "careful\nsecond"


@pytest.mark.parametrize("value, said", [("1.5", "square: the shape is (2,)."), ("3.0", ""), ("None", "")])
def test_a_message_is_what_a_check_shows_beside_a_part_of_the_points(value, said):
    shown = nbformat.v4.new_output(
        "display_data", {"text/plain": "square: the shape is (2,).", "text/html": "<b>square</b>"}
    )
    outputs = [shown, nbformat.v4.new_output("execute_result", {"text/plain": value})]
    cell = nbformat.v4.new_code_cell(
        outputs=outputs, metadata={"nbgrader": metadata("tests square-hidden 3")}
    )
    assert failure_message(cell) == said
