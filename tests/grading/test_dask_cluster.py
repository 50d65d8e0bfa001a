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
from minibert.grading.notebook import fill, text  # noqa: E402
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
def handed_in(tmp_path, exercise, right):
    """handed_in(answers, ...) -> submissions, one for each."""

    def put(*changes):
        (tmp_path / "in").mkdir()
        for number, change in enumerate(changes):
            (tmp_path / "in" / f"s{number}.ipynb").write_text(
                text(fill(exercise, {**right, "why": f"Text {number}.", **change}))
            )
        return read_submissions(tmp_path / "in", UNIT)[0]

    return put


@pytest.fixture
def executed(tmp_path):
    (tmp_path / "executed").mkdir()
    return tmp_path / "executed"


def on_cluster(monkeypatch, folder, seconds=0.0):
    """`--scheduler` with an executor that needs no kernel."""
    executor = partial(no_kernel.quick, folder=str(folder), seconds=seconds)
    monkeypatch.setattr(
        "minibert.grading.class_run.dask_cluster.grade_on", partial(grade_on, executor=executor, ahead=4)
    )


def test_a_worker_killed_half_way_costs_nobody_a_grade(
    cluster, handed_in, executed, built_course, tmp_path, monkeypatch
):
    on_cluster(monkeypatch, executed, seconds=0.3)
    bundle = bytes(make_bundle(built_course, UNIT))
    submissions = handed_in(*[{} if number % 3 else {"square": "# WRONG"} for number in range(10)])
    with distributed.Client(cluster, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))

    def kill():
        while len(list(executed.iterdir())) < 4:
            time.sleep(0.02)
        os.kill(victim, signal.SIGKILL)

    threading.Thread(target=kill, daemon=True).start()
    results = list(
        graded(
            submissions, bundle, POLICY, tmp_path / "journal", 1, cluster.scheduler_address, None, tmp_path
        )
    )
    assert sorted(student for student, _, _ in results) == sorted(f"s{number}" for number in range(10))
    for student, result, new in results:
        assert [cell["points"] for cell in result["cells"]] == [
            0 if int(student[1:]) % 3 == 0 else 2,
            0 if int(student[1:]) % 3 == 0 else 3,
            1,
            None,
        ] and new
    assert len(list((tmp_path / "journal").iterdir())) == 10
    assert 10 <= len(list(executed.iterdir())) <= 10 + 4  # what the dead worker had not delivered, once more
    again = list(
        graded(submissions, bundle, POLICY, tmp_path / "journal", 1, "tcp://127.0.0.1:1", None, tmp_path)
    )
    assert sorted(map(str, again)) == sorted(str((student, result, 0)) for student, result, _ in results)


def test_a_submission_that_ends_its_workers_is_reported(
    cluster, handed_in, executed, built_course, tmp_path, monkeypatch
):
    on_cluster(monkeypatch, executed)
    submissions = handed_in({"square": "def square(x):\n    return 1 # END THE WORKER ALWAYS"}, {})
    bundle = bytes(make_bundle(built_course, UNIT))
    found = {
        student: result
        for student, result, _ in graded(
            submissions, bundle, POLICY, tmp_path / "journal", 1, cluster.scheduler_address, None, tmp_path
        )
    }
    assert (
        found["s0"]["status"] == "ungraded"
        and found["s0"]["reason"] == "The grader stopped twice while grading it."
    )
    assert found["s1"]["status"] == "graded"


def test_without_a_scheduler_there_is_an_error():
    with pytest.raises(OSError, match="Timed out"):
        list(grade_on("tcp://127.0.0.1:1", [], b"", POLICY, patience=1.0))


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install 'minibert\[cluster\]'"):
        list(grade_on("tcp://127.0.0.1:1", [], b"", POLICY))
