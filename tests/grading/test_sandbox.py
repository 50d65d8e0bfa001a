"""What a sandbox shows and refuses: the command lines, and what is said where there is none."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from patience import HANG

import minibert
from minibert.grading.run import student_kernel
from minibert.grading.sandbox import availability, command_lines, limits, other_user, provisioner, seccomp
from minibert.grading.sandbox.limits import Policy


@pytest.fixture(autouse=True)
def forget():
    availability.reason_unavailable.cache_clear()
    yield
    availability.reason_unavailable.cache_clear()


def run(code, tmp_path):
    """Output of Python code inside bubblewrap."""
    tmp_path.chmod(0o755)
    rules = provisioner.filter_file()
    command = command_lines.bubblewrap(
        [sys.executable, "-c", code], tmp_path, Policy(scratch_mb=4), other_user.USERS[0], rules=rules
    )
    done = subprocess.run(
        command, capture_output=True, text=True, env={}, timeout=HANG, pass_fds=[rules] if rules else []
    )
    return done.stdout.strip() or done.stderr


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "code, wanted",
    [
        (
            "import os; print(*[os.path.exists('{root}/' + x) for x in ('solutions', 'minibert')])",
            "False False",
        ),
        ("import socket; print([name for _, name in socket.if_nameindex()])", "['lo']"),
        ("import os; print(sorted(os.listdir('/proc/self/fd'))[-1])", "3"),
        ("import os; print(sorted(name for name in os.environ if 'SECRET' in name))", "[]"),
        ("import os; print(os.getuid() != 0)", "True"),
        (
            "print(*[line[8:-1] for line in open('/proc/self/status') if 'CapEff' in line])",
            "0000000000000000",
        ),
        ("import os; print(len([p for p in os.listdir('/proc') if p.isdigit()]) <= 3)", "True"),
    ],
)
def test_inside_there_is_nothing_of_the_grader(code, wanted, tmp_path, monkeypatch):
    monkeypatch.setenv("A_SECRET", "x")
    assert run(code.format(root=Path(minibert.__file__).parent.parent), tmp_path) == wanted


REFUSED = """
import ctypes, errno
def tried(number, *args):
    return errno.errorcode.get(ctypes.get_errno(), "") if library.syscall(number, *args) < 0 else "allowed"
library = ctypes.CDLL(None, use_errno=True)
print(tried(319, b"x", 0), tried(101, 0, 0, 0, 0), tried(272, 0x10000000),
      tried(56, 0x10000000, 0, 0, 0, 0), tried(435, 0, 0),
      tried(0x40000000 + 39), tried(39))"""
UNCHARGED = """
import ctypes, errno, socket
library = ctypes.CDLL(None, use_errno=True)
print(*[errno.errorcode.get(ctypes.get_errno()) for number in (68, 64, 240, 275, 276, 278, 253, 294)
        if library.syscall(number, 0, 0, 0, 0, 0, 0) < 0])
one = socket.socketpair()[0]
one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
    try:
        one.setsockopt(socket.SOL_SOCKET, option, 4_000_000)
    except PermissionError:
        print("refused")"""


@pytest.mark.sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls are those of x86_64")
def test_inside_calls_that_no_answer_needs_are_refused(tmp_path):
    assert run(REFUSED, tmp_path) == "EPERM EPERM EPERM EPERM ENOSYS EPERM allowed"


@pytest.mark.sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of system calls are those of x86_64")
def test_inside_no_call_gets_memory_that_no_process_is_charged_for(tmp_path):
    assert run(UNCHARGED, tmp_path).split() == 8 * ["EPERM"] + 2 * ["refused"]


def test_every_machine_with_a_filter_has_a_whole_one():
    for machine in seccomp.MACHINES:
        assert len(seccomp.filter_program(machine)) == 8 * (len(seccomp.REFUSED) + 21)
    assert seccomp.filter_program("abacus") is None


@pytest.mark.sandbox
def test_inside_only_small_folders_in_memory_can_be_written(tmp_path):
    code = f"""
import os
written = []
for place in ('/', '/usr', '/dev', '/etc', '/proc/sys/kernel', '/tmp', '/home', '/assignment', '/run',
              {sys.prefix!r}, {str(tmp_path)!r}):
    try:
        open(place + '/written-inside', 'w').close()
        written.append(place)
    except OSError:
        pass
try:
    open('/assignment/large', 'wb').write(bytes(5 * 2 ** 20))
    written.append('5 MB')
except OSError:
    pass
