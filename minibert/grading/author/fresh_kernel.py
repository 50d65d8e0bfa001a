"""Runs a notebook from top to bottom in a fresh kernel."""

import contextlib
from pathlib import Path

from nbformat import NotebookNode

CELL_SECONDS = 300  # a cell of an exercise that needs longer has an endless loop


def run(notebook: NotebookNode, folder: str | Path) -> None:
    """Execute a notebook in place up to its first error, in a fresh kernel that works in `folder`."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=CELL_SECONDS,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    with contextlib.suppress(CellExecutionError):  # the cell's outputs hold the error
        client.execute()
