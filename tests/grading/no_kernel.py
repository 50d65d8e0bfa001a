"""Executors without a kernel, and grading in one process, for tests of what surrounds the execution."""

import contextlib
import copy
import csv
import os
import time
import uuid
from pathlib import Path

import nbformat

from minibert.grading.class_run import grade_class, regrade
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.notebook import field
from minibert.grading.report.feedback_page import page
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
            test = field(cell, "locked") and field(cell, "grade")
            if test and ("WRONG" in answer or "NotImplementedError" in answer):
                cell.outputs = [nbformat.v4.new_output("error", ename="CheckFailed", evalue="It is wrong.")]
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


def feedback(result):
    """A student's page for a result, before anyone has marked it."""
    notebook = nbformat.reads(result["notebook"], as_version=4)
    return page(
        notebook, {cell["name"]: cell for cell in result["cells"]}, notebook.metadata["minibert"]["name"]
    )


def done_in(table):
    """How many submissions the table on disk shows as graded, or waiting for a person."""
    if not Path(table).exists():
        return 0
    with open(table, encoding="utf-8-sig", newline="") as file:
        return sum(row["status"] in ("graded", "waits") for row in csv.DictReader(file))


def in_one_process(patch):
    """With one job, grade in this process, since starting another takes seconds; return the policies used."""
    policies, elsewhere = [], grade_class.grade_jobs

    def here(work, jobs, bundle, policy, executor, scheduler):
        policies.append(policy)
        if jobs > 1:
            yield from elsewhere(work, jobs, bundle, policy, executor, scheduler)
            return
        with executor(policy) as execute:
            for key, load in work:
                yield key, grade_submission(bundle, load(), policy, execute)

    for module in (grade_class, regrade):
        patch.setattr(module, "grade_jobs", here)
    return policies
