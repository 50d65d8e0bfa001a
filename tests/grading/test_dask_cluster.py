"""Grading on a Dask cluster of separate processes, one of them killed half-way."""

import os
import signal
import threading
import time
from functools import partial

import no_kernel
import pytest

distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra `cluster`)")

from minibert.grading.author.assignment_bundle import make_bundle  # noqa: E402
from minibert.grading.class_run.dask_cluster import grade_on  # noqa: E402
from minibert.grading.class_run.grade_class import graded  # noqa: E402
from minibert.grading.intake.submissions import read_submissions  # noqa: E402
from minibert.grading.sandbox.limits import Policy  # noqa: E402

UNIT = "01_small"
POLICY = Policy(sandbox="none")
pytestmark = pytest.mark.filterwarnings("ignore")  # Dask's own, about ports and loops


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def grade(course, submit, tmp_path, monkeypatch):
    """grade(scheduler, changes, seconds) -> [(student, result, new)] of s0, s1, ... without kernels."""
    (tmp_path / "executed").mkdir()
    bundle = bytes(make_bundle(course, UNIT))

    def run(scheduler, changes, seconds=0.0):
        for number, change in enumerate(changes):
            submit(course, f"s{number}", why=f"Text {number}.", **change)
        executor = partial(no_kernel.quick, folder=str(tmp_path / "executed"), seconds=seconds)
        on_cluster = partial(grade_on, executor=executor, ahead=4)
        monkeypatch.setattr("minibert.grading.class_run.dask_cluster.grade_on", on_cluster)
        submissions = read_submissions(course / "submitted", UNIT, "nbgrader")[0]
        return list(graded(submissions, bundle, POLICY, tmp_path / "journal", 1, scheduler, None, tmp_path))

    return run


def test_a_worker_killed_half_way_costs_nobody_a_grade(cluster, grade, tmp_path):
    executed, changes = tmp_path / "executed", [{} if n % 3 else {"square": "# WRONG"} for n in range(10)]
    with distributed.Client(cluster, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))

    def kill():
        while len(list(executed.iterdir())) < 4:
            time.sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    results = grade(cluster.scheduler_address, changes, seconds=0.3)
    assert sorted(student for student, _, _ in results) == sorted(f"s{number}" for number in range(10))
    for student, result, new in results:
        square = [2, 3] if int(student[1:]) % 3 else [0, 0]
        assert [cell["points"] for cell in result["cells"]] == [*square, 1, None] and new
    assert len(list((tmp_path / "journal").iterdir())) == 10
    assert 10 <= len(list(executed.iterdir())) <= 10 + 4  # what the dead worker had not delivered, once more
    again = grade("tcp://127.0.0.1:1", changes)
    assert sorted(map(str, again)) == sorted(str((student, result, 0)) for student, result, _ in results)


def test_a_submission_that_ends_its_workers_is_reported(cluster, grade):
    harmful = {"square": "def square(x):\n    return 1 # END THE WORKER ALWAYS"}
    found = {student: result for student, result, _ in grade(cluster.scheduler_address, [harmful, {}])}
    assert (found["s0"]["status"], found["s1"]["status"]) == ("ungraded", "graded")
    assert found["s0"]["reason"] == "The grader stopped twice while grading it."


def test_without_a_scheduler_there_is_an_error():
    with pytest.raises(OSError, match="Timed out"):
        list(grade_on("tcp://127.0.0.1:1", [], b"", POLICY, patience=1.0))


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install 'minibert\[cluster\]'"):
        list(grade_on("tcp://127.0.0.1:1", [], b"", POLICY))
