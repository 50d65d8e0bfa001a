"""How many threads to use: containers and job schedulers grant fewer processors than the machine has.

PyTorch starts one thread for each core it sees. Inside a container with a quota it sees all cores of the
host, and threads that must wait for their turn make the others wait. The quota is in the files of Linux'
control groups, version 2 or 1.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import torch


def cores(root: Path = Path("/"), allowed: Iterable[int] | None = None) -> int:
    """Return how many whole cores this process may use, at least 1: by affinity and by quota.

    root: where the system's files are; allowed: numbers of the processors it may run on, or None to ask the
    system. Two processors of one core count once, since they share its arithmetic units.
    """
    if allowed is None:
        allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    siblings = "sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    count = len({read(root / siblings.format(number)) or number for number in allowed})
    return max(1, min([count, *(int(share) for share in quotas(root))]))


def quotas(root: Path) -> Iterator[float]:
    """Yield how many processors' time each control group around this process grants it."""
    for line in (read(root / "proc/self/cgroup") or "").splitlines():
        _, kinds, path = line.split(":", 2)
        if kinds and "cpu" not in kinds.split(","):
            continue
        mount = root / "sys/fs/cgroup" / ("cpu" if kinds else "")  # version 2 has one tree for all kinds
        # from inside a container, not all of the groups can be seen
        for group in (path, *map(str, Path(path).parents)):
            folder = mount / group.lstrip("/")
            quota, period = (
                (read(folder / "cpu.max") or "max 1").split()
                if not kinds
                else (read(folder / "cpu.cfs_quota_us") or "-1", read(folder / "cpu.cfs_period_us") or "1")
            )
            if quota not in ("max", "-1"):
                yield int(quota) / int(period)


def read(path: Path) -> str | None:
    """Return the text of a small file without its last line end, or None if it cannot be read."""
    try:
        return path.read_text().strip()
    except OSError:
        return None


def fit_threads() -> None:
    """Let PyTorch use at most one thread for each core that this process may use."""
    torch.set_num_threads(min(torch.get_num_threads(), cores()))


def share_threads(processes: int) -> int:
    """Let PyTorch use this process's share of the cores, one of `processes`; return the number of threads.

    torchrun sets OMP_NUM_THREADS=1 where it is not set, which leaves most cores idle: so 1 is ignored as
    torchrun's choice, and another number is the user's.
    """
    asked = os.environ.get("OMP_NUM_THREADS", "1")
    torch.set_num_threads(int(asked) if asked.isdigit() and int(asked) > 1 else max(1, cores() // processes))
    return torch.get_num_threads()
