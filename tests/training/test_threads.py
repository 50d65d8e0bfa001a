"""Threads fit what the container grants, whichever way it says so."""

import os
import subprocess
import sys

import pytest
import torch
from conftest import ROOT

from minibert.training.threads import cores, fit_threads, share_threads


def machine(root, files, processors=8, siblings=lambda n: str(n)):
    """A fake file system: control group files by path, and which processors share a core."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text + "\n")
    for n in range(processors):
        folder = root / f"sys/devices/system/cpu/cpu{n}/topology"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "thread_siblings_list").write_text(siblings(n) + "\n")
    return {"root": root, "allowed": range(processors)}


V2 = {"proc/self/cgroup": "0::/"}
V1 = {"proc/self/cgroup": "5:memory:/job\n4:cpu,cpuacct:/job\n0::/"}
V1_QUOTA, V1_PERIOD = (f"sys/fs/cgroup/cpu/job/cpu.cfs_{name}_us" for name in ("quota", "period"))


@pytest.mark.parametrize(
    "files, expected",
    [
        ({}, 8),
        (V2, 8),
        ({**V2, "sys/fs/cgroup/cpu.max": "max 100000"}, 8),
        ({**V2, "sys/fs/cgroup/cpu.max": "200000 100000"}, 2),
        ({**V2, "sys/fs/cgroup/cpu.max": "350000 100000"}, 3),
        ({**V2, "sys/fs/cgroup/cpu.max": "50000 100000"}, 1),
        ({**V2, "sys/fs/cgroup/cpu.max": "9900000 100000"}, 8),
        ({**V1, V1_QUOTA: "-1", V1_PERIOD: "100000"}, 8),
        ({**V1, V1_QUOTA: "400000", V1_PERIOD: "100000"}, 4),
        (
            {
                **V1,
                "sys/fs/cgroup/memory/job/cpu.cfs_quota_us": "100000",
                V1_QUOTA: "400000",
                V1_PERIOD: "100000",
            },
            4,
        ),
    ],
)
def test_a_quota_is_the_number_of_cores(files, expected, tmp_path):
    assert cores(**machine(tmp_path, files)) == expected


@pytest.mark.parametrize(
    "outer, inner, expected", [("300000", "500000", 3), ("500000", "300000", 3), ("max", "300000", 3)]
)
def test_the_tightest_of_nested_groups_counts(outer, inner, expected, tmp_path):
    files = {
        "proc/self/cgroup": "0::/a/b",
        "sys/fs/cgroup/a/cpu.max": f"{outer} 100000",
        "sys/fs/cgroup/a/b/cpu.max": f"{inner} 100000",
    }
    assert cores(**machine(tmp_path, files)) == expected


def test_a_container_that_does_not_see_its_own_group_still_finds_its_quota(tmp_path):
    files = {"proc/self/cgroup": "0::/system.slice/docker-77.scope", "sys/fs/cgroup/cpu.max": "200000 100000"}
    assert cores(**machine(tmp_path, files)) == 2


def test_two_processors_of_a_core_count_once(tmp_path):
    assert cores(**machine(tmp_path, {}, siblings=lambda n: f"{n % 4},{n % 4 + 4}")) == 4


def test_only_the_processors_that_a_process_may_run_on_count(tmp_path):
    assert cores(machine(tmp_path, {})["root"], allowed={1, 5, 6}) == 3


def test_a_system_without_such_files_is_taken_at_its_word(tmp_path):
    assert cores(tmp_path, allowed=range(6)) == 6 and cores() >= 1


@pytest.fixture
def threads():
    """PyTorch's number of threads, put back afterwards."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("asked, there, expected", [(8, 3, 3), (2, 3, 2)])
def test_threads_are_made_fewer_but_never_more(asked, there, expected, threads, monkeypatch):
    monkeypatch.setattr("minibert.training.threads.cores", lambda: there)
    torch.set_num_threads(asked)
    fit_threads()
    assert torch.get_num_threads() == expected


@pytest.mark.parametrize("variable, expected", [(None, 4), ("1", 4), ("3", 3), ("two", 4)])
def test_processes_of_a_machine_share_its_cores_unless_the_user_says_otherwise(
    variable, expected, threads, monkeypatch
):
    monkeypatch.setattr("minibert.training.threads.cores", lambda: 9)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if variable:
        monkeypatch.setenv("OMP_NUM_THREADS", variable)
    assert share_threads(2) == expected == torch.get_num_threads()
    assert share_threads(100) == (3 if variable == "3" else 1)


@pytest.mark.parametrize(
    "given, expected",
    [({}, "1000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "active"}, "None")],
)
def test_importing_minibert_shortens_the_waiting_of_threads_unless_the_user_sets_it(given, expected):
    assert said_by("import os, minibert; print(os.environ.get('GOMP_SPINCOUNT'))", given) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="libgomp comes with PyTorch for Linux")
@pytest.mark.parametrize("code", ["import minibert, torch", "from minibert.model import Encoder"])
def test_pytorch_is_loaded_after_it(code):
    assert "GOMP_SPINCOUNT = '1000'" in said_by(code, {"OMP_DISPLAY_ENV": "verbose"})


def said_by(code, variables):
    """Return what a fresh Python says that runs this code, with these variables of OpenMP."""
    usual = {
        name: value for name, value in os.environ.items() if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env={**usual, **variables}, cwd=ROOT, capture_output=True, text=True
    )
    return (done.stdout + done.stderr).strip()
