"""Executes a notebook in one plain kernel, all errors allowed: for tests of what comes before and after the
execution.
"""
import contextlib
import copy
import os
import tempfile
import time
import uuid
from pathlib import Path

import nbformat

from minibert.grading.notebook import field, grade_id
from minibert.grading.run.two_processes import Executed


def execute(notebook, policy, files):
    from nbclient import NotebookClient

    notebook = copy.deepcopy(notebook)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, kernel_name="python3", timeout=None, allow_errors=True,
                       resources={"metadata": {"path": folder}}).execute()
    hints = tuple((grade_id(cell), output.evalue) for cell in notebook.cells
                  for output in cell.get("outputs", ())
                  if output.output_type == "error" and grade_id(cell))
    return Executed(notebook, hints=hints)


def quick(policy, folder=None, seconds=0.0, fast=0):
    """An executor without a kernel: a test passes unless the answer above it says WRONG; some words end the
    worker.

    folder: where each execution leaves a file. seconds: how long each takes, after the first `fast` of all.
    """
    def execute(notebook, policy, files):
        if folder:
            Path(folder, uuid.uuid4().hex).write_text("")
        if not folder or len(list(Path(folder).iterdir())) > fast:
            time.sleep(seconds)
        notebook, answer = copy.deepcopy(notebook), ""
        for cell in notebook.cells:
            once = "END THE WORKER ONCE" in cell.source and len(list(Path(folder).iterdir())) == 1
            if once or "END THE WORKER ALWAYS" in cell.source:
                os._exit(1)
            answer = cell.source if field(cell, "solution") else answer
            if field(cell, "locked") and field(cell, "grade") and ("WRONG" in answer
                                                                   or "NotImplementedError" in answer):
                cell.outputs = [nbformat.v4.new_output("error", ename="CheckFailed", evalue="It is wrong.",
                                                       traceback=[])]
        return Executed(notebook, cpu_seconds=time.process_time())
    return contextlib.nullcontext(execute)
