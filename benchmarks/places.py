"""Where a benchmark writes: its report into `results`, a table that a lesson reads into the lesson's unit."""

from pathlib import Path

from minibert.course import tables

RESULTS = Path(__file__).resolve().parent / "results"


def report(name, out=None):
    """Return the path of a report; out: another folder than `results`."""
    return (out or RESULTS) / f"{name}.md"


def table(name, out=None):
    """Return the path of a table; out: another folder than the unit's."""
    return out / f"{name}.json" if out else tables.place(name)
