"""Execution of a notebook from top to bottom in a fresh kernel."""

import contextlib
from pathlib import Path

from nbformat import NotebookNode

CELL_SECONDS = 300  # an exercise cell that takes longer probably loops forever


def run(notebook: NotebookNode, folder: str | Path) -> None:
    """Execute a notebook in place in a fresh kernel, up to its first error.

    The kernel's working directory is `folder`.
    """
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
