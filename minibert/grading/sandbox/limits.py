"""How much one submission may use: the policy, what the system enforces of it, and what has been used so far.

The kernel's own limits (`setrlimit`) count each process alone; `ProcessTree` adds up what all processes of a
submission use. Time is processor time, so that a busy machine costs nobody points.
"""
import contextlib
import os
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MB = 2 ** 20
SANDBOXES = ("bwrap", "docker", "podman", "limits", "none")
LINUX = os.path.isdir("/proc/self/task")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Policy:
    """Where a submission runs and how much it may use.

    Raises ValueError for an unknown sandbox or a limit below 1.
    """

    sandbox: str = "bwrap"        # one of SANDBOXES
    memory_mb: int = 4096         # private memory, of one process and of all together
    cpu_seconds: int = 240        # processor time of the whole notebook
    cell_seconds: int = 60        # processor time of one cell, or of one test of it
    wall_seconds: int = 1800      # time on the clock: ends what neither computes nor returns
    idle_seconds: int = 30        # time on the clock in which a cell uses no processor: it sleeps or waits
    processes: int = 256          # processes and threads
    scratch_mb: int = 64          # files in its working folder
    output_bytes: int = 1_000_000 # of one cell, shown in the feedback
    threads: int = 1              # of NumPy and PyTorch: more would give other sums on other machines
    seed: int = 0                 # of Python's and NumPy's global generators
    image: str = "minibert"       # docker and podman: an image with the course's libraries

    def __post_init__(self) -> None:
        if self.sandbox not in SANDBOXES:
            raise ValueError(f"sandbox {self.sandbox!r}; it is one of {', '.join(SANDBOXES)}")
        for name, value in vars(self).items():
            if isinstance(value, int) and value < 1 and name != "seed":
                raise ValueError(f"{name} {value}; it is at least 1")


def set_limits(policy: Policy, alone: bool) -> None:
    """Limit this process and all that it starts by `setrlimit`; the limits cannot be raised again.

    alone: nobody else runs under this user here. Only then are processes limited, because the system counts
    them by user.
    """
    import resource

    limits = {"RLIMIT_CPU": policy.cpu_seconds, "RLIMIT_DATA": policy.memory_mb * MB, "RLIMIT_NOFILE": 512,
              "RLIMIT_FSIZE": policy.scratch_mb * MB, "RLIMIT_CORE": 0}
    if alone:
        limits["RLIMIT_NPROC"] = policy.processes
    for name, value in limits.items():
        kind = getattr(resource, name, None)            # macOS has no RLIMIT_DATA that counts, Linux has all
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (value, value))


@dataclass(frozen=True)
class Usage:
    """What a tree of processes uses: processor seconds so far; bytes, processes and threads right now."""

    seconds: float = 0.0
    memory: int = 0
    tasks: int = 0


class ProcessTree:
    """The process `pid` and all below it, as Linux shows them; on other systems every usage is zero."""

    def __init__(self, pid: int) -> None:
        self.pid, self.seconds = pid, 0.0

    def pids(self) -> list[int]:
        """The numbers of all processes of the tree."""
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            with contextlib.suppress(OSError):              # it has ended meanwhile
                for task in os.listdir(f"/proc/{pid}/task"):
                    waiting += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        return found

    def usage(self) -> Usage:
        """What all processes of the tree use together."""
        seconds, memory, tasks = 0.0, 0, 0
        for pid in self.pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            seconds += sum(map(int, fields[11:15])) / TICKS     # user and system, own and of ended children
            memory += int(fields[21]) * PAGE
            tasks += int(fields[17])
        self.seconds = max(self.seconds, seconds)               # what ended unseen was counted before
        return Usage(self.seconds, memory, tasks)


def thread_seconds(pid: int) -> float:
    """Seconds that the first thread of a process has run, as Linux counts them; 0 if it cannot be read."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def peer_pid(connection: socket.socket) -> int:
    """The number of the process at the other end of a socket, which it cannot forge; 0 outside Linux."""
    if not LINUX:
        return 0
    return int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)


class Watch:
    """Tells when a submission has used more than its policy allows, in one cell or in all cells together."""

    def __init__(self, policy: Policy, tree: ProcessTree) -> None:
        self.policy, self.tree = policy, tree
        self.began = time.monotonic()
        self.start_cell()

    def start_cell(self) -> None:
        """Count the time of one cell from now on."""
        self.at_start = self.tree.usage().seconds
        self.moved_at, self.moved = time.monotonic(), self.at_start

    def crowded(self) -> bool:
        """Whether earlier cells left more than half of the allowed processes running."""
        return 2 * self.tree.usage().tasks > self.policy.processes

    def broken_limit(self) -> tuple[str, bool, bool] | None:
        """A broken limit as (sentence, whether to interrupt first, whether it is a time limit); or None."""
        used, now, policy = self.tree.usage(), time.monotonic(), self.policy
        if used.seconds - self.moved > 0.05:
            self.moved_at, self.moved = now, used.seconds
        if used.tasks > policy.processes:
            return f"it ran more than {policy.processes} processes and threads", False, False
        if used.memory > policy.memory_mb * MB:
            return f"it used more than {policy.memory_mb} MB of memory", False, False
        if used.seconds > policy.cpu_seconds:
            return f"the notebook computed for more than {policy.cpu_seconds} s", False, True
        if now - self.began > policy.wall_seconds:
            return f"the notebook took more than {policy.wall_seconds} s", False, True
        if used.seconds - self.at_start > policy.cell_seconds:
            return f"it computed for more than {policy.cell_seconds} s; is there an endless loop?", True, True
        if LINUX and now - self.moved_at > policy.idle_seconds:
            return (f"it did nothing for {policy.idle_seconds} s; does it sleep, or wait for something?",
                    True, True)
        return None
