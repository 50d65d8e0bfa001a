"""Runs a notebook from top to bottom in a fresh kernel."""

import contextlib
from pathlib import Path

from nbformat import NotebookNode

CELL_SECONDS = 300  # a cell of an exercise that needs longer has an endless loop
LOOP_SECONDS = (
    60  # past errors: an endless loop costs the student this wait, once in each cell that enters it
)


def run(notebook: NotebookNode, folder: str | Path, past_errors: bool = False) -> None:
    """Execute a notebook in place, in a fresh kernel that works in `folder`, up to its first error.

    past_errors: execute every cell; one that runs longer than `LOOP_SECONDS` is interrupted.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=LOOP_SECONDS if past_errors else CELL_SECONDS,
        interrupt_on_timeout=past_errors,
        allow_errors=past_errors,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with contextlib.suppress(CellExecutionError):  # the cell's outputs hold the error
        client.execute()
