"""The number of threads to use in containers and under job schedulers, which limit the processor cores.

PyTorch starts one thread for each core it sees. Inside a container with a quota it sees all cores of the
host, so it starts too many threads, and they slow each other down. The quota is read from the files of
Linux control groups, version 2 or 1.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


def cores(root: Path = Path("/"), allowed: Iterable[int] | None = None) -> int:
    """Return the number of CPU cores that this process may use, according to its affinity and quota.

    root: the root of the file system. allowed: the indices of the logical processors that the process may run
    on, or None to ask the system. Two logical processors of one core count once, since they share its
    arithmetic units.
    """
    if allowed is None:
        allowed = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
    siblings = "sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    count = len({read(root / siblings.format(number)) or number for number in allowed})
    return max(1, min([count, *(int(share) for share in quotas(root))]))


def quotas(root: Path) -> Iterator[float]:
    """Yield the CPU quota of each control group that contains this process, in processors."""
    for line in (read(root / "proc/self/cgroup") or "").splitlines():
        _, kinds, path = line.split(":", 2)
        if kinds and "cpu" not in kinds.split(","):
            continue
        mount = root / "sys/fs/cgroup" / ("cpu" if kinds else "")  # version 2 has one tree for all kinds
        # From inside a container, not all of the groups are visible.
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
    """Return the text of a small file, or None if it cannot be read."""
    try:
        return path.read_text().strip()
    except OSError:
        return None


def fit_threads() -> None:
    import torch  # here, because `minibert grade` needs only `cores`

    torch.set_num_threads(min(torch.get_num_threads(), cores()))


def share_threads(processes: int) -> int:
    """Limit PyTorch to this process's share of the cores, and return the number of threads.

    processes: the number of processes that share the cores. torchrun sets OMP_NUM_THREADS=1 if it is unset,
    so a value of 1 is ignored; any other value is taken as the user's choice.
    """
    import torch

    asked = os.environ.get("OMP_NUM_THREADS", "1")
    torch.set_num_threads(int(asked) if asked.isdigit() and int(asked) > 1 else max(1, cores() // processes))
    return torch.get_num_threads()
