"""What a student reads of a cell: its error or warning, or what a check shows beside a part of the points."""

import nbformat
import pytest

from minibert.grading.cell_messages import failure_message, first_failure
from minibert.grading.notebook import metadata


def failed(name, text):
    return nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("error", ename=name, evalue=text)])


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("CheckFailed", "square: got 2, wanted 1", "square: got 2, wanted 1"),
        ("NotImplementedError", "", "not written yet"),
        ("NameError", "name 'square' is not defined", "NameError: name 'square' is not defined"),
    ],
)
def test_a_message_is_the_error_in_words(name, text, message):
    cell = failed(name, text)
    assert failure_message(cell) == message
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("x"), cell])
    assert first_failure(notebook) == ("cell 2", message)


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
