"""An executor without a kernel, for tests of what comes before and after the execution."""

import contextlib
import copy
import csv
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
            if (
                field(cell, "locked")
                and field(cell, "grade")
                and ("WRONG" in answer or "NotImplementedError" in answer)
            ):
                cell.outputs = [
                    nbformat.v4.new_output("error", ename="CheckFailed", evalue="It is wrong.", traceback=[])
                ]
        return Executed(notebook, cpu_seconds=time.process_time())

    return contextlib.nullcontext(execute)


def patient(policy, table, others):
    """As `quick`, but an answer that says SLOW waits until the table on disk shows so many others as done."""
    from patience import waited  # scripts that use `quick` alone do not find it

    @contextlib.contextmanager
    def opened():
        with quick(policy) as execute:

            def slow(notebook, policy, files):
                if any("SLOW" in cell.source for cell in notebook.cells):
                    assert waited(lambda: done_in(table) >= others, lambda: done_in(table))
                return execute(notebook, policy, files)

            yield slow

    return opened()


def done_in(table):
    """How many submissions the table on disk shows as graded, or waiting for a person."""
    if not Path(table).exists():
        return 0
    with open(table, encoding="utf-8-sig", newline="") as file:
        return sum(row["status"] in ("graded", "waits") for row in csv.DictReader(file))
