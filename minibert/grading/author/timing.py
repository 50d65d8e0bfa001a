"""Measure how long notebooks take to run, and write the times into their headers.

A header says `runs in 40 seconds on two cores`; the time in it is replaced. Notebooks that take too long are
reported.
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
LIMITS = {"lessons": 180, "solutions": 60}  # seconds that one notebook may take
TOGETHER = 20 * 60  # seconds that all lessons may take in total
EXCESS = 1.5  # report a notebook if it exceeds its limit by this factor


def time_notebooks(
    root: str | Path, names: Sequence[str] = (), execute: Callable[[NotebookNode, Path], None] = run
) -> list[str]:
    """Run the selected notebooks, and write their running times into their source files.

    `root` is the repository, whose notebooks must be up to date. `names` selects units, as for `build`.
    `execute(notebook, folder)` runs a notebook in place. On Linux, the kernels use two cores; on other
    systems, they use all cores. Returns a list of problems, one line each.
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
            f"lessons: together they take {lessons / 60:.0f} minutes; the limit is {TOGETHER / 60:.0f}"
        )
    return problems


def timed(root: Path, source: Path, execute: Callable[[NotebookNode, Path], None]) -> tuple[float, list[str]]:
    """Run one notebook and return (seconds, problems).

    If there are no problems, write the time into the notebook's source.
    """
    path, limit = root / notebook_of(source), LIMITS[source.parts[0]]
    notebook, began = read(path), time.monotonic()
    execute(notebook, path.parent)
    seconds, failure = time.monotonic() - began, first_failure(notebook)
    if failure:
        return seconds, [f"{source}: {failure[0]}: {failure[1]}"]
    if seconds > limit * EXCESS:
        return seconds, [f"{source}: takes {seconds:.0f} seconds; the limit is {limit}"]
    text, count = SAID.subn(f"{rounded(seconds)} seconds", (root / source).read_text("utf-8"))
    if count != 1:
        return seconds, [f"{source}: must say `runs in ... on two cores` once, but says it {count} times"]
    if text != (root / source).read_text("utf-8"):
        (root / source).write_text(text, "utf-8")
        print(f"wrote the time into {source}")
    return seconds, []


def rounded(seconds: float) -> int:
    """Round seconds up to a multiple of 1, 5 or 10, with larger steps for longer times.

    >>> [rounded(seconds) for seconds in (0.4, 7.2, 31, 61)]
    [1, 8, 35, 70]
    """
    step = 1 if seconds <= 10 else 5 if seconds <= 60 else 10
    return step * math.ceil(seconds / step)
