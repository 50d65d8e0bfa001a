"""An executor without a kernel, for tests of what comes before and after the execution."""
import contextlib
import copy
import os
import time
import uuid
from pathlib import Path

import nbformat

from minibert.grading.notebook import field
from minibert.grading.run.execute_notebook import Executed


def quick(policy, folder=None, seconds=0.0, fast=0):
    """A test passes unless the answer above it says WRONG; some words end the worker.

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
