"""Workers that hang are replaced; the submission that did it is tried twice, others do not suffer."""

import contextlib
import copy
import tempfile
import time
from functools import partial
from pathlib import Path

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.class_run import worker_processes
from minibert.grading.class_run.worker_processes import grade_all
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.notebook import fill, text
from minibert.grading.run.execute_notebook import Executed
from minibert.grading.sandbox import limits
from minibert.grading.sandbox.limits import Policy

UNIT = "01_small"
SYSTEM = tempfile.gettempdir()
HARM = "the harmful one"


def submission(exercise, answers):
    """A function that returns the bytes of a submission."""
    return partial(to_bytes, {f"{UNIT}.ipynb": text(fill(exercise, answers)).encode()})


def harmed(policy, folder):
    """An executor that leaves a file for each execution, and hangs in one submission."""

    def execute(notebook, policy, files):
        harmful = any(HARM in cell.source for cell in notebook.cells)
        with open(folder / f"{'harm' if harmful else 'good'}-{time.monotonic_ns()}", "w"):
            pass
        if harmful:
            time.sleep(1000)
        return Executed(copy.deepcopy(notebook))

    return contextlib.nullcontext(execute)


def counted(policy, folder):
    """An executor that leaves a file for each worker."""
    (folder / f"worker-{time.monotonic_ns()}").touch()
    return harmed(policy, folder)


def test_no_worker_starts_without_a_submission(built_course, exercise, right, tmp_path):
    bundle, policy = bytes(make_bundle(built_course, UNIT)), Policy(sandbox="none")
    jobs = [("only", submission(exercise, right))]
    results = grade_all(jobs, 3, bundle, policy, partial(counted, folder=tmp_path))
    assert next(results)[1]
    time.sleep(1)  # a worker that is not needed would start meanwhile
    results.close()
    assert len(list(tmp_path.glob("worker-*"))) == 1


def littering(policy):
    """An executor that leaves a folder behind, as a kernel does whose worker is killed."""
    tempfile.mkdtemp(prefix="minibert-litter-")
    return contextlib.nullcontext(lambda notebook, policy, files: Executed(copy.deepcopy(notebook)))


def test_no_temporary_folder_stays_behind(built_course, exercise, right, tmp_path, monkeypatch):
    bundle, policy = bytes(make_bundle(built_course, UNIT)), Policy(sandbox="none")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    litter = Path(SYSTEM).glob
    before = set(litter("minibert-litter-*"))
    assert [*grade_all([("only", submission(exercise, right))], 1, bundle, policy, littering)]
    assert not list(tmp_path.glob("minibert-*")) and set(litter("minibert-litter-*")) == before


def test_a_worker_that_hangs_costs_only_its_submission(built_course, exercise, right, tmp_path, monkeypatch):
    """`test_grade_class.py` has one that dies."""
    monkeypatch.setattr(worker_processes, "SLACK", 1.0)
    monkeypatch.setattr(limits, "LEAST_CLOCK", 1)
    monkeypatch.setattr(limits, "SLOWEST", 1)
    answers = [f"Answer {number}." for number in range(5)] + [HARM]
    jobs = [(why, submission(exercise, {**right, "why": why})) for why in answers[::-1]]
    policy = Policy(sandbox="none", exercise_seconds=1)
    bundle = bytes(make_bundle(built_course, UNIT))
    found = dict(grade_all(jobs, 2, bundle, policy, partial(harmed, folder=tmp_path)))
    assert set(found) == set(answers) and [why for why in answers if found[why] is None] == [HARM]
    assert len(list(tmp_path.glob("harm-*"))) == 2 and len(list(tmp_path.glob("good-*"))) == 5


def test_results_come_one_by_one_and_closing_early_ends_the_workers(built_course, exercise, tmp_path):
    jobs = [(number, submission(exercise, {"why": str(number)})) for number in range(9)]
    bundle, policy = bytes(make_bundle(built_course, UNIT)), Policy(sandbox="none")
    results = grade_all(jobs, 1, bundle, policy, partial(harmed, folder=tmp_path))
    assert next(results)[0] == 0
    results.close()
    assert len(list(tmp_path.iterdir())) < 9
