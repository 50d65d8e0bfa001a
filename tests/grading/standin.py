"""Executes a notebook in one plain kernel, all errors allowed: for tests of what comes before and after the execution."""
import copy
import tempfile

from minibert.grading.notebook import grade_id
from minibert.grading.twin import Executed


def execute(notebook, policy, files):
    from nbclient import NotebookClient

    notebook = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, kernel_name="python3", timeout=60, allow_errors=True,
                       resources={"metadata": {"path": folder}}).execute()
    hints = tuple((grade_id(cell), output.evalue) for cell in notebook.cells for output in cell.get("outputs", ())
                  if output.output_type == "error" and grade_id(cell))
    return Executed(notebook, hints=hints)
