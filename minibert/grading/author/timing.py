"""Measures how long notebooks run from top to bottom, and writes the time into their headers.

A header says `runs in 40 seconds on two cores`; the part between `runs in` and `on two cores` is written
here. A notebook that takes too long is reported.
"""

import math
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from nbformat import NotebookNode

from ..cell_messages import first_failure
from ..notebook import read
from .build import find_sources, notebook_of
from .fresh_kernel import run

SAID = re.compile(r"(?<=runs in )[^.;]*?(?=\s+(?:# )?on\s+(?:# )?two\s+(?:# )?cores)")
LIMITS = {"lessons": 180, "solutions": 60}  # seconds of one notebook
TOGETHER = 20 * 60  # seconds of all lessons
EXCESS = 1.5  # a notebook that takes so many times its limit is refused


def time_notebooks(
    root: str | Path, names: Sequence[str] = (), execute: Callable[[NotebookNode, Path], None] = run
) -> list[str]:
    """Run the chosen notebooks and write their times into the sources; returns the problems, one line each.

    root: the repository, freshly built. names: as for `build`. execute(notebook, folder): runs one in place.
    On Linux the kernels get two cores; elsewhere they have all.
    """
    root = Path(root).resolve()
    problems: list[str] = []
    lessons = 0.0
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
            f"lessons: they run {lessons / 60:.0f} minutes together; {TOGETHER / 60:.0f} are allowed"
        )
    return problems


def timed(root: Path, source: Path, execute: Callable[[NotebookNode, Path], None]) -> tuple[float, list[str]]:
    """(seconds, problems) of one notebook; without problems, the seconds are written into its source."""
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
            f"{source}: says {count} times how long it `runs in ... on two cores`; once is right"
        ]
    if text != (root / source).read_text("utf-8"):
        (root / source).write_text(text, "utf-8")
        print(f"wrote the time into {source}")
    return seconds, []


def rounded(seconds: float) -> int:
    """Seconds rounded up to the next 1, 5 or 10: the longer the time, the coarser.

    >>> [rounded(seconds) for seconds in (0.4, 7.2, 31, 61)]
    [1, 8, 35, 70]
    """
    step = 1 if seconds <= 10 else 5 if seconds <= 60 else 10
    return step * math.ceil(seconds / step)
