"""Find the messages in executed notebooks: errors, hints of failed checks, and notes on partial points."""

import contextlib
import re

from nbformat import NotebookNode

from .notebook import field, grade_id

ANSI = re.compile(r"\x1b\[[0-9;]*m")
CUT = "... the rest of this output was cut ...\n"  # ends the output of a cell that printed too much
PLACE = re.compile(r"\w+: line \d+, in ")  # starts a check's note about an error
MESSAGE_LINES = 3  # lines of a message that are kept; hints are rarely longer


def first_failure(notebook: NotebookNode) -> tuple[str, str] | None:
    """Find the first cell that fails or earns only part of its points.

    Returns (description of the cell, its message), or None if every cell passes.
    """
    for number, cell in enumerate(notebook.cells, 1):
        failed = any(output.output_type == "error" for output in cell.get("outputs", ()))
        if failed or partial_points_message(cell):
            name = f" ({grade_id(cell)})" if grade_id(cell) else ""
            return f"cell {number}{name}", failure_message(cell)
    return None


def failure_message(cell: NotebookNode) -> str:
    """Return the message of a failing cell without the traceback, or an empty string if the cell passed.

    The message is the text of the error with a check's note about it, the text on stderr, or a test's message
    about partial points.
    """
    for output in cell.get("outputs", ()):
        if output.output_type == "error":
            return _first_lines("\n".join([error_text(output), *_notes(cell, output)]))
        if output.output_type == "stream" and output.name == "stderr":
            return _first_lines(output.text)
    return _first_lines(partial_points_message(cell))


def partial_points_message(cell: NotebookNode) -> str:
    """Return the message that a test shows when it awards partial points.

    The message is empty if the cell earns full points or its last value is not a number.
    """
    values = [
        output.data.get("text/plain", "")
        for output in cell.get("outputs", ())
        if output.output_type == "execute_result"
    ]
    with contextlib.suppress(ValueError):
        if values and float(values[-1]) < field(cell, "points", 0):
            shown = [
                output.data.get("text/plain")
                for output in cell.outputs
                if output.output_type == "display_data"
            ]
            message = "\n".join(text for text in shown if text)
            return message or f"{values[-1]} of {field(cell, 'points'):g} points"
    return ""


def error_text(error: NotebookNode) -> str:
    """Describe an error for a student: a check's hint, "not written yet", or the error's name and text."""
    if error.ename == "NotImplementedError" and not error.evalue:
        return "not written yet"
    text = re.sub(
        r"\(\d+\.py, line (\d+)\)", r"(line \1)", error.evalue
    )  # the name of a cell's temporary file means nothing to a student
    return text if error.ename == "CheckFailed" else f"{error.ename}: {text}"


def _notes(cell: NotebookNode, error: NotebookNode) -> list[str]:
    """Return a check's notes on the line of the student's code that raised an error."""
    shown = [
        output.data.get("text/plain", "") for output in cell.outputs if output.output_type == "display_data"
    ]
    return [] if error.ename == "CheckFailed" else [text for text in shown if PLACE.match(text)]


def _first_lines(message: str) -> str:
    lines = [line.strip() for line in ANSI.sub("", message).splitlines() if line.strip()]
    return "\n".join(lines[:MESSAGE_LINES])
