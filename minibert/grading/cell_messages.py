"""What the cells of an executed notebook say in plain words: errors, hints of checks, parts of points."""

import contextlib
import re

from nbformat import NotebookNode

from .notebook import field, grade_id

ANSI = re.compile(r"\x1b\[[0-9;]*m")
CUT = "... the rest of this output was cut ...\n"  # ends what a cell printed
MESSAGE_LINES = 3  # of a failing cell's message; a hint rarely needs more


def first_failure(notebook: NotebookNode) -> tuple[str, str] | None:
    """(which cell, its message) of the first cell that fails or gives part of its points; or None."""
    for number, cell in enumerate(notebook.cells, 1):
        failed = any(output.output_type == "error" for output in cell.get("outputs", ()))
        if failed or partial_points_message(cell):
            name = f" ({grade_id(cell)})" if grade_id(cell) else ""
            return f"cell {number}{name}", failure_message(cell)
    return None


def failure_message(cell: NotebookNode) -> str:
    """The message of a failing cell, without traceback; empty if the cell passed.

    It is the text of its error, its warning, or what is shown beside a part of the points.
    """
    for output in cell.get("outputs", ()):
        if output.output_type == "error":
            return _first_lines(error_text(output))
        if output.output_type == "stream" and output.name == "stderr":
            return _first_lines(output.text)
    return _first_lines(partial_points_message(cell))


def partial_points_message(cell: NotebookNode) -> str:
    """What a test shows beside a part of its points; empty if it gives all of them, or no number."""
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
    """What an error says to a student: a check's hint, "not written yet", or the error's name and text."""
    if error.ename == "NotImplementedError" and not error.evalue:
        return "not written yet"
    text = re.sub(
        r"\(\d+\.py, line (\d+)\)", r"(line \1)", error.evalue
    )  # a cell's file means nothing to her
    return text if error.ename == "CheckFailed" else f"{error.ename}: {text}"


def _first_lines(message: str) -> str:
    lines = [line.strip() for line in ANSI.sub("", message).splitlines() if line.strip()]
    return "\n".join(lines[:MESSAGE_LINES])
