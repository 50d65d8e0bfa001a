"""Paths of a benchmark's results: reports go to `results`, and tables for a lesson to the lesson's unit."""

from pathlib import Path

from minibert.course import tables

RESULTS = Path(__file__).resolve().parent / "results"


def report(name, out=None):
    return (out or RESULTS) / f"{name}.md"


def table(name, out=None):
    return out / f"{name}.json" if out else tables.place(name)
