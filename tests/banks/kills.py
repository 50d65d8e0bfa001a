"""Find the mutants of an assignment's solutions that lose points, by running its test cells on each.

The cells are those of the solution's notebook, hidden tests included, and the earlier answers are the
solution's own. Needs Linux or macOS: a worker is forked, and a timer ends a mutant that goes on for ever.
"""

import ast
import multiprocessing
import os
import signal
from dataclasses import dataclass

from minibert.grading.notebook import field, marked, read

from . import ROOT, quiet, run
from .mutants import mutants
from .round_trip import exercises

SECONDS = 5  # of processor time for one mutant; the checks of a right answer take less than two


@dataclass(frozen=True)
class Mutant:
    """One mutant of the solution of an exercise, with the test cells that it failed."""

    exercise: str
    name: str
    failed: tuple


class TooLong(BaseException):
    """Not an Exception: no check catches it."""


def started(assignment, root=ROOT):
    """The namespace after the given cells and the answers have run, and the cells of each exercise.

    Returns (names, exercise -> (the answer's source, {name of its tests cell: (source, points)})).
    """
    notebook = read(root / "solutions" / assignment / f"{assignment}.ipynb")
    cells, names = marked(notebook), {"__name__": "__main__"}
    for cell in cells.values():
        if cell.cell_type == "code" and not field(cell, "grade"):
            run(cell.source, names)
    tests = {
        name: (cell.source, field(cell, "points")) for name, cell in cells.items() if field(cell, "grade")
    }
    return names, {
        asked: (cells[answer].source, {name: tests[name] for name in names_of_tests})
        for asked, (answer, *names_of_tests) in exercises(notebook).items()
    }


def earns(source, points, names):
    """True if a test cell gives all its points: no error, and a value, if it is a number, that is no less."""
    lines = ast.parse(source).body
    value = lines.pop().value if isinstance(lines[-1], ast.Expr) else ast.parse("None", mode="eval").body
    with quiet():
        try:
            exec(compile(ast.Module(lines, []), "<cell>", "exec"), names)
            earned = eval(compile(ast.Expression(value), "<cell>", "eval"), names)
        except Exception:
            return False
    return not isinstance(earned, float) or earned >= points


def failed(answer, tests, names):
    """The names of the test cells that withhold points after the cell `answer`, within SECONDS in all."""
    signal.signal(signal.SIGPROF, too_long)
    before = dict(names)  # the answer runs among the given functions, which look it up there
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        run(answer, names)
        failures = [test for test, (source, points) in tests.items() if not earns(source, points, names)]
    except (Exception, TooLong):
        return tuple(tests)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        names.clear()
        names.update(before)
    return tuple(failures)


def too_long(*_):
    raise TooLong


_PLACE = {}  # what a forked worker finds: assignment -> started(assignment)


def judged(job):
    assignment, exercise, name, source = job
    names, cells = _PLACE[assignment]
    return Mutant(exercise, name, failed(source, cells[exercise][1], names))


def kills(assignment, root=ROOT, processes=None, progress=None):
    """A Mutant for each mutant of each exercise; progress(results, total) may wrap them, as tqdm does.

    Tests that students write have none: there, the versions that they are tried on are the mutants.
    """
    _PLACE[assignment] = names, cells = started(assignment, root)
    for exercise, (answer, tests) in cells.items():
        if failed(answer, tests, names):
            raise ValueError(
                f"{assignment}, {exercise}: the solution itself fails {failed(answer, tests, names)}"
            )
    jobs = [
        (assignment, exercise, name, source)
        for exercise, (answer, _) in cells.items()
        if not exercise.startswith("test_")
        for name, source in mutants(answer).items()
    ]
    with multiprocessing.get_context("fork").Pool(processes or os.cpu_count()) as pool:
        results = pool.imap_unordered(judged, jobs, chunksize=4)
        found = {
            (mutant.exercise, mutant.name): mutant
            for mutant in (progress(results, len(jobs)) if progress else results)
        }
    return [found[exercise, name] for _, exercise, name, _ in jobs]
