"""Limit a submission's resources, and measure its usage.

The system's limits (`setrlimit`) apply to each process; `ProcessTree` adds up the usage of all processes of a
submission. Computation is measured in CPU time, so a busy machine costs no points.
"""

import contextlib
import os
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

MB = 2**20
SLOWEST = 5  # wall-clock seconds allowed per second of CPU time
LEAST_CLOCK = 300  # minimum in seconds, because even short work takes long on a busy machine
RERUNS = 5  # time for rerunning cells in new kernels, as a multiple of one exercise's time
MOST_EXERCISES = 50  # more than any notebook has
MOST_FILES = 20_000  # in the sandbox's folders; an empty one takes a kilobyte of the system's memory
MOST_DESCRIPTORS = 1_024  # of all processes together; a socket's buffer takes up to 200 KB
LOW_SHARE, LOW_MB = 0.05, 1024  # the machine's memory is low below this share, but not above so many MB
IDLE_LOOK = 2.0  # seconds of wall-clock time between two checks for idleness
IDLE_SHARE = 0.01  # a process that computes for less than this share of the time counts as idle
SANDBOXES = ("bwrap", "docker", "podman", "limits", "none")
LINUX = os.path.isdir("/proc/self/task")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Policy:
    """The sandbox in which a submission runs, and the resources that the submission may use.

    Raises ValueError for an unknown sandbox or a limit below 1.
    """

    sandbox: str = "bwrap"  # one of SANDBOXES
    memory_mb: int = 4096  # private memory, for each process and for all together
    exercise_seconds: int = 60  # CPU time of one exercise: answer, tests and the cells between them
    idle_seconds: int = 30  # total wall-clock time that an exercise may spend sleeping or waiting
    processes: int = 128  # processes and threads
    scratch_mb: int = 64  # size of the files in the working folder
    output_bytes: int = 1_000_000  # of one cell; exercises and notebooks have limits of their own
    threads: int = 1  # of NumPy and PyTorch; with more, sums would differ between machines
    seed: int = 0  # of Python's and NumPy's global generators
    hidden_seed: int = 0  # of the inputs of hidden tests; 0 means the seeds written in the tests
    image: str = "minibert"  # for docker and podman: an image with the course's libraries

    def __post_init__(self) -> None:
        if self.sandbox not in SANDBOXES:
            raise ValueError(f"unknown sandbox {self.sandbox!r}; choose one of {', '.join(SANDBOXES)}")
        for name, value in vars(self).items():
            if isinstance(value, int) and value < (name not in ("seed", "hidden_seed")):
                raise ValueError(
                    f"{name} is {value}, but must be at least {int(name not in ('seed', 'hidden_seed'))}"
                )

    def limited(self, seconds: int | None, memory_mb: int | None) -> "Policy":
        """Return a copy with new limits on an exercise's time and memory; None keeps the old limit."""
        policy = self if memory_mb is None else replace(self, memory_mb=memory_mb)
        return (
            policy
            if seconds is None
            else replace(policy, exercise_seconds=seconds, idle_seconds=max(1, seconds // 2))
        )

    @property
    def clock_seconds(self) -> float:
        """Return the wall-clock limit of one exercise, in seconds.

        It stops code that exceeds neither the CPU time limit nor the idle limit.
        """
        return max(LEAST_CLOCK, SLOWEST * self.exercise_seconds)

    def longest(self, exercises: int) -> float:
        """Return the maximum wall-clock time, in seconds, for a notebook with this number of exercises."""
        return self.clock_seconds * (2 * exercises + RERUNS)


def set_limits(policy: Policy, alone: bool) -> None:
    """Limit this process and its children with `setrlimit`; the limits cannot be raised again.

    alone: whether this user runs no other processes on this machine. Only then is the number of processes
    limited, because the system counts processes per user.
    """
    import resource

    # `Watch` limits each exercise's CPU time; RLIMIT_CPU is the last resort
    limits = {
        "RLIMIT_CPU": MOST_EXERCISES * policy.exercise_seconds,
        "RLIMIT_NOFILE": 256,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 256,
        "RLIMIT_DATA": policy.memory_mb * MB,
        "RLIMIT_FSIZE": policy.scratch_mb * MB,
        "RLIMIT_CORE": 0,
    }
    if alone:
        limits["RLIMIT_NPROC"] = policy.processes
    for name, value in limits.items():
        kind = getattr(resource, name, None)  # macOS has no working RLIMIT_DATA; Linux has all of them
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))


