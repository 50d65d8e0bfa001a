"""How much one submission may use: the policy, what the system enforces of it, and what has been used so far.

The kernel's own limits (`setrlimit`) count each process alone; `ProcessTree` adds up what all processes of a
submission use. Time is processor time, so that a busy machine costs nobody points.
"""

import contextlib
import os
import socket
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

MB = 2**20
SLOWEST = 5  # seconds on the clock for each second of processor time that an exercise may use
LEAST_CLOCK = 300  # but at least so many, for on a busy machine little takes long
RERUNS = 5  # exercises' times that running cells again in new kernels may take, in one notebook
MOST_EXERCISES = 50  # more than any notebook has
IDLE_LOOK = 2.0  # seconds on the clock from one look at idleness to the next
IDLE_SHARE = 0.01  # of them on the processor, below which a process does nothing, on a busy machine too
SANDBOXES = ("bwrap", "docker", "podman", "limits", "none")
LINUX = os.path.isdir("/proc/self/task")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Policy:
    """Where a submission runs and how much it may use.

    Raises ValueError for an unknown sandbox or a limit below 1.
    """

    sandbox: str = "bwrap"  # one of SANDBOXES
    memory_mb: int = 4096  # private memory, of one process and of all together
    exercise_seconds: int = 60  # processor time of one exercise: its answer, its tests, what lies between
    idle_seconds: int = 30  # time on the clock in which an exercise sleeps or waits, all together
    processes: int = 256  # processes and threads
    scratch_mb: int = 64  # files in its working folder
    output_bytes: int = 1_000_000  # of one cell; `kernel_outputs.py` says what an exercise and a notebook may
    threads: int = 1  # of NumPy and PyTorch: more would give other sums on other machines
    seed: int = 0  # of Python's and NumPy's global generators
    hidden_seed: int = 0  # of the inputs of hidden tests; 0: the seeds that the tests themselves name
    image: str = "minibert"  # docker and podman: an image with the course's libraries

    def __post_init__(self) -> None:
        if self.sandbox not in SANDBOXES:
            raise ValueError(f"sandbox {self.sandbox!r}; it is one of {', '.join(SANDBOXES)}")
        for name, value in vars(self).items():
            if isinstance(value, int) and value < (name not in ("seed", "hidden_seed")):
                raise ValueError(f"{name} {value}; it is at least {int(name not in ('seed', 'hidden_seed'))}")

    def limited(self, seconds: int | None, memory_mb: int | None) -> "Policy":
        """The policy with other limits: seconds of an exercise, and memory; None leaves one as it is."""
        policy = self if memory_mb is None else replace(self, memory_mb=memory_mb)
        return (
            policy
            if seconds is None
            else replace(policy, exercise_seconds=seconds, idle_seconds=max(1, seconds // 2))
        )

    @property
    def clock_seconds(self) -> float:
        """Time on the clock of one exercise: it ends what neither computes nor sleeps for long."""
        return max(LEAST_CLOCK, SLOWEST * self.exercise_seconds)

    def longest(self, exercises: int) -> float:
        """Seconds on the clock after which a notebook of so many exercises has ended, whatever it does."""
        return self.clock_seconds * (2 * exercises + RERUNS)


def set_limits(policy: Policy, alone: bool) -> None:
    """Limit this process and all that it starts by `setrlimit`; the limits cannot be raised again.

    alone: nobody else runs under this user here. Only then are processes limited, because the system counts
    them by user.
    """
    import resource

    # of processor time, each exercise is watched; this ends what the watch has lost
    limits = {
        "RLIMIT_CPU": MOST_EXERCISES * policy.exercise_seconds,
        "RLIMIT_NOFILE": 512,
        "RLIMIT_DATA": policy.memory_mb * MB,
        "RLIMIT_FSIZE": policy.scratch_mb * MB,
        "RLIMIT_CORE": 0,
    }
    if alone:
        limits["RLIMIT_NPROC"] = policy.processes
    for name, value in limits.items():
        kind = getattr(resource, name, None)  # macOS has no RLIMIT_DATA that counts, Linux has all
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
            with contextlib.suppress(OSError):  # it has ended meanwhile
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
            seconds += sum(map(int, fields[11:15])) / TICKS  # user and system, own and of ended children
            memory += int(fields[21]) * PAGE
            tasks += int(fields[17])
        self.seconds = max(self.seconds, seconds)  # what ended unseen was counted before
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


@dataclass(frozen=True)
class Times:
    """Seconds of the processor, of idleness and on the clock: what something used, or may use."""

    computed: float = 0.0
    idle: float = 0.0
    clock: float = 0.0

    def part(self, share: float) -> "Times":
        """This share of each of the three."""
        return Times(share * self.computed, share * self.idle, share * self.clock)

    def without(self, used: "Times") -> "Times":
        """What is left of each when `used` is taken off; nothing is below 0."""
        return Times(
            max(0.0, self.computed - used.computed),
            max(0.0, self.idle - used.idle),
            max(0.0, self.clock - used.clock),
        )

    def at_most(self, other: "Times") -> "Times":
        """The smaller of each."""
        return Times(
            min(self.computed, other.computed), min(self.idle, other.idle), min(self.clock, other.clock)
        )

    def at_least(self, other: "Times") -> "Times":
        """The larger of each."""
        return Times(
            max(self.computed, other.computed), max(self.idle, other.idle), max(self.clock, other.clock)
        )


def exercise_times(policy: Policy) -> Times:
    """What a policy allows one exercise."""
    return Times(policy.exercise_seconds, policy.idle_seconds, policy.clock_seconds)


class Watch:
    """Tells when a cell has used more than it may; it counts what her processes and the test of it use."""

    def __init__(self, policy: Policy, tree: ProcessTree) -> None:
        self.policy, self.trees = policy, [tree]
        self.start_cell(exercise_times(policy))

    def start_cell(self, allowed: Times) -> None:
        """Count the times of one cell from now on."""
        self.allowed, self.idle = allowed, 0.0
        self.began, self.at_start = time.monotonic(), self._seconds()
        self.looked_at, self.looked = self.began, self.at_start

    def _seconds(self):
        return sum(tree.usage().seconds for tree in self.trees)

    def used(self) -> Times:
        """What the cell has used so far."""
        return Times(self._seconds() - self.at_start, self.idle, time.monotonic() - self.began)

    def crowded(self) -> bool:
        """Whether earlier cells left more than half of the allowed processes running."""
        return 2 * self.trees[0].usage().tasks > self.policy.processes

    def broken_limit(self) -> tuple[str, bool, bool] | None:
        """A broken limit as (sentence, whether to interrupt first, whether it is a time limit); or None."""
        used, now, policy, allowed = self.trees[0].usage(), time.monotonic(), self.policy, self.allowed
        seconds = self._seconds()
        if now - self.looked_at >= IDLE_LOOK:
            if seconds - self.looked < IDLE_SHARE * (now - self.looked_at):
                self.idle += now - self.looked_at
            self.looked_at, self.looked = now, seconds
        if used.tasks > policy.processes:
            return f"it ran more than {policy.processes} processes and threads", False, False
        if used.memory > policy.memory_mb * MB:
            return f"it used more than {policy.memory_mb} MB of memory", False, False
        if seconds - self.at_start > allowed.computed:
            said = f"it computed for more than {said_seconds(allowed.computed)}; is there an endless loop?"
            return said, True, True
        if LINUX and self.idle > allowed.idle:
            return (
                f"it did nothing for {said_seconds(allowed.idle)}; does it sleep, or wait for something?",
                True,
                True,
            )
        if now - self.began > allowed.clock:
            return f"it took more than {said_seconds(allowed.clock)} on the clock", True, True
        return None


def said_seconds(seconds: float) -> str:
    """A time in whole seconds, or in tenths if it is short."""
    return f"{seconds:.0f} s" if seconds > 9 else f"{seconds:.1f} s".replace(".0 s", " s")
