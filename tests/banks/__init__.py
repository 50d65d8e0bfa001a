"""Banks of answers that test the checks, one module per unit with `BANK = {exercise: Bank(...)}`.

An answer is the source of a cell: the function asked for, with its helpers and imports where it needs any. A
new file `unitNN.py` here is found by itself: each of its answers meets its check (`trial.py`) and goes
through nbgrader (`round_trip.py`).
"""

import contextlib
import functools
import importlib
import io
import linecache
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent

import numpy as np

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Bank:
    """Answers to one exercise, by name.

    right: name -> source. wrong: name -> (source, a piece of the hint it must trigger, or several of which
    one must come with | between), and as a third item, where it does not lose all points of the exercise,
    what it loses: "visible", "hidden" (the points given while working, or after handing in) or a number.
    builds_on_all: whether the check uses the answers to all other exercises, so that no right answer to this
    one keeps its points beside a wrong one to another.
    """

    right: dict
    wrong: dict
    builds_on_all: bool = False


def together(banks, more):
    """`banks` (exercise -> Bank) with the answers of `more` added."""
    return {
        exercise: replace(
            bank,
            right=bank.right | more[exercise].right,
            wrong=bank.wrong | more[exercise].wrong,
        )
        if exercise in more
        else bank
        for exercise, bank in banks.items()
    }


def load(source, name, **names):
    """The function `name` that `source` defines, run in a namespace of its own with np and `names`."""
    place = {"np": np, "__name__": "answer", **names}
    exec(compile(dedent(source), "<answer>", "exec"), place)
    return place[name]


@contextlib.contextmanager
def quiet():
    """Context manager: nothing that runs inside prints, or warns about its numbers."""
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        yield


@functools.cache
def compiled(source):
    """The code of a cell: those above an answer run again for each answer. Its source can be looked up."""
    name = f"<cell {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return compile(source, name, "exec")


def run(source, names):
    """Run a cell quietly in the namespace `names`."""
    with quiet():
        exec(compiled(source), names)


def changed(source, *replacements):
    """Dedent the source and replace pieces one after another, each (old, new) or (old, new, times).

    Raises ValueError where a piece is not there exactly once, or `times` times: a wrong answer must not
    become another one.
    """
    source = dedent(source)
    for old, new, *times in replacements:
        there, wanted = source.count(old), times[0] if times else 1
        if there != wanted:
            raise ValueError(f"{old!r} is there {there} times, not {wanted}:{source}")
        source = source.replace(old, new)
    return source


def found(folder=Path(__file__).parent, root=ROOT):
    """Map each assignment to the module name of its bank, for files unitNN.py with a solution in `root`."""
    numbers = sorted(
        path.stem[4:] for path in folder.glob("unit*.py") if re.fullmatch(r"unit\d\d", path.stem)
    )
    return {
        source.parent.name: f"unit{number}"
        for number in numbers
        for source in sorted(root.glob(f"solutions/{number}_*/{number}_*.nb.py"))
    }


def bank_of(module):
    """The BANK of a module of this package, with the answers of moreNN beside unitNN, where there are any."""
    bank, more = importlib.import_module(f"{__name__}.{module}").BANK, f"more{module[4:]}"
    if not Path(__file__).with_name(f"{more}.py").exists():
        return bank
    further = importlib.import_module(f"{__name__}.{more}").MORE
    if unknown := further.keys() - bank.keys():
        raise ValueError(f"{more} has answers to {sorted(unknown)}, which {module} does not know")
    return together(bank, further)


def a_few(banks, turn):
    """`banks` (exercise -> Bank) with one right answer and two wrong ones: others each turn, in time all."""

    def some(answers, count):
        names = list(answers)
        taken = (names[(turn * count + k) % len(names)] for k in range(count))
        return {name: answers[name] for name in taken}

    return {
        exercise: replace(bank, right=some(bank.right, 1), wrong=some(bank.wrong, 2))
        for exercise, bank in banks.items()
    }


def told(hint, said):
    """True if one of the pieces of a Bank's `hint`, separated by |, is in what was said."""
    said = " ".join(said.split())
    return any(" ".join(piece.split()) in said for piece in hint.split("|"))
