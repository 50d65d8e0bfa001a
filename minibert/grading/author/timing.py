"""How long the notebooks run from top to bottom: measured in fresh kernels, held to a limit, and written into
their headers.

A header says `runs in 40 seconds on two cores`; what stands between `runs in` and `on two cores` is written
here.
"""
import math
import os
import re
import time
from pathlib import Path

from ..notebook import read
from .build import find_sources, notebook_of
from .fresh_kernel import first_failure, run

SAID = re.compile(r"(?<=runs in )[^.;]*?(?=\s+(?:# )?on\s+(?:# )?two\s+(?:# )?cores)")
LIMITS = {"lessons": 180, "solutions": 60}      # seconds of one notebook
TOGETHER = 20 * 60                              # seconds of all lessons
EXCESS = 1.5                                    # times its limit, a notebook is refused


def time_notebooks(root, names=(), execute=run):
    """Run the built notebooks of the chosen units and write their times into the sources; returns the
    problems, one line each.

    root: the repository, freshly built. names: as for `build`. execute(notebook, folder): runs one in place.
    On Linux the kernels get two cores; elsewhere they have all.
    """
    root, problems, lessons = Path(root).resolve(), [], 0.0
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    try:
        if cores:
            os.sched_setaffinity(0, sorted(cores)[:2])
        for source in find_sources(root, names):
            seconds, found = timed(root, source, execute)
            lessons += seconds * (source.parts[0] == "lessons")
            problems += found
            print(f"{notebook_of(source)}: {seconds:.0f} s")
    finally:
        if cores:
            os.sched_setaffinity(0, cores)
    if lessons > TOGETHER * EXCESS:
        problems.append(
            f"lessons: they run {lessons / 60:.0f} minutes together; {TOGETHER / 60:.0f} are allowed")
    return problems


def timed(root, source, execute):
    """(seconds, problems) of one notebook; its source says the seconds afterwards, if nothing is wrong with
    them.
    """
    path, limit = root / notebook_of(source), LIMITS[source.parts[0]]
    notebook, began = read(path), time.monotonic()
    execute(notebook, path.parent)
    seconds, failure = time.monotonic() - began, first_failure(notebook)
    if failure:
        return seconds, [f"{source}: {failure[0]}: {failure[1]}"]
    if seconds > limit * EXCESS:
        return seconds, [f"{source}: runs {seconds:.0f} seconds; {limit} are allowed"]
    text, count = SAID.subn(f"{rounded(seconds)} seconds", (root / source).read_text("utf-8"))
    if count != 1:
        return seconds, [
            f"{source}: says {count} times how long it `runs in ... on two cores`; once is right"]
    (root / source).write_text(text, "utf-8")
    return seconds, []


def rounded(seconds):
    """Seconds as a person says them: up to the next 1, 5 or 10, the coarser the more there are.

    >>> [rounded(seconds) for seconds in (0.4, 7.2, 31, 61)]
    [1, 8, 35, 70]
    """
    step = 1 if seconds <= 10 else 5 if seconds <= 60 else 10
    return step * math.ceil(seconds / step)
