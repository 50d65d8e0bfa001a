"""Execute a notebook from top to bottom in a fresh kernel."""

import contextlib
import logging
from pathlib import Path

from nbformat import NotebookNode

CELL_SECONDS = 300  # a cell that takes longer probably loops forever
LOOP_SECONDS = 30  # used if the remaining cells also run, since each endless loop costs this much time


def run(notebook: NotebookNode, folder: str | Path, past_errors: bool = False) -> None:
    """Execute a notebook in place, in a fresh kernel that works in `folder`.

    With `past_errors`, every cell is executed despite errors, and a cell that takes longer than
    `LOOP_SECONDS` is interrupted. Raises KeyboardInterrupt on Ctrl-C.
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
    try:
        with contextlib.suppress(CellExecutionError):  # the cell's outputs hold the error
            client.execute()
    except Exception:
        if hasattr(client, "_async_cleanup_kernel_future"):  # on Ctrl-C, nbclient only stops the kernel
            logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # its tasks fail without the kernel
            raise KeyboardInterrupt from None
        raise