print(written)"""
    assert run(code, tmp_path) == "['/tmp', '/home', '/assignment']"


def test_without_bubblewrap_it_says_what_to_do(monkeypatch):
    monkeypatch.setattr(availability.shutil, "which", lambda name: None)
    said = r"bubblewrap is not installed.*apt install.*MINIBERT_SANDBOX.*limits.*none"
    with pytest.raises(availability.SandboxError, match=said):
        availability.require_sandbox("bwrap")
    with pytest.raises(availability.SandboxError, match="docker is not installed"):
        availability.require_sandbox("docker")
    assert availability.reason_unavailable("limits") == availability.reason_unavailable("none") == ""


def test_where_namespaces_are_forbidden_it_says_so(monkeypatch, tmp_path):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(availability.shutil, "which", lambda name: str(program))
    said = r"No permissions to create new namespace.*unprivileged_userns"
    with pytest.raises(availability.SandboxError, match=said):
        availability.require_sandbox("bwrap")


def test_the_environment_variable_chooses(monkeypatch):
    monkeypatch.delenv(availability.ENVIRONMENT, raising=False)
    assert availability.chosen_sandbox() == "bwrap"
    monkeypatch.setenv(availability.ENVIRONMENT, "limits")
    assert availability.chosen_sandbox() == "limits"


@pytest.mark.parametrize("program", ["docker", "podman"])
def test_a_container_gets_no_network_and_no_right(program, tmp_path):
    policy = Policy(memory_mb=700, processes=9, image="course:1")
    command = command_lines.container(program, ["/some/python", "-m", "x"], tmp_path, policy)
    words = " ".join(command)
    assert words.startswith(f"{program} run --rm --init --name {tmp_path.name} ")
    for part in ("--network none", "--read-only", "--cap-drop ALL", "--memory 700m", "--pids-limit 9"):
        assert part in words
    assert f"--volume {tmp_path}:{tmp_path}" in words and "--security-opt no-new-privileges" in words
    assert words.endswith("course:1 python -m x")


def test_the_seed_of_hidden_tests_is_not_told_to_the_students_process(tmp_path):
    spec = student_kernel.Spec(Policy(hidden_seed=271828), tmp_path).get_kernel_spec("any")
    assert "hidden_seed" in str(spec.argv) and "271828" not in f"{spec.argv}{spec.metadata}"


def test_a_policy_is_checked():
    with pytest.raises(ValueError, match="unknown sandbox 'jail'; choose one of bwrap"):
        Policy(sandbox="jail")
    with pytest.raises(ValueError, match="memory_mb is 0, but must be at least 1"):
        Policy(memory_mb=0)


def test_a_process_is_held_to_its_limits():
    code = (
        "from minibert.grading.sandbox.limits import Policy, set_limits; import resource;"
        "set_limits(Policy(memory_mb=300), alone=False);"
        "print(resource.getrlimit(resource.RLIMIT_CORE)); bytearray(400 * 2 ** 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "(0, 0)" and "MemoryError" in done.stderr


@pytest.mark.skipif(not limits.LINUX, reason="only Linux tells what processes use")
def test_a_tree_counts_the_processes_below():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'], timeout=2)"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    tree, most = limits.ProcessTree(process.pid), 0
    while process.poll() is None:
        used = tree.usage()
        most = max(most, used.tasks)
    assert most == 2 and used.seconds > 0.1


@pytest.mark.parametrize("tasks, crowded", [(30, False), (31, True)])
def test_half_of_the_processes_left_running_is_too_many_for_the_next_cell(tasks, crowded):
    tree = SimpleNamespace(usage=lambda: limits.Usage(seconds=0.0, memory=0, tasks=tasks))
    assert limits.Watch(limits.Policy(processes=60), tree).crowded() == crowded


def watch(monkeypatch, scratch=()):
    """A watch over a tree of one process that uses nothing."""
    tree = limits.ProcessTree(-1)
    monkeypatch.setattr(tree, "pids", list)
    return limits.Watch(limits.Policy(), tree, scratch)


@pytest.mark.skipif(not limits.LINUX, reason="only Linux tells what processes use")
def test_files_and_descriptors_of_all_processes_together_are_limited(monkeypatch, tmp_path):
    files = SimpleNamespace(f_files=30_000, f_ffree=20_000, f_blocks=9, f_bfree=8, f_frsize=4096)
    monkeypatch.setattr(limits.os, "statvfs", lambda folder: files)
    assert limits.scratch_usage(["a", "b"]) == (20_000, 8192)
    assert watch(monkeypatch, ["a", "b"]).broken_limit() is None
    said, can_be_interrupted, timed_out = watch(monkeypatch, ["a", "b", "c"]).broken_limit()
    assert said == "it made more than 20000 files" and not can_be_interrupted and not timed_out
    alone = watch(monkeypatch)
    with open(tmp_path / "x", "w"):
        monkeypatch.setattr(alone.trees[0], "pids", lambda: [os.getpid()] * 2)
        assert alone.trees[0].descriptors() == 2 * len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(alone.trees[0], "descriptors", lambda: limits.MOST_DESCRIPTORS + 1)
    assert alone.broken_limit()[0] == "it opened more than 1024 files and sockets"


@pytest.mark.parametrize("process, file, too_much", [(60, 40, False), (61, 40, True), (0, 101, True)])
def test_the_memory_of_processes_and_files_together_is_limited(monkeypatch, process, file, too_much):
    used = limits.Usage(memory=process * limits.MB)
    tree = SimpleNamespace(usage=lambda: used, descriptors=lambda: 0)
    monkeypatch.setattr(limits, "scratch_usage", lambda folders: (1, file * limits.MB))
    broken = limits.Watch(limits.Policy(memory_mb=100), tree).broken_limit()
    assert broken == (("it used more than 100 MB of memory", False, False) if too_much else None)


@pytest.mark.parametrize(
    "total, available, low", [(8000, 390, True), (8000, 410, False), (90_000, 1030, False)]
)
def test_a_machine_with_little_memory_left_stops_grading_without_a_verdict(
    monkeypatch, tmp_path, total, available, low
):
    (tmp_path / "meminfo").write_text(f"MemTotal: {total * 1024} kB\nMemAvailable: {available * 1024} kB\n")
    monkeypatch.setattr(limits, "Path", lambda path: tmp_path / "meminfo")
    if low:
        with pytest.raises(limits.LowMemoryError, match="only 390 MB of this machine's memory are free"):
            watch(monkeypatch).broken_limit()
    else:
        assert watch(monkeypatch).broken_limit() is None
