"""How much one submission may use: what it is given, what the system holds it to, and what it has used so
far.

The kernel's own limits (`setrlimit`) count each process alone; `Tree` adds up what all processes of a
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
WAYS = ("bwrap", "docker", "podman", "limits", "none")


@dataclass(frozen=True)
class Policy:
    """Where a submission runs, and how much it may use. Raises ValueError for an unknown way or a limit below
    1.
    """

    sandbox: str = "bwrap"        # one of WAYS
    memory_mb: int = 4096         # private memory, of one process and of all together
    cpu_seconds: int = 240        # processor time of the whole notebook
    cell_seconds: int = 60        # processor time of one cell, or of one test of it
    wall_seconds: int = 1800      # time on the clock: ends what neither computes nor returns
    # time on the clock in which a cell uses no processor: it sleeps, or waits for itself
    idle_seconds: int = 30
    processes: int = 256          # processes and threads
    scratch_mb: int = 64          # files in its working folder
    output_bytes: int = 1_000_000 # of one cell, shown in the feedback
    threads: int = 1              # of NumPy and PyTorch: more would give other sums on other machines
    seed: int = 0                 # of Python's and NumPy's global generators
    image: str = "minibert"       # docker and podman: an image with the course installed

    def __post_init__(self):
        if self.sandbox not in WAYS:
            raise ValueError(f"sandbox {self.sandbox!r}; it is one of {', '.join(WAYS)}")
        for name, value in vars(self).items():
            if isinstance(value, int) and value < 1 and name != "seed":
                raise ValueError(f"{name} {value}; it is at least 1")


def hold(policy, alone):
    """Hold this process, and all that it starts, to the limits that the system knows; they cannot be raised
    again.

    alone: nobody else runs under this user here. Only then are processes limited, for the system counts them
    by user.
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
class Used:
    """What a tree of processes uses: seconds of processor so far; bytes, processes and threads at this
    moment.
    """

    seconds: float = 0.0
    memory: int = 0
    tasks: int = 0


class Tree:
    """The processes below `pid`, itself included, as Linux shows them; elsewhere it sees nothing, and says so
    by zeros.
    """

    def __init__(self, pid):
        self.pid, self.seconds = pid, 0.0

    def pids(self):
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            with contextlib.suppress(OSError):              # it has ended meanwhile
                for task in os.listdir(f"/proc/{pid}/task"):
                    waiting += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        return found

    def used(self):
        seconds, memory, tasks = 0.0, 0, 0
        for pid in self.pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            # user and system, own and of children that have ended
            seconds += sum(map(int, fields[11:15])) / TICKS
            memory += int(fields[21]) * PAGE
            tasks += int(fields[17])
        self.seconds = max(self.seconds, seconds)               # what ended unseen was counted before
        return Used(self.seconds, memory, tasks)


def ran(pid):
    """Seconds that the first thread of a process has run, as Linux counts them; 0 elsewhere, or where it has
    ended.
    """
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def peer(connection):
    """The number of the process at the other end of a socket, which it cannot choose; 0 where the system does
    not tell.
    """
    if not LINUX:
        return 0
    return int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], sys.byteorder)


TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Watch:
    """Says when a submission has used more than its policy allows: while one cell runs, and in all cells
    together.
    """

    def __init__(self, policy, tree):
        self.policy, self.tree = policy, tree
        self.began = time.monotonic()
        self.start_cell()

    def start_cell(self):
        self.at_start = self.tree.used().seconds
        self.moved_at, self.moved = time.monotonic(), self.at_start

    def crowded(self):
        """Whether what earlier cells left running takes half of the processes: too little room for the next
        one.
        """
        return 2 * self.tree.used().tasks > self.policy.processes

    def broken(self):
        """(sentence, whether an interrupt is enough, whether it is a limit of time) about a broken limit, or
        None.
        """
        used, now, policy = self.tree.used(), time.monotonic(), self.policy
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
            return f"it did nothing for {policy.idle_seconds} s; does it sleep, or wait for something?", True, True
        return None


LINUX = os.path.isdir("/proc/self/task")