@dataclass(frozen=True)
class Usage:
    """The usage of a process tree: CPU time in seconds, memory in bytes, and number of threads."""

    seconds: float = 0.0
    memory: int = 0
    tasks: int = 0


class ProcessTree:
    """The process `pid` and all its descendants. On systems other than Linux, the usage is always zero."""

    def __init__(self, pid: int) -> None:
        self.pid, self.seconds = pid, 0.0

    def pids(self) -> list[int]:
        """Return the ids of all processes in the tree."""
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            with contextlib.suppress(OSError):  # the process may have ended in the meantime
                for task in os.listdir(f"/proc/{pid}/task"):
                    waiting += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        return found

    def descriptors(self) -> int:
        """Return how many files, pipes and sockets all processes in the tree have open."""
        found = 0
        for pid in self.pids():
            with contextlib.suppress(OSError):  # the process has ended
                found += len(os.listdir(f"/proc/{pid}/fd"))
        return found

    def usage(self) -> Usage:
        """Return the total usage of all processes in the tree."""
        seconds, memory, tasks = 0.0, 0, 0
        for pid in self.pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            seconds += sum(map(int, fields[11:15])) / TICKS  # user and system time, ended children included
            memory += int(fields[21]) * PAGE
            tasks += int(fields[17])
        self.seconds = max(self.seconds, seconds)  # the time of ended processes still counts
        return Usage(self.seconds, memory, tasks)


def thread_seconds(pid: int) -> float:
    """Return the CPU time of a process's main thread in seconds, or 0 if Linux does not report it."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def peer_pid(connection: socket.socket) -> int:
    """Return the id, from the OS, of the process at the other end of a socket, or 0 outside Linux."""
    if not LINUX:
        return 0
    return int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)


@dataclass(frozen=True)
class Times:
    """CPU time, idle time and wall-clock time, in seconds, that are used or allowed."""

    computed: float = 0.0
    idle: float = 0.0
    clock: float = 0.0

    def part(self, share: float) -> "Times":
        """Return the three times multiplied by `share`."""
        return Times(share * self.computed, share * self.idle, share * self.clock)

    def without(self, used: "Times") -> "Times":
        """Return each time minus the corresponding time in `used`, but at least 0."""
        return Times(
            max(0.0, self.computed - used.computed),
            max(0.0, self.idle - used.idle),
            max(0.0, self.clock - used.clock),
        )

    def at_most(self, other: "Times") -> "Times":
        """Return the elementwise minimum of these times and `other`."""
        return Times(
            min(self.computed, other.computed), min(self.idle, other.idle), min(self.clock, other.clock)
        )

    def at_least(self, other: "Times") -> "Times":
        """Return the elementwise maximum of these times and `other`."""
        return Times(
            max(self.computed, other.computed), max(self.idle, other.idle), max(self.clock, other.clock)
        )


def exercise_times(policy: Policy) -> Times:
    """Return the times that a policy allows for one exercise."""
    return Times(policy.exercise_seconds, policy.idle_seconds, policy.clock_seconds)


class LowMemoryError(OSError):
    """The error raised if the machine has little memory left, whoever uses it, so nobody loses points."""


def check_memory() -> None:
    """Raise LowMemoryError if the machine has little memory left. Outside Linux, do nothing."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        sizes = {line.partition(":")[0]: int(line.split()[1]) // 1024 for line in lines}  # in MB
        total, available = sizes["MemTotal"], sizes["MemAvailable"]
    except (OSError, ValueError, IndexError, KeyError):
        return
    if available < min(LOW_SHARE * total, LOW_MB):
        raise LowMemoryError(
            f"only {available} MB of this machine's memory are free; end other programs or use fewer jobs"
        )


