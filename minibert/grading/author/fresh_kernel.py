"""Run a notebook in a fresh kernel, and say in plain words what its cells ended with."""
import contextlib
import re

from ..notebook import field, grade_id

ANSI = re.compile(r"\x1b\[[0-9;]*m")
MESSAGE_LINES = 3  # of a failing cell's message; a hint rarely needs more
CELL_SECONDS = 300  # a cell of an exercise that needs longer has an endless loop


def run(notebook, folder):
    """Execute in place up to the first error, in a fresh kernel that works in `folder`."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(notebook, kernel_name="python3", timeout=CELL_SECONDS,
                            resources={"metadata": {"path": str(folder)}},
                            extra_arguments=["--IPKernelApp.log_level=ERROR"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    try:
        client.execute()
    except CellExecutionError:
        pass  # the error stands in the cell's outputs


def first_failure(notebook):
    """(which cell, what it says) of the first cell that ends in an error or gives a part of its points; None
    without one.
    """
    for number, cell in enumerate(notebook.cells, 1):
        if any(output.output_type == "error" for output in cell.get("outputs", ())) or said_of_part(cell):
            name = f" ({grade_id(cell)})" if grade_id(cell) else ""
            return f"cell {number}{name}", message(cell)
    return None


def message(cell):
    """What a failing cell says: the text of its error, without traceback, its warning, or what is shown
    beside a part of the points; empty where it passed."""
    for output in cell.get("outputs", ()):
        if output.output_type == "error":
            return _first_lines(error_text(output))
        if output.output_type == "stream" and output.name == "stderr":
            return _first_lines(output.text)
    return _first_lines(said_of_part(cell))


def said_of_part(cell):
    """What a test shows beside a part of its points, where it raises nothing; empty where it gives all, or no
    number.
    """
    values = [output.data.get("text/plain", "") for output in cell.get("outputs", ())
              if output.output_type == "execute_result"]
    with contextlib.suppress(ValueError):
        if values and float(values[-1]) < field(cell, "points", 0):
            shown = [output.data.get("text/plain") for output in cell.outputs
                     if output.output_type == "display_data"]
            return "\n".join(text for text in shown
                             if text) or f"{values[-1]} of {field(cell, 'points'):g} points"
    return ""


def error_text(error):
    """An error as a person says it: a check's hint alone, a stub left in place, or the error's name and
    text.
    """
    if error.ename == "NotImplementedError" and not error.evalue:
        return "not written yet"
    return error.evalue if error.ename == "CheckFailed" else f"{error.ename}: {error.evalue}"


def _first_lines(said):
    lines = [line.strip() for line in ANSI.sub("", said).splitlines() if line.strip()]
    return "\n".join(lines[:MESSAGE_LINES])