def scratch_usage(folders: Sequence[str]) -> tuple[int, int]:
    """Return the number of files in folders in memory, and their bytes. `folders` are mount points."""
    files = size = 0
    for folder in folders:
        with contextlib.suppress(OSError):  # the sandbox has ended
            found = os.statvfs(folder)
            files += found.f_files - found.f_ffree
            size += (found.f_blocks - found.f_bfree) * found.f_frsize
    return files, size


class Watch:
    """Detects when a cell exceeds its limits, counting both the student's processes and the test.

    scratch: the mount points of the sandbox's folders in memory, as seen from this process.
    """

    def __init__(self, policy: Policy, tree: ProcessTree, scratch: Sequence[str] = ()) -> None:
        self.policy, self.trees, self.scratch = policy, [tree], scratch
        self.start_cell(exercise_times(policy))

    def start_cell(self, allowed: Times) -> None:
        """Start measuring a new cell, which may use the times `allowed`."""
        self.allowed, self.idle = allowed, 0.0
        self.began, self.at_start = time.monotonic(), self._seconds()
        self.looked_at, self.looked = self.began, self.at_start

    def _seconds(self):
        return sum(tree.usage().seconds for tree in self.trees)

    def used(self) -> Times:
        """Return the times that the cell has used so far."""
        return Times(self._seconds() - self.at_start, self.idle, time.monotonic() - self.began)

    def crowded(self) -> bool:
        """Return whether earlier cells left more than half of the allowed processes running."""
        return 2 * self.trees[0].usage().tasks > self.policy.processes

    def broken_limit(self) -> tuple[str, bool, bool] | None:
        """Describe the limit that the cell has exceeded, or return None.

        The description is (text, whether the cell can be interrupted, whether this is a time limit). Raises
        LowMemoryError if the machine's memory is low.
        """
        check_memory()
        used, now, policy, allowed = self.trees[0].usage(), time.monotonic(), self.policy, self.allowed
        seconds = self._seconds()
        if now - self.looked_at >= IDLE_LOOK:
            if seconds - self.looked < IDLE_SHARE * (now - self.looked_at):
                self.idle += now - self.looked_at
            self.looked_at, self.looked = now, seconds
        if used.tasks > policy.processes:
            return f"it ran more than {policy.processes} processes and threads", False, False
        files, size = scratch_usage(self.scratch)
        if files > MOST_FILES:
            return f"it made more than {MOST_FILES} files", False, False
        if self.trees[0].descriptors() > MOST_DESCRIPTORS:
            return f"it opened more than {MOST_DESCRIPTORS} files and sockets", False, False
        if used.memory + size > policy.memory_mb * MB:
            return f"it used more than {policy.memory_mb} MB of memory", False, False
        if seconds - self.at_start > allowed.computed:
            said = f"it computed for more than {format_seconds(allowed.computed)}; is there an endless loop?"
            return said, True, True
        if LINUX and self.idle > allowed.idle:
            return (
                f"it was idle for {format_seconds(allowed.idle)}; does it sleep or wait for something?",
                True,
                True,
            )
        if now - self.began > allowed.clock:
            return f"it took more than {format_seconds(allowed.clock)} on the clock", True, True
        return None


def format_seconds(seconds: float) -> str:
    """Format a time with one decimal place if it is at most 9 seconds, otherwise in whole seconds."""
    return f"{seconds:.0f} s" if seconds > 9 else f"{seconds:.1f} s".replace(".0 s", " s")
